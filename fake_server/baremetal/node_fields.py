"""The fields of a node, each described once.

The database columns, the JSON schemas of requests, the microversion checks, what is shown and
hidden, sorting, filters, policies and seeds follow from :data:`FIELDS`. A new field is one row.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Flag
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import arguments, microversions
from fake_server.db.schema import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_DESCRIPTION = 4096


class Settable(Flag):
    """The requests that may set a field."""

    NEVER = 0
    CREATE = 1
    PATCH = 2
    ALWAYS = CREATE | PATCH


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """The type of a field.

    :param column: returns the type of its column, for a length in characters or ``None``.
    :param types: what JSON schema calls its values.
    :param converter: what a request's value goes through.
    """

    column: Callable[[int | None], Any]
    types: tuple[str, ...] = ()
    converter: arguments.Converter = arguments.as_it_is


TEXT = Kind(lambda length: sa.Text() if length is None else sa.String(length), ("string", "null"))
MESSAGE = Kind(lambda _: Message(), ("string", "null"))
UUID = Kind(lambda _: sa.String(36), ("string", "null"), arguments.uuid)
BOOLEAN = Kind(lambda _: sa.Boolean(), ("string", "boolean", "null"), arguments.boolean)
#: A boolean that Ironic stores without validation.
UNCHECKED_BOOLEAN = Kind(lambda _: sa.Boolean(), ("string", "boolean", "null"))
OBJECT = Kind(lambda _: sa.JSON(none_as_null=True), ("object", "null"))
TIME = Kind(lambda _: sa.DateTime())


@dataclass(frozen=True, slots=True)
class Filter:
    """An argument of a list of nodes that a field has to be equal to.

    :param since: the minor version that introduced it.
    :param converter: what its value goes through.
    :param refusal: the text of the 406 before that version; by default it names the version.
    """

    since: int = 1
    converter: arguments.Converter = arguments.string
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class NodeField:
    """One field of a node.

    :param name: name in the API.
    :param kind: what it holds.
    :param since: the minor version that introduced it.
    :param length: characters that its column takes; ``None`` for any number.
    :param index: whether the database looks nodes up by it.
    :param default: the value of a new node; a field that has one is never null, unless
        ``nullable`` says so.
    :param nullable: whether its column takes null.
    :param settable: the requests that may set it.
    :param limits: what JSON schema has to say of its values beside their type.
    :param policy: the end of the name of the policy that guards changes of it; ``update`` if none.
    :param filter: the argument of lists that asks for a value of it.
    :param secrets: for an object whose secrets are masked: the names of those whose names don't
        give them away.
    :param redacted: what callers see who lack the policy ``baremetal:node:get:NAME``.
    """

    name: str
    kind: Kind = TEXT
    since: int = 1
    length: int | None = 255
    index: bool = False
    default: Any = None
    nullable: bool | None = None
    settable: Settable = Settable.NEVER
    limits: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    policy: str | None = None
    filter: Filter | None = None
    secrets: tuple[str, ...] | None = None
    redacted: str | None = None

    def column(self) -> sa.Column[Any]:
        """Return a new column for the field."""
        nullable = self.default is None if self.nullable is None else self.nullable
        column_type = self.kind.column(self.length)
        return sa.Column(
            self.name, column_type, nullable=nullable, default=self.default, index=self.index
        )

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of its values in requests."""
        return {"type": list(self.kind.types), **self.limits}


def _interface(kind: str, since: int = 31) -> NodeField:
    return NodeField(
        f"{kind}_interface", since=since, settable=ALWAYS, policy="update:driver_interfaces"
    )


ALWAYS = Settable.ALWAYS
_SHOWN_WITH = "Redacted - requires baremetal:node:get:{} permission."

