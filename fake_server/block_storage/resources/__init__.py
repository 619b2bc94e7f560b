"""What is below ``/volume/v3``, a module for each kind of resources."""
