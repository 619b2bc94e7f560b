"""JSON schemas of request bodies, by microversion."""
