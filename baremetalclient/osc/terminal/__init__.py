"""What a command prints on a terminal, asks there, and hears from it; it knows no command."""
