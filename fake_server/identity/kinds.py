"""The kinds of resources of the Identity service, a row for each, and how one is shown.

What is particular to a kind beyond its row is in :mod:`.rules`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fake_server.common.schemas import Checker
from fake_server.identity import tables

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import sqlalchemy as sa

    from fake_server.common.schemas import Schema
    from fake_server.db.store import Record

_TEXT: Schema = {"type": "string"}
_OPTIONAL_TEXT: Schema = {"type": ["string", "null"]}
_ID: Schema = {"type": ["string", "null"], "minLength": 1, "maxLength": 64}
_TRUE = ("True", "TRUE", "true", "1", "y", "Y", "on", "ON", "yes")
_BOOLEANS = (
    *(True, "True", "TRUE", "true", False, "False", "FALSE", "false", "", "1", "0", "y", "Y", "n"),
    *("N", "on", "ON", "off", "OFF", "yes", "no"),
)
_BOOLEAN: Schema = {"type": ["boolean", "string", "null"], "enum": list(_BOOLEANS)}
_SWITCH: Schema = {"type": ["boolean", "null"]}
_NUMBER: Schema = {"type": "integer", "minimum": -1, "maximum": 0x7FFFFFFF}


def _name(longest: int) -> Schema:
    return {"type": "string", "minLength": 1, "maxLength": longest, "pattern": r"[\S]+"}


def _options(**switches: Schema) -> Schema:
    return {"type": "object", "additionalProperties": False, "properties": switches}


_IMMUTABLE = _options(immutable=_SWITCH)
_OF_USERS = _options(
    ignore_change_password_upon_first_use=_SWITCH,
    ignore_password_expiry=_SWITCH,
    ignore_lockout_failure_attempts=_SWITCH,
    ignore_user_inactivity=_SWITCH,
    lock_password=_SWITCH,
    multi_factor_auth_enabled=_SWITCH,
    multi_factor_auth_rules={"type": "array"},
)
_TAGS: Schema = {
    "type": "array",
    "items": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"^[^,/]*$"},
    "maxItems": 80,
    "uniqueItems": True,
}


@dataclass(frozen=True)
class Kind:
    """A kind of resources.

    :param name: what the API calls one of them.
    :param table: where they are.
    :param fields: the schemas of what clients can set.
    :param required: what a new one needs.
    :param filters: what lists can be filtered by.
    :param hidden: columns that are not shown.
    :param fixed: what clients can't change, with what Keystone calls it.
    :param changeable: what may be in a change, which needs it; anything where it is empty.
    :param extra: whether other properties are stored as well.
    :param match: the columns whose values distinguish them from other kinds in the table.
    """

    name: str
    table: sa.Table
    fields: Mapping[str, Schema]
    required: tuple[str, ...] = ("name",)
    filters: tuple[str, ...] = ("name", "domain_id", "enabled")
    hidden: Collection[str] = ()
    fixed: Mapping[str, str] = field(default_factory=dict)
    changeable: tuple[str, ...] = ()
    extra: bool = True
    match: Mapping[str, Any] = field(default_factory=dict)

    @property
    def plural(self) -> str:
        """What the API calls several of them."""
        return f"{self.name}s"

    @cached_property
    def new(self) -> Checker:
        """Checks the values of a new one."""
        return self._checker(self.fields, self.required, others=self.extra)

    @cached_property
    def changed(self) -> Checker:
        """Checks the values that change one."""
        if self.changeable:
            fields = {name: self.fields[name] for name in self.changeable}
            return self._checker(fields, self.changeable, others=False)
        return self._checker(self.fields, (), others=self.extra)

    @staticmethod
    def _checker(
        fields: Mapping[str, Schema], required: Collection[str], *, others: bool
    ) -> Checker:
        return Checker(
            {
                "type": "object",
                "properties": fields,
                "additionalProperties": others,
                "required": list(required),
            }
        )

    def row(self, values: Mapping[str, Any]) -> Record:
        """Return values as they are stored: what has no column is in ``extra``."""
        columns = {name: value for name, value in values.items() if name in self.table.c}
        if "enabled" in columns and not isinstance(columns["enabled"], bool):
            columns["enabled"] = columns["enabled"] in _TRUE
        others = {name: value for name, value in values.items() if name not in self.table.c}
        return {**columns, "extra": others} if self.extra else columns

    def shown(self, row: Record) -> dict[str, Any]:
        """Return one as clients see it, without its links."""
        hidden = {"number", "extra", *self.hidden, *self.match}
        found = {name: value for name, value in row.items() if name not in hidden}
        if found.get("domain_id") == tables.NO_DOMAIN:
            found["domain_id"] = None
        return {**found, **(row.get("extra") or {})}


class _User(Kind):
    def shown(self, row: Record) -> dict[str, Any]:
        found = super().shown(row)
        if found["default_project_id"] is None:
            del found["default_project_id"]
        return {**found, "password_expires_at": None}


class _Endpoint(Kind):
    def shown(self, row: Record) -> dict[str, Any]:
        return {**super().shown(row), "region": row["region_id"]}


_FIXED_DOMAIN = {"id": "ID", "domain_id": "Domain ID"}
_LIMIT: Mapping[str, Schema] = {
    "service_id": {**_TEXT, "format": "uuid"},
    "region_id": _ID,
    "resource_name": _name(255),
    "description": _OPTIONAL_TEXT,
}
#: Domains are projects, too.
PROJECT = Kind(
    "project",
    tables.projects,
    {
        "name": _name(64),
        "description": _OPTIONAL_TEXT,
        "domain_id": _ID,
        "parent_id": _ID,
        "enabled": _BOOLEAN,
        "is_domain": _BOOLEAN,
        "tags": _TAGS,
        "options": _IMMUTABLE,
    },
    filters=("name", "domain_id", "parent_id", "enabled"),
    fixed=_FIXED_DOMAIN,
)
DOMAIN = Kind(
    "domain",
    tables.projects,
    {
        "name": _name(64),
        "description": _OPTIONAL_TEXT,
        "enabled": _BOOLEAN,
        "tags": _TAGS,
        "options": _IMMUTABLE,
    },
    filters=("name", "enabled"),
    hidden=("domain_id", "parent_id"),
    fixed={"id": "ID"},
    match={"is_domain": True},
)
USER = _User(
    "user",
    tables.users,
    {
        "name": _name(255),
        "password": _OPTIONAL_TEXT,
        "domain_id": _ID,
        "default_project_id": _ID,
        "enabled": _BOOLEAN,
        "description": _OPTIONAL_TEXT,
        "options": _OF_USERS,
    },
    hidden=("password",),
    fixed=_FIXED_DOMAIN,
)
GROUP = Kind(
    "group",
    tables.groups,
    {"name": _name(64), "description": _OPTIONAL_TEXT, "domain_id": _ID},
    filters=("name", "domain_id"),
    fixed=_FIXED_DOMAIN,
)
ROLE = Kind(
    "role",
    tables.roles,
    {
        "name": _name(255),
        "description": _OPTIONAL_TEXT,
        "domain_id": _ID,
        "options": _IMMUTABLE,
    },
    filters=("name",),
    fixed=_FIXED_DOMAIN,
)
SERVICE = Kind(
    "service",
    tables.services,
    {"type": _name(255), "name": _TEXT, "enabled": _BOOLEAN, "description": _OPTIONAL_TEXT},
    required=("type",),
    filters=("type", "name"),
    fixed={"id": "ID"},
)
REGION = Kind(
    "region",
    tables.regions,
    {"id": {"type": "string"}, "description": _OPTIONAL_TEXT, "parent_region_id": _OPTIONAL_TEXT},
    required=(),
    filters=("parent_region_id",),
    fixed={"id": "ID"},
)
ENDPOINT = _Endpoint(
    "endpoint",
    tables.endpoints,
    {
        "service_id": _TEXT,
        "interface": {"type": "string", "enum": ["admin", "internal", "public"]},
        "url": {"type": "string", "minLength": 1, "maxLength": 225},
        "region_id": _OPTIONAL_TEXT,
        "region": _TEXT,
        "enabled": {"type": "boolean"},
    },
    required=("interface", "service_id", "url"),
    filters=("interface", "service_id", "region_id"),
    fixed={"id": "ID"},
)
CREDENTIAL = Kind(
    "credential",
    tables.credentials,
    {
        "type": _TEXT,
        "blob": _TEXT,
        "user_id": _TEXT,
        "project_id": _OPTIONAL_TEXT,
    },
    required=("blob", "type", "user_id"),
    filters=("user_id", "type"),
    fixed={"id": "ID"},
    changeable=("blob",),
)
REGISTERED_LIMIT = Kind(
    "registered_limit",
    tables.registered_limits,
    {**_LIMIT, "default_limit": _NUMBER},
    required=("service_id", "resource_name", "default_limit"),
    filters=("service_id", "region_id", "resource_name"),
    extra=False,
)
LIMIT = Kind(
    "limit",
    tables.limits,
    {
        **_LIMIT,
        "resource_limit": _NUMBER,
        "project_id": {**_TEXT, "format": "uuid"},
        "domain_id": {**_TEXT, "format": "uuid"},
    },
    required=("service_id", "resource_name", "resource_limit"),
    filters=("service_id", "region_id", "resource_name", "project_id", "domain_id"),
    extra=False,
)
#: Those that are created one by one.
SINGLE = (PROJECT, DOMAIN, USER, GROUP, ROLE, SERVICE, REGION, ENDPOINT, CREDENTIAL)
#: Those that are created in lists.
LISTED = (REGISTERED_LIMIT, LIMIT)


def timestamp(seconds: float) -> str:
    """Return a moment, given in seconds since the epoch."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S.%fZ}"


def as_boolean(text: Any) -> bool:
    """Return a truth of a query; a name without a value is true."""
    return text in ("", *_TRUE)
