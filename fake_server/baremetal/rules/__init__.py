"""Inspection rules: their validation, and how they are applied."""
