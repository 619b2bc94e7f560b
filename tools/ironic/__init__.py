"""Facts about Ironic, which it tells itself."""
