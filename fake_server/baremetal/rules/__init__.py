"""Inspection rules: what they may say, and what they do with what an inspection has found."""
