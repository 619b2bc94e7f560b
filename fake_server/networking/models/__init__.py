"""What the Networking service keeps, a module for each kind; nothing here knows HTTP."""
