"""The rows of the service and the rules of their changes; nothing here depends on HTTP."""
