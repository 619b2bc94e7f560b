"""The command that draws labs."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient.osc.command import Command
from baremetalclient.osc.files import check_writable, write_output
from baremetalclient.osc.options import add_format
from baremetalclient.osc.targets import add_selection
from baremetalclient.osc.v1.declare import FILE_HELP, add_allow_secrets

if TYPE_CHECKING:
    import argparse

    from baremetalclient.declare.lab import Lab
    from baremetalclient.osc.parser import ArgumentParser

LOG = logging.getLogger(__name__)


class GraphBaremetalLab(Command):
    """Print the graph of a lab: nodes with their ports, port groups, networks and volumes.

    The lab is that of files that 'baremetal apply' takes, or the one that the server has.
    """

    examples = (
        "baremetal lab graph lab.yaml --output lab.dot",
        "baremetal lab graph --select conductor-group=rack1 --format mermaid",
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "files",
            metavar="<file>",
            nargs="*",
            help=FILE_HELP,
        )
        add_selection(parser, "node")
        add_format(
            parser,
            "formatter",
            "Language of the graph: that of Graphviz (default), or Mermaid.",
            ("dot", "mermaid"),
            "dot",
        )
        parser.add_argument(
            "--output", metavar="<file>", help="File to write instead of standard output."
        )
        add_allow_secrets(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        from baremetalclient.declare.graph import FORMATS, graph_of

        if parsed_args.output:
            check_writable(parsed_args.output)
        text = FORMATS[parsed_args.formatter](graph_of(self._lab(parsed_args)))
        write_output(parsed_args.output, text, self.app.stdout)

    def _lab(self, parsed_args: argparse.Namespace) -> Lab:
        """Return the lab that the arguments name.

        :raises UsageError: if they name none, or several.
        """
        from baremetalclient.declare import export
        from baremetalclient.declare.lab import read_lab

        sources = (parsed_args.files, parsed_args.selections, parsed_args.everything)
        if sum(map(bool, sources)) != 1:
            raise exc.UsageError("Give files, --select or --all.")
        if parsed_args.files:
            return read_lab(parsed_args.files, parsed_args.allow_secrets)
        # What a file can't have isn't in the graph, either.
        return read_lab(export(self.client, parsed_args.selections, tell=LOG.debug))
