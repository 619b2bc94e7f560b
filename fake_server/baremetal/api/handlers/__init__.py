"""The request handlers: one module per resource."""
