"""The options for fields of nodes, and for filters of their list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.osc import argument_types
from baremetalclient.osc.options import (
    FlagOption,
    KeyValueOption,
    MultiValueOption,
    Operation,
    Option,
    remove,
)

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


class InterfaceOption(Option):
    """A hardware interface, which can be set or reset to the default of the hardware type."""

    @property
    def reset_flag(self) -> str:
        """The option that resets the interface."""
        return self.flag.replace("--", "--reset-")

    def add_to_set(self, parser: ArgumentParser) -> None:
        group = parser.add_mutually_exclusive_group()
        group.add_argument(
            self.flag, dest=self.dest, metavar=f"<{self.field}>", type=self.parse, help=self.help
        )
        group.add_argument(
            self.reset_flag,
            dest=f"reset_{self.dest}",
            action="store_true",
            help=f"Reset {self.field} to the default of the hardware type.",
        )

    def set_operations(self, args: argparse.Namespace) -> list[Operation]:
        if getattr(args, f"reset_{self.dest}"):
            return [remove(self.field)]
        return super().set_operations(args)


class RemovableFlag(FlagOption):
    """A boolean that is set to true, and removed to make it false."""

    def set_operations(self, args: argparse.Namespace) -> list[Operation]:
        return super().set_operations(args) if self.value(args) else []


NAME = Option("name")
UUID = Option("uuid")
DRIVER = Option("driver", required=True)
CHASSIS = Option("chassis_uuid", metavar="<chassis>")
DRIVER_INFO = KeyValueOption("driver_info")
PROPERTIES = KeyValueOption("properties", flag="--property")
EXTRA = KeyValueOption("extra")
INSTANCE_INFO = KeyValueOption("instance_info")
INSTANCE_UUID = Option("instance_uuid", metavar="<uuid>")
INSTANCE_NAME = Option("instance_name")
NETWORK_DATA = Option(
    "network_data",
    parse=argument_types.json_or_yaml,
    help="Static network configuration in the format of Nova's network_data.json: JSON, the name "
    "of a file with JSON or YAML, or '-' for standard input.",
)
NETWORK_PROVIDER = Option("network_provider")
RESOURCE_CLASS = Option("resource_class")
CONDUCTOR_GROUP = Option("conductor_group", parse=str)
AUTOMATED_CLEAN = FlagOption(
    "automated_clean",
    help="Clean the node automatically.",
    off="--no-automated-clean",
    off_help="Never clean the node automatically.",
)
PROTECTED = RemovableFlag("protected", help="Protect the node.")
PROTECTED_REASON = Option("protected_reason")
RETIRED = RemovableFlag("retired", help="Retire the node.")
RETIRED_REASON = Option("retired_reason")
OWNER = Option("owner")
LESSEE = Option("lessee")
DESCRIPTION = Option("description", parse=str)
SHARD = Option("shard")
PARENT_NODE = Option("parent_node")
DISABLE_POWER_OFF = FlagOption("disable_power_off", help="Never power the node off.")
POWER_OFF = FlagOption(
    "disable_power_off",
    help="Never power the node off.",
    off="--enable-power-off",
    off_help="Allow powering the node off.",
)
INTERFACE_OPTIONS = tuple(
    InterfaceOption(
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
CREATE_OPTIONS = (*_COMMON, UUID, INSTANCE_UUID, DISABLE_POWER_OFF)
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
    DISABLE_POWER_OFF,
)
FILTERS = (
    FlagOption(
        "maintenance",
        help="List only nodes in maintenance.",
        off="--no-maintenance",
        off_help="List only nodes that are not in maintenance.",
    ),
    FlagOption(
        "retired",
        help="List only retired nodes.",
        off="--no-retired",
        off_help="List only nodes that are not retired.",
    ),
    Option("fault"),
    FlagOption(
        "associated",
        help="List only nodes with an instance.",
        off="--unassociated",
        off_help="List only nodes without an instance.",
    ),
    Option(
        "provision_state",
        parse=argument_types.provision_state,
        metavar="<provision state>",
    ),
    Option("driver"),
    Option("resource_class", metavar="<resource class>"),
    Option("conductor_group", parse=str),
    Option("conductor"),
    Option("chassis", metavar="<chassis UUID>"),
    Option("owner"),
    Option("lessee"),
    Option("description_contains"),
    Option("instance_name"),
    FlagOption(
        "sharded",
        help="List only nodes with a shard.",
        off="--unsharded",
        off_help="List only nodes without a shard.",
    ),
    MultiValueOption("shards", metavar="<shard>"),
    MultiValueOption("traits", flag="--trait", metavar="<trait>"),
    MultiValueOption("not_traits", flag="--not-trait", metavar="<trait>"),
    MultiValueOption("traits_any", flag="--trait-any", metavar="<trait>"),
    MultiValueOption("not_traits_any", flag="--not-trait-any", metavar="<trait>"),
)
