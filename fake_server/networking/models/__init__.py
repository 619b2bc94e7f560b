"""The resources of the Networking service, a module for each kind; nothing here depends on HTTP."""
