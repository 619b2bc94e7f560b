"""JSON schemas of flavors and key pairs."""

from __future__ import annotations

from functools import cache
from typing import Any

from fake_server.common.microversions import ABSENT, Since, at
from fake_server.common.schemas import Checker, object_schema
from fake_server.compute import microversions as versions
from fake_server.compute.schemas import parts

_DESCRIPTION = {**parts.TEXT, "maxLength": 65535}
_FACTOR = {
    "type": ["number", "string"],
    "pattern": r"^[0-9]+(\.[0-9]+)?$",
    "exclusiveMinimum": 0,
    "maximum": 3.40282e38,
}
_FLAVOR = {
    "name": parts.NAME,
    "id": {
        "type": ["string", "number", "null"],
        "minLength": 1,
        "maxLength": 255,
        "pattern": "^(?! )[a-zA-Z0-9. _-]+(?<! )$",
    },
    "ram": parts.SIZE,
    "vcpus": parts.SIZE,
    "disk": parts.AMOUNT,
    "OS-FLV-EXT-DATA:ephemeral": parts.AMOUNT,
    "swap": parts.AMOUNT,
    "os-flavor-access:is_public": parts.BOOLEAN,
    "rxtx_factor": Since(versions.SLIM_FLAVORS, ABSENT, before=_FACTOR),
    "description": Since(versions.FLAVOR_DESCRIPTION, _DESCRIPTION),
}
_TENANT = object_schema({"tenant": {"type": "string", "minLength": 1, "maxLength": 255}}, "tenant")

_EXTRA_SPECS = {
    "type": "object",
    "patternProperties": {
        "^[a-zA-Z0-9-_:. ]{1,255}$": {"type": ["string", "number"], "maxLength": 255}
    },
    "additionalProperties": False,
}

EXTRA_SPECS = parts.checker(object_schema({"extra_specs": _EXTRA_SPECS}, "extra_specs"))
EXTRA_SPEC = parts.checker({**_EXTRA_SPECS, "minProperties": 1, "maxProperties": 1})
UPDATE = parts.checker(
    object_schema({"flavor": object_schema({"description": _DESCRIPTION}, "description")}, "flavor")
)
CHANGE_ACCESS = parts.checker(
    {
        **object_schema({"addTenantAccess": _TENANT, "removeTenantAccess": _TENANT}),
        "minProperties": 1,
        "maxProperties": 1,
    }
)


@cache
def create(minor: int) -> Checker:
    """Return what checks a new flavor."""
    flavor = object_schema(at(minor, _FLAVOR), "name", "ram", "vcpus", "disk")
    return parts.checker(object_schema({"flavor": flavor}, "flavor"))


@cache
def create_keypair(minor: int) -> Checker:
    """Return what checks a new key pair."""
    imported = minor >= versions.KEYPAIRS_IMPORTED
    letters = r"^[_\-@. a-zA-Z0-9]+$" if imported else r"^[_\- a-zA-Z0-9]+$"
    required = ("name", "public_key") if imported else ("name",)
    properties: dict[str, Any] = {
        "name": {**parts.NAME, "allOf": [{"pattern": letters}]},
        "public_key": {"type": "string"},
        "type": Since(versions.KEYPAIR_TYPE, {"type": "string", "enum": ["ssh", "x509"]}),
        "user_id": Since(versions.KEYPAIR_USER, {"type": "string"}),
    }
    keypair = object_schema(at(minor, properties), *required)
    return parts.checker(object_schema({"keypair": keypair}, "keypair"))
