"""Labs declared in files: what differs from them, how to get there, and files of what there is."""
