"""The request handlers below ``/networking/v2.0``, a module for each part."""
