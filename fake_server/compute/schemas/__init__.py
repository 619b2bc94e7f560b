"""What bodies of requests have to be, by microversion."""
