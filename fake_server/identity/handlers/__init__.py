"""What is below ``/identity/v3``, a module for each part of it."""
