"""The options of commands that stand for fields of nodes, and for filters of their list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from baremetalclient.osc import argument_types
from baremetalclient.osc.options import Operation, Option, Pairs, Switch, Words, remove

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.parser import ArgumentParser

INTERFACES = {
    "bios": "BIOS",
    "boot": "boot",
    "console": "console",
    "deploy": "deploy",
    "firmware": "firmware",
    "inspect": "inspect",
    "management": "management",
    "network": "network",
    "power": "power",
    "raid": "RAID",
    "rescue": "rescue",
    "storage": "storage",
    "vendor": "vendor",
}


@dataclass(frozen=True, kw_only=True)
class Interface(Option):
    """A hardware interface, which can be set, or reset to the default of the hardware type."""

    @property
    def reset_flag(self) -> str:
        """The option that resets the interface."""
        return self.flag.replace("--", "--reset-")

    def add_to_set(self, parser: ArgumentParser) -> None:
        """Add the option and the one that resets the interface."""
        group = parser.add_mutually_exclusive_group()
        group.add_argument(
            self.flag, dest=self.dest, metavar=f"<{self.field}>", type=self.parse, help=self.help
        )
        group.add_argument(
            self.reset_flag,
            dest=f"reset_{self.dest}",
            action="store_true",
            help=f"Reset the {self.field.replace('_', ' ')} to the default of the hardware type.",
        )

    def set_operations(self, args: argparse.Namespace) -> list[Operation]:
        """Return what sets or resets the interface."""
        if getattr(args, f"reset_{self.dest}"):
            return [remove(self.field)]
        return super().set_operations(args)


@dataclass(frozen=True, kw_only=True)
class Flag(Switch):
    """A truth value that is set to true, and removed to make it false."""

    def set_operations(self, args: argparse.Namespace) -> list[Operation]:
        """Return what sets the field, if that was asked for."""
        return super().set_operations(args) if self.value(args) else []


NAME = Option(field="name", flag="--name", help="Name of the node.")
UUID = Option(field="uuid", flag="--uuid", help="UUID of the new node.")
DRIVER = Option(field="driver", flag="--driver", help="Hardware type of the node.", required=True)
CHASSIS = Option(
    field="chassis_uuid",
    flag="--chassis-uuid",
    metavar="<chassis>",
    help="UUID of the chassis that the node belongs to.",
)
DRIVER_INFO = Pairs(
    field="driver_info",
    flag="--driver-info",
    help="What the driver needs to know, such as credentials of the management controller.",
)
PROPERTIES = Pairs(
    field="properties", flag="--property", help="Physical characteristic of the node."
)
EXTRA = Pairs(field="extra", flag="--extra", help="Arbitrary metadata.")
INSTANCE_INFO = Pairs(
    field="instance_info", flag="--instance-info", help="What is known about the instance."
)
INSTANCE_UUID = Option(
    field="instance_uuid", flag="--instance-uuid", metavar="<uuid>", help="UUID of the instance."
)
INSTANCE_NAME = Option(
    field="instance_name", flag="--instance-name", help="Name of the instance on the node."
)
NETWORK_DATA = Option(
    field="network_data",
    flag="--network-data",
    parse=argument_types.document,
    help="Static network configuration in the format of Nova's network_data.json: JSON, the name "
    "of a file of JSON or YAML, or '-' for standard input.",
)
NETWORK_PROVIDER = Option(
    field="network_provider",
    flag="--network-provider",
    help="Network provider of the node, where the service has them instead of interfaces.",
)
RESOURCE_CLASS = Option(
    field="resource_class", flag="--resource-class", help="Resource class of the node."
)
CONDUCTOR_GROUP = Option(
    field="conductor_group",
    flag="--conductor-group",
    parse=str,
    help="Conductor group of the node.",
)
AUTOMATED_CLEAN = Switch(
    field="automated_clean",
    flag="--automated-clean",
    help="Clean the node automatically.",
    off="--no-automated-clean",
    off_help="Never clean the node automatically.",
)
PROTECTED = Flag(field="protected", flag="--protected", help="Protect the node.")
PROTECTED_REASON = Option(
    field="protected_reason", flag="--protected-reason", help="Why the node is protected."
)
RETIRED = Flag(field="retired", flag="--retired", help="Retire the node.")
RETIRED_REASON = Option(
    field="retired_reason", flag="--retired-reason", help="Why the node is retired."
)
OWNER = Option(field="owner", flag="--owner", help="Owner of the node.")
LESSEE = Option(field="lessee", flag="--lessee", help="Lessee of the node.")
DESCRIPTION = Option(
    field="description", flag="--description", parse=str, help="Description of the node."
)
SHARD = Option(field="shard", flag="--shard", help="Shard of the node.")
PARENT_NODE = Option(field="parent_node", flag="--parent-node", help="Parent of the node.")
DISABLE_POWER_OFF = Switch(
    field="disable_power_off", flag="--disable-power-off", help="Never power the node off."
)
POWER_OFF = Switch(
    field="disable_power_off",
    flag="--disable-power-off",
    help="Never power the node off.",
    off="--enable-power-off",
    off_help="Allow to power the node off.",
)
INTERFACE_OPTIONS = tuple(
    Interface(
        field=f"{kind}_interface",
        flag=f"--{kind}-interface",
        help=f"{label[0].upper()}{label[1:]} interface of the node.",
    )
    for kind, label in INTERFACES.items()
)

_COMMON = (
    NAME,
    CHASSIS,
    DRIVER,
    DRIVER_INFO,
    PROPERTIES,
    EXTRA,
    INSTANCE_NAME,
    *INTERFACE_OPTIONS,
    NETWORK_DATA,
    NETWORK_PROVIDER,
    RESOURCE_CLASS,
    CONDUCTOR_GROUP,
    AUTOMATED_CLEAN,
    OWNER,
    LESSEE,
    DESCRIPTION,
    SHARD,
    PARENT_NODE,
)
CREATE_OPTIONS = (*_COMMON, UUID, DISABLE_POWER_OFF)
SET_OPTIONS = (
    *_COMMON,
    INSTANCE_UUID,
    INSTANCE_INFO,
    PROTECTED,
    PROTECTED_REASON,
    RETIRED,
    RETIRED_REASON,
    POWER_OFF,
)
UNSET_OPTIONS = (
    *(option for option in _COMMON if option is not DRIVER),
    INSTANCE_UUID,
    INSTANCE_INFO,
    PROTECTED,
    PROTECTED_REASON,
    RETIRED,
    RETIRED_REASON,
)
FILTERS = (
    Switch(
        field="maintenance",
        flag="--maintenance",
        help="List only nodes in maintenance.",
        off="--no-maintenance",
        off_help="List only nodes not in maintenance.",
    ),
    Switch(
        field="retired",
        flag="--retired",
        help="List only retired nodes.",
        off="--no-retired",
        off_help="List only nodes not retired.",
    ),
    Option(field="fault", flag="--fault", help="List only nodes with this fault."),
    Switch(
        field="associated",
        flag="--associated",
        help="List only nodes with an instance.",
        off="--unassociated",
        off_help="List only nodes without an instance.",
    ),
    Option(
        field="provision_state",
        flag="--provision-state",
        metavar="<provision state>",
        help="List only nodes in this provision state.",
    ),
    Option(field="driver", flag="--driver", help="List only nodes with this driver."),
    Option(
        field="resource_class",
        flag="--resource-class",
        metavar="<resource class>",
        help="List only nodes of this resource class.",
    ),
    Option(
        field="conductor_group",
        flag="--conductor-group",
        parse=str,
        help="List only nodes of this conductor group.",
    ),
    Option(
        field="conductor",
        flag="--conductor",
        help="List only nodes that this conductor manages.",
    ),
    Option(
        field="chassis",
        flag="--chassis",
        metavar="<chassis UUID>",
        help="List only nodes of this chassis.",
    ),
    Option(field="owner", flag="--owner", help="List only nodes of this owner."),
    Option(field="lessee", flag="--lessee", help="List only nodes of this lessee."),
    Option(
        field="description_contains",
        flag="--description-contains",
        help="List only nodes whose description contains this.",
    ),
    Option(
        field="instance_name",
        flag="--instance-name",
        help="List only the node with the instance of this name.",
    ),
    Switch(
        field="sharded",
        flag="--sharded",
        help="List only nodes with a shard.",
        off="--unsharded",
        off_help="List only nodes without a shard.",
    ),
    Words(
        field="shards",
        flag="--shards",
        metavar="<shard>",
        help="List only nodes in one of these shards.",
    ),
    Words(
        field="traits",
        flag="--trait",
        metavar="<trait>",
        help="List only nodes that have this trait, all of them if several are given.",
    ),
    Words(
        field="not_traits",
        flag="--not-trait",
        metavar="<trait>",
        help="Leave out nodes that have this trait, all of them if several are given.",
    ),
    Words(
        field="traits_any",
        flag="--trait-any",
        metavar="<trait>",
        help="List only nodes that have at least one of these traits.",
    ),
    Words(
        field="not_traits_any",
        flag="--not-trait-any",
        metavar="<trait>",
        help="Leave out nodes that have at least one of these traits.",
    ),
)
