"""What is below ``/image/v2``, a module for each part of it."""
