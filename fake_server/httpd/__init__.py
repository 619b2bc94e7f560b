"""HTTP/1.1 as the listener speaks it: heads and bodies of requests, connections, answers."""
