"""Clients of other servers, on which the commands are built: nothing that serves imports them.

:mod:`.capture` makes a seed of any Ironic, :mod:`.comparison` compares one with a fake one that
has the same lab, and :mod:`.controls` uses the controls of a running fake server.
"""
