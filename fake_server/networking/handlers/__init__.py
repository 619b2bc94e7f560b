"""What is below ``/networking/v2.0``, a module for each part of it."""
