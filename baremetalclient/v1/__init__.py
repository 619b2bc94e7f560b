"""Version 1 of the Bare Metal API: one module for each type of resource."""
