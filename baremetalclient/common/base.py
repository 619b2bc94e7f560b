"""Bases of managers and resources, for programs written for python-ironicclient."""

from __future__ import annotations

from baremetalclient._resource.crud import CreateManager
from baremetalclient._resource.manager import Manager
from baremetalclient._resource.resource import Resource, ResourceT
from baremetalclient._resource.resource import identifier_of as getid

__all__ = ["CreateManager", "Manager", "Resource", "ResourceT", "getid"]
