"""Small handlers around every request, each with one job; ``app`` puts them in a chain."""
