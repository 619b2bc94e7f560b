"""Comparing an Ironic with a fake one that has the same lab: what differs is a fault of the fake.

:mod:`.requests` has the requests, :mod:`.answers` what has to be equal of two answers, and
:mod:`.sides` prepares both and sends them.
"""
