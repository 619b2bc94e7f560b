"""Many resources, and waiting for them: expressions, one poller, and actions on many at a time."""
