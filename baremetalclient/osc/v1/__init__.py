"""Commands for version 1 of the Bare Metal API: one module per resource."""
