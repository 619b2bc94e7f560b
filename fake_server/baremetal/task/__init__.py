"""Tasks: a locked node with its driver, its power actions and its history."""