#: Every field that has a column, in the order in which nodes are shown.
FIELDS = (
    NodeField("uuid", UUID, nullable=False, settable=Settable.CREATE),
    NodeField("created_at", TIME),
    NodeField("updated_at", TIME),
    NodeField("automated_clean", BOOLEAN, 47, settable=ALWAYS),
    _interface("bios", 40),
    _interface("boot"),
    NodeField("boot_mode", since=75, length=16, settable=Settable.CREATE),
    NodeField("clean_step", OBJECT, 7),
    NodeField("conductor_group", since=46, index=True, default="", settable=ALWAYS,
              policy="update:conductor_group", filter=Filter(microversions.CONDUCTOR_GROUP_FILTER)),
    NodeField("console_enabled", BOOLEAN, default=False, settable=Settable.CREATE),
    _interface("console"),
    NodeField("disable_power_off", BOOLEAN, 95, default=False, nullable=True, settable=ALWAYS,
              policy="update:disable_power_off"),
    _interface("deploy"),
    NodeField("deploy_step", OBJECT, 44),
    NodeField("description", since=51, length=None, settable=ALWAYS,
              limits={"maxLength": MAX_DESCRIPTION}),
    NodeField("driver", index=True, settable=ALWAYS, limits={"type": "string"},
              policy="update:driver_interfaces", filter=Filter(microversions.DRIVER_FILTER)),
    NodeField("driver_info", OBJECT, settable=ALWAYS, policy="update:driver_info",
              secrets=("snmp_auth_key", "snmp_priv_key"),
              redacted=f"** {_SHOWN_WITH.format('driver_info')} **"),
    NodeField("driver_internal_info", OBJECT, 3, secrets=(),
              redacted="** Redacted - Requires baremetal:node:get:driver_internal_info "
              "permission. **"),
    NodeField("extra", OBJECT, settable=ALWAYS, policy="update_extra"),
    NodeField("fault", since=42, filter=Filter(microversions.FAULT_FILTER)),
    _interface("firmware", 86),
    NodeField("health", since=109, length=32),
    NodeField("inspection_finished_at", TIME, 6),
    NodeField("inspection_started_at", TIME, 6),
    _interface("inspect"),
    NodeField("instance_info", OBJECT, settable=ALWAYS, policy="update_instance_info",
              secrets=("configdrive", "image_url")),
    NodeField("instance_name", since=104, settable=ALWAYS, policy="update_instance_info",
              limits={"minLength": 1, "maxLength": 255},
              filter=Filter(microversions.INSTANCE_NAME_FILTER,
                            refusal="instance_name is not acceptable in this API version")),
    NodeField("instance_uuid", UUID, settable=ALWAYS, policy="update:instance_uuid",
              filter=Filter(converter=arguments.uuid)),
    NodeField("last_error", MESSAGE,
              redacted="** Value Redacted - Requires baremetal:node:get:last_error permission. **"),
    NodeField("lessee", since=65, index=True, settable=ALWAYS, policy="update:lessee",
              filter=Filter(microversions.LESSEE_FILTER)),
    NodeField("maintenance", BOOLEAN, default=False, settable=ALWAYS,
              filter=Filter(converter=arguments.boolean)),
    NodeField("maintenance_reason", MESSAGE),
    _interface("management"),
    NodeField("name", since=5, settable=ALWAYS, policy="update:name"),
    NodeField("network_data", OBJECT, 66, settable=ALWAYS, policy="update:network_data"),
    _interface("network", 20),
    NodeField("owner", since=50, index=True, settable=ALWAYS, policy="update:owner",
              filter=Filter(microversions.OWNER_FILTER)),
    NodeField("parent_node", since=83, length=36, index=True, settable=ALWAYS,
              limits={"maxLength": 36}, policy="update:parent_node"),
    _interface("power"),
    NodeField("power_state", length=15),
    NodeField("properties", OBJECT, settable=ALWAYS, policy="update:properties"),
    NodeField("protected", BOOLEAN, 48, default=False, settable=Settable.PATCH),
    NodeField("protected_reason", since=48, length=None, settable=Settable.PATCH),
    NodeField("provision_state", length=15, index=True,
              filter=Filter(microversions.PROVISION_STATE_FILTER, refusal="")),
    NodeField("provision_updated_at", TIME),
    NodeField("raid_config", OBJECT, 12),
    _interface("raid"),
    _interface("rescue", 38),
    NodeField("reservation", index=True,
              redacted=f"** {_SHOWN_WITH.format('reservation')} **"),
    NodeField("resource_class", since=21, length=80, index=True, settable=ALWAYS,
              limits={"maxLength": 80}, filter=Filter(microversions.RESOURCE_CLASS_FILTER)),
    NodeField("retired", BOOLEAN, 61, default=False, nullable=True, settable=ALWAYS,
              policy="update:retired", filter=Filter(converter=arguments.boolean)),
    NodeField("retired_reason", since=61, length=None, settable=ALWAYS, policy="update:retired"),
    NodeField("secure_boot", UNCHECKED_BOOLEAN, 75, settable=Settable.CREATE),
    NodeField("service_step", OBJECT, 87),
    NodeField("shard", since=82, index=True, settable=ALWAYS, policy="update:shard"),
    _interface("storage", 33),
    NodeField("target_power_state", length=15),
    NodeField("target_provision_state", length=15),
    NodeField("target_raid_config", OBJECT, 12),
    _interface("vendor"),
)  # fmt: skip
#: Fields by name.
BY_NAME: Mapping[str, NodeField] = MappingProxyType({item.name: item for item in FIELDS})
#: Fields without a column of their own that are shown, too, and the minor version of each.
DERIVED: Mapping[str, int] = MappingProxyType(
    {"traits": 37, "conductor": 49, "allocation_uuid": 52, "chassis_uuid": 1}
)
#: The minor version that introduced each name that a request may ask or sort by.
SINCE: Mapping[str, int] = MappingProxyType(
    {**{item.name: item.since for item in FIELDS}, **DERIVED, "events": 54}
)
#: The names of the fields that hold objects.
OBJECTS = tuple(item.name for item in FIELDS if item.kind is OBJECT)
