"""The calls that most managers have, a module for each type of resource.

They are written out, so that people, editors and type checkers read what each takes; the
descriptions of the resources say what that is. Written by `tools/dev arguments`.
"""
