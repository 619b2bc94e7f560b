"""The errors of the Placement service."""

from __future__ import annotations

from fake_server.common.errors import BadRequest, NotFound, UnknownAddress

CONCURRENT_UPDATE = "placement.concurrent_update"
DUPLICATE_NAME = "placement.duplicate_name"
INVENTORY_IN_USE = "placement.inventory.inuse"
PROVIDER_NOT_FOUND = "placement.resource_provider.not_found"
PROVIDER_IN_USE = "placement.resource_provider.inuse"
PROVIDER_IS_PARENT = "placement.resource_provider.cannot_delete_parent"
MISSING_VALUE = "placement.query.missing_value"
BAD_VALUE = "placement.query.bad_value"


class InvalidQuery(BadRequest):
    """An argument of the query that the address doesn't have, or not with this value."""

    form = "Invalid query string parameters: {}"


class ProviderNotFound(NotFound):
    """There is no such resource provider."""

    form = "No resource provider with uuid {} found"


class ClassNotFound(NotFound):
    """There is no such resource class."""

    form = "No such resource class {}."


#: What an address is refused with that has nothing to answer.
UNKNOWN = (UnknownAddress, ProviderNotFound, ClassNotFound)
