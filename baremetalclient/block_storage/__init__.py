"""Volumes and their attachments, over the Block Storage API (Cinder)."""
