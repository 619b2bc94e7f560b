"""Modules for programs written for python-ironicclient, where these import them.

Other programs need none of them.
"""
