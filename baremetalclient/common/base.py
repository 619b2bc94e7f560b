"""Bases of managers and resources, for programs written for python-ironicclient."""

from __future__ import annotations

from baremetalclient._resource.crud import CreateManager
from baremetalclient._resource.manager import Manager
from baremetalclient._resource.resource import Resource, ResourceT, identifier_of

__all__ = ["CreateManager", "Manager", "Resource", "ResourceT", "getid"]


def getid(obj: object) -> str:
    """Return the identifier of a resource.

    :param obj: the identifier itself, or the resource.
    """
    return identifier_of(obj)
