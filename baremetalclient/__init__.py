"""Client SDK and OpenStackClient plugin for OpenStack Bare Metal (Ironic)."""
