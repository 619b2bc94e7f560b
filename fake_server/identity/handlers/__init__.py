"""The request handlers below ``/identity/v3``, a module for each part."""
