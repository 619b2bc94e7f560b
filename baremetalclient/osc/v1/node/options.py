"""The options for fields of nodes, and for filters of their list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient.osc import argument_types
from baremetalclient.osc.options import (
    FlagOption,
    KeyValueOption,
    MultiValueOption,
    Option,
    remove,
    words,
)

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.parser import ArgumentParser


class InterfaceOption(Option):
    """A hardware interface, which can be set or reset to the default of the hardware type."""

    @property
    def reset_flag(self) -> str:
        """The option that resets the interface."""
        return self.flag.replace("--", "--reset-")

    def add(self, parser: ArgumentParser, *, required: bool = False) -> None:
        group = parser.add_mutually_exclusive_group()
        group.add_argument(self.flag, dest=self.dest, **self._keywords())
        group.add_argument(
            self.reset_flag,
            dest=f"reset_{self.dest}",
            action="store_true",
            help=f"Reset {self.field} to the default of the hardware type.",
        )

    def add_to_create(self, parser: ArgumentParser) -> None:
        super().add(parser)

    def set_operations(self, args: argparse.Namespace) -> list[dict[str, Any]]:
        if getattr(args, f"reset_{self.dest}"):
            return [remove(self.field)]
        return super().set_operations(args)


class RemovableFlag(FlagOption):
    """A boolean that is set to true, and removed to make it false."""

    def set_operations(self, args: argparse.Namespace) -> list[dict[str, Any]]:
        return super().set_operations(args) if self.value(args) else []


_DRIVER = Option("driver", required=True)
_COMMON = (
    Option("name"),
    Option("chassis_uuid", metavar="<chassis>"),
    KeyValueOption("driver_info"),
    KeyValueOption("properties", flag="--property", parse=argument_types.plain_key_value),
    KeyValueOption("extra"),
    Option("instance_uuid", metavar="<uuid>"),
    Option("instance_name"),
    *(InterfaceOption(f"{kind}_interface") for kind in words("InterfaceKind")()),
    Option(
        "network_data",
        parse=argument_types.json_or_yaml,
        help="Static network configuration in the format of Nova's network_data.json: JSON, the "
        "name of a file with JSON or YAML, or '-' for standard input.",
    ),
    Option("network_provider"),
    Option("resource_class"),
    Option("conductor_group", parse=str),
    FlagOption(
        "automated_clean",
        help="Clean the node automatically.",
        off="--no-automated-clean",
        off_help="Never clean the node automatically.",
    ),
    Option("owner"),
    Option("lessee"),
    Option("description", parse=str),
    Option("shard"),
    Option("parent_node"),
)
_LATER = (
    KeyValueOption("instance_info"),
    RemovableFlag("protected", help="Protect the node."),
    Option("protected_reason"),
    RemovableFlag("retired", help="Retire the node."),
    Option("retired_reason"),
)
_DISABLE_POWER_OFF = FlagOption("disable_power_off", help="Never power the node off.")
_POWER_OFF = FlagOption(
    "disable_power_off",
    help="Never power the node off.",
    off="--enable-power-off",
    off_help="Allow powering the node off.",
)
CREATE_OPTIONS = (_DRIVER, *_COMMON, Option("uuid"), _DISABLE_POWER_OFF)
SET_OPTIONS = (_DRIVER, *_COMMON, *_LATER, _POWER_OFF)
UNSET_OPTIONS = (*_COMMON, *_LATER, _DISABLE_POWER_OFF)
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
