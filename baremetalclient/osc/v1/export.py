"""The command that exports labs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from baremetalclient.osc.command import Command
from baremetalclient.osc.files import check_writable, write_output
from baremetalclient.osc.options import add_format
from baremetalclient.osc.targets import add_sources, choose

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.parser import ArgumentParser


class ExportBaremetal(Command):
    """Export a lab to a file that 'baremetal apply' takes.

    The file has the whole lab or, where nodes are named or selected, these and their chassis.
    """

    examples = (
        "baremetal export --output lab.yaml",
        "baremetal export --select resource-class=gold --no-uuids",
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_sources(parser, required=False)
        parser.add_argument(
            "--output", metavar="<file>", help="File to write instead of standard output."
        )
        formats = ("yaml", "json")
        add_format(parser, "formatter", "Format of the file, yaml by default.", formats, "yaml")
        parser.add_argument(
            "--no-uuids",
            dest="uuids",
            action="store_false",
            help="Leave out UUIDs, so that the same lab can be created a second time.",
        )

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        from baremetalclient.declare import export

        if parsed_args.output:
            check_writable(parsed_args.output)
        lab = export(
            self.client,
            [] if parsed_args.everything else parsed_args.selections,
            nodes=self._names(parsed_args),
            uuids=parsed_args.uuids,
            tell=self.print_error,
        )
        if parsed_args.selections and not lab:
            self.print_error("No nodes are selected.")
        if parsed_args.formatter == "json":
            text = json.dumps(lab, indent=2) + "\n"
        else:
            from baremetalclient.declare.yaml_format import dumped

            text = dumped(lab)
        write_output(parsed_args.output, text, self.app.stdout)

    def _names(self, parsed_args: argparse.Namespace) -> list[str] | None:
        """Return the nodes that are named one by one, None if none are."""
        named = (parsed_args.idents, parsed_args.nodes_file, parsed_args.retry_failed)
        if not any(named):
            return None
        return [target.ident for target in choose(self, parsed_args).targets]
