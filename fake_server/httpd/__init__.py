"""HTTP/1.1 for the listener: heads and bodies of requests, connections, responses."""
