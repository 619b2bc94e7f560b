"""The command that explains nodes."""

from __future__ import annotations

import json
import shutil
import textwrap
from datetime import timedelta
from typing import TYPE_CHECKING

from baremetalclient._http.escapes import printable
from baremetalclient.osc.command import Command
from baremetalclient.osc.options import add_format
from baremetalclient.osc.targets import add_sources, choose

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.v1.objects import Explanation

_AT_A_TIME = 4
_INDENT = "    "
_COLOURS = {"error": "\x1b[31m", "warning": "\x1b[33m"}
_RESET = "\x1b[0m"


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
        formats = ("text", "json")
        add_format(group, "formatter", "Format of the output, text by default.", formats, "text")
        group.add_argument(
            "--json",
            dest="formatter",
            action="store_const",
            const="json",
            help="The same as -f json.",
        )
        parser.add_argument(
            "--all-findings",
            action="store_true",
            help="Show also what most users can do without, such as that there is no console.",
        )

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        from baremetalclient._bulk.runner import DEFAULT_PARALLEL, run
        from baremetalclient._http.session import allow_connections
        from baremetalclient.osc.terminal.tables import takes_colours

        chosen, nodes = choose(self, parsed_args), self.client.node
        # Each takes several requests at a time.
        allow_connections(nodes.http.session, _AT_A_TIME * DEFAULT_PARALLEL)
        calls = run(
            chosen.targets,
            lambda one: nodes.explain(one.ident, all_findings=parsed_args.all_findings),
            parallel=_AT_A_TIME,
            reads=True,
        )
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
            self.retry_notices.finish()
            stream = self.app.stdout
            width = shutil.get_terminal_size().columns if stream.isatty() else 0
            print(_text(found[0], width, colours=takes_colours(stream)), file=stream, flush=True)
        else:
            self._print_table(found)
        for outcome in errors:
            if outcome.error:
                label = outcome.item.label
                self.report_error(f"Failed to explain node {label}", outcome.error)
        return int(bool(errors))

    def _print_table(self, found: list[Explanation]) -> None:
        from baremetalclient.osc.terminal.formatters import print_table
        from baremetalclient.v1.explain.finding import SEVERITIES

        ranks: list[str] = [*SEVERITIES, ""]
        rows = []
        for each in found:
            severity, text = "", ""
            if each["findings"]:
                worst = each["findings"][0]
                severity = worst["severity"]
                text = worst["cause"] or worst["quote"] or worst["text"]
            rows.append((each["name"] or each["uuid"], severity, text, each["advice"]))
        rows.sort(key=lambda row: ranks.index(row[1]))
        self.retry_notices.finish()
        print_table(("node", "severity", "problem", "next_command"), rows, self.app.stdout)


def _text(found: Explanation, width: int, *, colours: bool) -> str:
    """Return the text about a node.

    :param width: the width of the terminal, 0 for lines of any length.
    """

    def put(text: str, indent: str = "", later: str = "") -> None:
        shown = printable(text)
        if not width:
            lines.append(indent + shown)
            return
        lines.extend(
            textwrap.wrap(
                shown,
                width,
                initial_indent=indent,
                subsequent_indent=indent + later,
                break_long_words=False,
                break_on_hyphens=False,
            )
        )

    lines: list[str] = []
    quoted = {""}
    put(_headline(found))
    for finding in found["findings"]:
        severity, quote = finding["severity"], finding["quote"] or ""
        cause = f"Usual cause: {finding['cause']}" if finding["cause"] else ""
        code = _COLOURS.get(severity) if colours else None
        named = f"{code}{severity}{_RESET}" if code else severity
        lines.extend(["", f"{named}: {finding['rule']}"])
        put(finding["text"], _INDENT)
        if quote not in quoted:
            for line in f"Ironic says: {quote}".split("\n"):
                put(line, _INDENT)
        if cause not in quoted:
            put(cause, _INDENT)
        quoted |= {quote, cause}
        for check in finding["checks"]:
            put(f"- {check}", _INDENT, "  ")
        if finding["command"]:
            lines.append(f"{_INDENT}$ {printable(finding['command'])}")
        lines.append(f"{_INDENT}More: {finding['link']}")
    verbs = ", ".join(found["verbs"]) or "no provision verb"
    lines.extend(["", f"Possible now: {verbs}", f"Next: {printable(found['advice'])}"])
    return "\n".join(lines)


def _headline(found: Explanation) -> str:
    from baremetalclient.v1.explain.facts import in_words
    from baremetalclient.v1.provision_states import find_state

    state, beat = found["provision_state"], found["last_heartbeat"]
    meaning = find_state(state).meaning
    age = in_words(timedelta(seconds=found["seconds"] or 0))
    since = ""
    if found["since"]:
        moment = f"{found['since'][:19].replace('T', ' ')} UTC"
        since = f" since {moment}, for {age}" if found["seconds"] else f" since {moment}"
        if beat:
            since = f", and its ramdisk sent the last heartbeat at {moment}, {age} ago"
    told = f": {meaning}" if meaning else ""
    return f"Node {found['name'] or found['uuid']} is in state {state!r}{since}{told}."
