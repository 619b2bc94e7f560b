"""The Bare Metal API: microversions, errors, resources and the conductor."""
