"""What resources do: one module per resource, on a session."""
