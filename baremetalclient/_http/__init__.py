"""How requests are sent: sessions, retries, redirects, responses, errors and logging."""
