"""The command that explains nodes."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from baremetalclient.osc.command import Command
from baremetalclient.osc.sources import add_sources, choose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.v1.objects import Explanation


_AT_A_TIME = 4


class ExplainBaremetalNode(Command):
    """Explain the state of nodes: what is in the way, and what to do about it.

    Several nodes are shown in a table, each with what is worst; '-f json' has all of it.
    """

    examples = (
        "baremetal node explain node-1",
        "baremetal node explain --select 'maintenance or state~=.*failed'",
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_sources(parser)
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

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        from baremetalclient._bulk.runner import DEFAULT_PARALLEL, run
        from baremetalclient._http.session import allow_connections

        chosen, nodes = choose(self, parsed_args), self.client.node
        # Each takes several requests at a time.
        allow_connections(nodes.http.session, _AT_A_TIME * DEFAULT_PARALLEL)
        calls = run(chosen.targets, lambda one: nodes.explain(one.ident), parallel=_AT_A_TIME)
        outcomes = {outcome.item: outcome for outcome in calls}
        ordered = [outcomes[target] for target in chosen.targets]
        errors = [outcome for outcome in ordered if outcome.error]
        found = [outcome.value for outcome in ordered if outcome.value]
        one = chosen.typed and len(ordered) == 1
        if one and ordered[0].error:
            raise ordered[0].error
        if parsed_args.formatter == "json":
            self.print_message(json.dumps(found[0] if one else found, indent=2))
        elif one:
            self.print_message("\n".join(_lines(found[0])))
        else:
            self._print_table(found)
        for outcome in errors:
            if outcome.error:
                label = outcome.item.label
                self.report_error(f"Failed to explain node {label}", outcome.error)
        return int(bool(errors))

    def _print_table(self, found: list[Explanation]) -> None:
        from baremetalclient.osc.formatters import Table

        rows = []
        for each in found:
            # The worst comes first.
            severity, text = "", ""
            if each["findings"]:
                severity, text = each["findings"][0]["severity"], each["findings"][0]["text"]
            rows.append((each["name"] or each["uuid"], severity, text, each["next"] or ""))
        self.retry_notices.finish()
        look = argparse.Namespace(max_width=0, fit_width=False, print_empty=False)
        columns = ("node", "severity", "problem", "next_command")
        Table().emit_list(columns, rows, self.app.stdout, look)


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
