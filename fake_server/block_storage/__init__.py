"""Cinder: volumes, their types and their attachments, as far as bare metal needs them."""
