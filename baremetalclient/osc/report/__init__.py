"""Reports of what a command has done with each resource, and the page that they are shown on."""
