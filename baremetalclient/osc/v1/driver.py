"""Commands about drivers (hardware types)."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any

from baremetalclient.osc.command import Command, Lister, ShowOne, columns_of, table_of
from baremetalclient.osc.options import Option, words
from baremetalclient.osc.passthru import CALL, COLUMNS, list_methods, to_json
from baremetalclient.osc.resource import List, ResourceCommand, Show, add_columns

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import ItemData, TableData
    from baremetalclient.osc.parser import ArgumentParser


class _DriverCommand(ResourceCommand):
    manager_name = "driver"
    identifiers = "Name"


class _OneDriver(_DriverCommand):
    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_identifier(parser)
        super().add_arguments(parser)


class ListBaremetalDriver(_DriverCommand, List):
    """List the enabled drivers."""

    examples = ("baremetal driver list --type dynamic",)
    options = (
        Option(
            "driver_type",
            flag="--type",
            choices=words("DriverType"),
            help="List only drivers of this type, one of {choices}.",
        ),
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        Command.add_arguments(self, parser)
        add_columns(parser, self.shown_names)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        columns, parameters = self.columns(parsed_args)
        drivers = self.client.driver.list(**self.given(parsed_args), **parameters)
        items = [_comma_separated(driver.to_dict()) for driver in drivers]
        items.sort(key=lambda item: str(item.get("name", "")))
        return table_of(columns, items)


class ShowBaremetalDriver(_DriverCommand, Show):
    """Show a driver."""

    examples = ("baremetal driver show redfish",)

    def shown(self, item: dict[str, Any]) -> dict[str, Any]:
        return super().shown(_comma_separated(item))


class _DriverProperties(_OneDriver, Lister):
    @abc.abstractmethod
    def fetch(self, driver: str) -> dict[str, str]:
        """Return the descriptions of the properties by name."""

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        return ["property", "description"], sorted(self.fetch(parsed_args.ident).items())


class ListBaremetalDriverProperty(_DriverProperties):
    """List the properties that a driver accepts in driver_info."""

    examples = ("baremetal driver property list redfish",)

    def fetch(self, driver: str) -> dict[str, str]:
        return self.client.driver.properties(driver)


class ListBaremetalDriverRaidProperty(_DriverProperties):
    """List the properties that a driver accepts for logical disks of a RAID configuration."""

    examples = ("baremetal driver raid property list redfish",)

    def fetch(self, driver: str) -> dict[str, str]:
        return self.client.driver.raid_logical_disk_properties(driver)


class PassthruCallBaremetalDriver(_OneDriver, ShowOne):
    """Call a vendor method of a driver."""

    examples = (
        "baremetal driver passthru call redfish update --arg url=http://192.0.2.1/firmware",
    )

    options = CALL

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        given = {"http_method": "POST", **self.given(parsed_args)}
        shown = to_json(self.client.driver.vendor_passthru(parsed_args.ident, **given))
        return columns_of(shown if isinstance(shown, dict) else {"result": shown})


class PassthruListBaremetalDriver(_OneDriver, Lister):
    """List the vendor methods of a driver."""

    examples = ("baremetal driver passthru list fake-hardware",)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        methods = self.client.driver.get_vendor_passthru_methods(parsed_args.ident)
        return table_of(tuple(COLUMNS), list_methods(methods))


def _comma_separated(item: dict[str, Any]) -> dict[str, Any]:
    return {
        name: ", ".join(map(str, value)) if isinstance(value, list) else value
        for name, value in item.items()
    }
