"""Servers and their volumes, over the Compute API."""
