"""The request handlers of the service; nothing here depends on SQL."""
