"""Commands about the BIOS settings and the firmware of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient.osc.command import Lister, ShowOne, columns_of
from baremetalclient.osc.resource import chosen_fields
from baremetalclient.osc.v1.node.crud import add_node

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from baremetalclient.osc.parser import ArgumentParser

BIOS_COLUMNS = ("name", "value")
BIOS_LONG_COLUMNS = (
    "name",
    "value",
    "attribute_type",
    "allowable_values",
    "lower_bound",
    "min_length",
    "max_length",
    "read_only",
    "reset_required",
    "unique",
    "upper_bound",
)
FIRMWARE_COLUMNS = (
    "component",
    "initial_version",
    "current_version",
    "last_version_flashed",
    "created_at",
    "updated_at",
)


class ListBIOSSettingBaremetalNode(Lister):
    """List the BIOS settings of a node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node and the columns."""
        add_node(parser)
        group = parser.add_mutually_exclusive_group()
        group.add_argument("--long", action="store_true", help="Show details of the settings.")
        group.add_argument(
            "--fields",
            nargs="+",
            action="extend",
            metavar="<field>",
            choices=BIOS_LONG_COLUMNS,
            help="One or more fields; only these are fetched from the server.",
        )

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Sequence[Any]]]:
        """Fetch the settings."""
        fields = chosen_fields(parsed_args)
        columns = fields or (BIOS_LONG_COLUMNS if parsed_args.long else BIOS_COLUMNS)
        settings = self.client.node.list_bios_settings(
            parsed_args.node, detail=parsed_args.long, fields=fields
        )
        return columns, [[setting.get(name, "") for name in columns] for setting in settings]


class BIOSSettingShowBaremetalNode(ShowOne):
    """Show a BIOS setting of a node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node and the setting."""
        add_node(parser)
        parser.add_argument("setting_name", metavar="<setting name>", help="Name of the setting.")

    def take_action(self, parsed_args: argparse.Namespace) -> tuple[Sequence[str], Sequence[Any]]:
        """Fetch the setting."""
        setting = self.client.node.get_bios_setting(parsed_args.node, parsed_args.setting_name)
        return columns_of({name: value for name, value in setting.items() if name != "links"})


class ListFirmwareComponentBaremetalNode(Lister):
    """List the firmware components of a node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node."""
        add_node(parser)

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Sequence[Any]]]:
        """Fetch the components."""
        components = self.client.node.list_firmware_components(parsed_args.node)
        return FIRMWARE_COLUMNS, [
            [component.get(name, "") for name in FIRMWARE_COLUMNS] for component in components
        ]
