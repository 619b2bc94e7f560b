"""The agents that run on nodes: commands to them, and one that the server simulates."""
