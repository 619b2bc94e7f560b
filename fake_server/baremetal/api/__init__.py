"""The HTTP layer of the Bare Metal API: from a request to a handler and back."""
