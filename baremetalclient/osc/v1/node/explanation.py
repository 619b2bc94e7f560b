"""The command that explains nodes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from baremetalclient.osc.nodes import NodeCommand

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.v1.objects import Explanation


class ExplainBaremetalNode(NodeCommand):
    """Explain the state of a node: what is in the way, and what to do about it."""

    examples = ("baremetal node explain node-1",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        group = parser.add_mutually_exclusive_group()
        group.add_argument(
            "-f",
            "--format",
            dest="formatter",
            choices=("text", "json"),
            default="text",
            help="Format of the output, text by default.",
        )
        group.add_argument(
            "--json",
            dest="formatter",
            action="store_const",
            const="json",
            help="The same as -f json.",
        )

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        """Fetch what there is to know, and print what follows from it."""
        found = self.client.node.explain(parsed_args.node)
        if parsed_args.formatter == "json":
            self.print_message(json.dumps(found, indent=2))
        else:
            self.print_message("\n".join(_lines(found)))


def _lines(found: Explanation) -> Iterator[str]:
    from baremetalclient.v1.provision_states import find_state

    state = found["provision_state"]
    meaning = find_state(state).meaning
    named = f"{state!r}: {meaning}" if meaning else repr(state)
    yield f"Node {found['name'] or found['uuid']} is in state {named}."
    for finding in found["findings"]:
        yield ""
        yield f"{finding['severity']}: {finding['rule']}"
        yield f"    {finding['text']}"
        if finding["quote"]:
            yield "    Ironic says: " + finding["quote"].replace("\n", "\n    ")
        if finding["command"]:
            yield f"    $ {finding['command']}"
    yield ""
    yield f"Possible now: {', '.join(found['verbs']) or 'no provision verb'}"
    yield f"Next: {found['next'] or 'nothing that can be run as it is'}"
