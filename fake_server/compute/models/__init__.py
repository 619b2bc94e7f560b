"""What the service keeps, and the rules of its changes; nothing here knows HTTP."""
