"""What the addresses of the service answer; nothing here knows SQL."""
