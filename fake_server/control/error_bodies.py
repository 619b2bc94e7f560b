"""Errors of faults, in the format of each service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal.api import rendering
from fake_server.common.dialects.cinder import CINDER
from fake_server.common.dialects.glance import GLANCE
from fake_server.common.dialects.keystone import KEYSTONE
from fake_server.common.dialects.neutron import NEUTRON
from fake_server.common.dialects.nova import NOVA
from fake_server.common.dialects.placement import PLACEMENT
from fake_server.common.dialects.swift import SWIFT
from fake_server.common.errors import with_status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.dialects.dialect import Dialect
    from fake_server.common.wsgi import Response


def fault(path: str, status: int, message: str) -> Response:
    """Return an error in the format of the service that the path belongs to."""
    dialect = _DIALECTS.get(path[1:].partition("/")[0])
    if dialect is None:
        return rendering.fault(status, message, [])
    return dialect.render(with_status(status, message))


_DIALECTS: Mapping[str, Dialect] = {
    "networking": NEUTRON,
    "volume": CINDER,
    "identity": KEYSTONE,
    "compute": NOVA,
    "placement": PLACEMENT,
    "image": GLANCE,
    "object-store": SWIFT,
}
