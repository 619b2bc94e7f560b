"""Commands about what Ironic knows of a node: BIOS settings, firmware, inventory and history."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from baremetalclient._http.redact import masked
from baremetalclient.osc.command import Lister, ShowOne, columns_of, table_of
from baremetalclient.osc.files import write_whole
from baremetalclient.osc.node_command import NodeCommand
from baremetalclient.osc.options import SHOW_SECRETS, Argument, FlagOption, Option
from baremetalclient.osc.resource import add_columns, chosen_fields

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import ItemData, TableData
    from baremetalclient.osc.parser import ArgumentParser

BIOS_COLUMNS = ("name", "value")
BIOS_LONG_COLUMNS = (
    *BIOS_COLUMNS,
    *("attribute_type", "allowable_values", "lower_bound", "min_length", "max_length"),
    *("read_only", "reset_required", "unique", "upper_bound"),
)
FIRMWARE_COLUMNS = (
    *("component", "initial_version", "current_version", "last_version_flashed"),
    *("created_at", "updated_at"),
)
HISTORY_COLUMNS = ("uuid", "created_at", "severity", "event")
HISTORY_LONG_COLUMNS = (
    *("uuid", "created_at", "severity", "event_type", "event", "conductor", "user", "project"),
    *("state", "target_provision_state", "duration_seconds"),
)


class ListBIOSSettingBaremetalNode(NodeCommand, Lister):
    """List the BIOS settings of a node."""

    examples = ("baremetal node bios setting list node-1 --long",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_columns(parser, BIOS_LONG_COLUMNS)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        fields = chosen_fields(parsed_args)
        columns = fields or (BIOS_LONG_COLUMNS if parsed_args.long else BIOS_COLUMNS)
        settings = self.client.node.list_bios_settings(
            parsed_args.node, detail=parsed_args.long, fields=fields
        )
        return table_of(columns, settings)


class BIOSSettingShowBaremetalNode(NodeCommand, ShowOne):
    """Show a BIOS setting of a node."""

    examples = ("baremetal node bios setting show node-1 ProcTurboMode",)
    options = (Argument("setting_name", metavar="<setting name>", help="Name of the setting."),)

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        setting = self.client.node.get_bios_setting(parsed_args.node, parsed_args.setting_name)
        return columns_of({name: value for name, value in setting.items() if name != "links"})


class ListFirmwareComponentBaremetalNode(NodeCommand, Lister):
    """List the firmware components of a node."""

    examples = ("baremetal node firmware list node-1",)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        return table_of(
            FIRMWARE_COLUMNS, self.client.node.list_firmware_components(parsed_args.node)
        )


class NodeInventorySave(NodeCommand):
    """Print the hardware inventory of a node as JSON, or save it to a file."""

    examples = ("baremetal node inventory save node-1 --file inventory.json",)

    options = (
        Option(
            "file",
            metavar="<filename>",
            parse=str,
            help="File to save to; standard output by default.",
        ),
        SHOW_SECRETS,
    )

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        inventory = self.client.node.get_inventory(parsed_args.node)
        if not parsed_args.file:
            shown = inventory if parsed_args.show_secrets else masked(inventory)
            self.app.stdout.write(json.dumps(shown))
            return
        write_whole(parsed_args.file, json.dumps(inventory))


class NodeHistoryList(NodeCommand, Lister):
    """List the history of a node."""

    examples = ("baremetal node history list node-1 --long",)
    options = (FlagOption("long", help="Show details of the events."),)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        columns = HISTORY_LONG_COLUMNS if parsed_args.long else HISTORY_COLUMNS
        events = self.client.node.get_history_list(parsed_args.node, bool(parsed_args.long))
        return table_of(columns, events)


class NodeHistoryEventGet(NodeCommand, ShowOne):
    """Show an event in the history of a node."""

    examples = ("baremetal node history get node-1 8d3f6b8a-6f0d-4a57-9f43-0f9c1e2b7d64",)
    options = (Argument("event", help="UUID of the event."),)

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        event = self.client.node.get_history_event(parsed_args.node, parsed_args.event)
        return columns_of({name: value for name, value in event.items() if name != "links"})
