"""Completion of the command line of ``baremetal`` in bash, zsh and fish."""
