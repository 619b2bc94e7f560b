"""Kinds of resources that are declared, a module for each."""
