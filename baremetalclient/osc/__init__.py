"""The OpenStackClient plugin."""
