"""Kinds of resources of the Identity service, a module for those that belong together."""
