"""An embeddable server with the semantics of OpenStack Bare Metal (Ironic)."""
