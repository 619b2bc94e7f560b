"""What HTTP sees: one module per resource."""
