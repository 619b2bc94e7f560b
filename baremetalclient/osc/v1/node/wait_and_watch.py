"""The commands that wait until conditions hold for nodes, and watch them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TextIO

from baremetalclient._http.escapes import printable
from baremetalclient.osc.command import Command
from baremetalclient.osc.options import add_format
from baremetalclient.osc.targets import add_sources, choose
from baremetalclient.osc.terminal.progress import add_timeout
from baremetalclient.osc.wait_command import ResourceWaitCommand

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Collection, Iterable

    from baremetalclient._bulk.fetcher import Fetcher
    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.v1.objects import NodeEvent

    Printer = Callable[[list[NodeEvent]], None]


class WaitBaremetalNode(ResourceWaitCommand):
    """Wait until conditions hold for nodes.

    A node in a failure state that no condition names is a failure, and so is one that is gone
    without the condition 'deleted'; the exit code is 1. It is 124 if the time is over.
    """

    examples = (
        "baremetal node wait --for 'provision_state=active and power_state=power on' "
        "--timeout 30m --select resource-class=gold",
    )
    manager_name = "node"
    identifiers = "Name or UUID"
    state_field = "provision_state"

    def fetcher(self, parsed_args: argparse.Namespace, fields: Collection[str]) -> Fetcher:
        from baremetalclient.v1.node.bulk import node_fetcher

        return node_fetcher(self.client.node, fields, self._filters)


class WatchBaremetalNode(Command):
    """Watch nodes: print each, and then each change of its states and errors.

    All nodes are watched unless some are named or selected. On a terminal there is one table, which
    is kept up to date; elsewhere, and with '-f json', there is a line for each change. Ctrl-C ends
    it.
    """

    examples = ("baremetal node watch --select conductor-group=rack1 --timeout 2h",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_sources(parser, required=False)
        add_timeout(parser, "End after this time")
        text = "Print each event as a JSON object in a line of its own."
        add_format(parser, "events_format", text)

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        from baremetalclient.v1.node.bulk import watch_polls

        nodes = None
        if parsed_args.idents or parsed_args.nodes_file or parsed_args.retry_failed:
            nodes = [target.ident for target in choose(self, parsed_args).targets]
            if not nodes:
                return 0
        polls = watch_polls(
            self.client.node, nodes, parsed_args.selections, parsed_args.duration, {}
        )
        show = self._printer(parsed_args)
        first = True
        for events in polls:
            self.retry_notices.finish()
            if first and not events:
                self.print_error("There are no such nodes yet; the watch goes on.")
            first = False
            show(events)
        return 0

    def _printer(self, parsed_args: argparse.Namespace) -> Printer:
        from baremetalclient.osc.terminal.live_view import is_possible

        stdout: TextIO = self.app.stdout
        if parsed_args.events_format:
            return lambda events: _print_lines(stdout, map(json.dumps, events))
        if is_possible(stdout):
            return _WatchTable(stdout).show
        return lambda events: _print_lines(stdout, map(_in_words, events))


class _WatchTable:
    """The table of the nodes, with the number of nodes in each state below it."""

    def __init__(self, stdout: TextIO) -> None:
        from baremetalclient.osc.terminal.live_view import LiveView

        self._view = LiveView(stdout, ("name", "provision_state", "power_state", "remarks"))
        self._nodes: dict[str, dict[str, Any]] = {}

    def show(self, events: list[NodeEvent]) -> None:
        """Draw the table again after some events."""
        for event in events:
            uuid = event["uuid"]
            if event["event"] == "removed":
                self._view.remove(uuid)
                continue
            node = self._nodes.setdefault(uuid, {})
            node |= {"name": event["name"] or uuid}
            node |= {name: change["new"] for name, change in event["fields"].items()}
            self._view.put(uuid, _row(node))
        if events:
            self._view.draw()


def _row(node: dict[str, Any]) -> tuple[str, ...]:
    from baremetalclient._bulk.kinds import NODE

    target, failed = node["target_provision_state"], NODE.failed(node)
    remarks = [
        f"target {target}" if target and not failed else "",
        node["last_error"] or "" if failed else "",
        "maintenance" if node["maintenance"] else "",
        node["fault"] or "",
        f"reserved by {node['reservation']}" if node["reservation"] else "",
        node["last_error"] or "" if not failed else "",
    ]
    return (
        node["name"],
        str(node["provision_state"]),
        node["power_state"] or "",
        ", ".join(filter(None, remarks)),
    )


def _print_lines(stdout: TextIO, lines: Iterable[str]) -> None:
    for line in lines:
        print(line, file=stdout, flush=True)


def _in_words(event: NodeEvent) -> str:
    """Return a line about an event, for people."""
    if event["event"] == "changed":
        fields = [
            f"{name} {_shown(change['old'])} -> {_shown(change['new'])}"
            for name, change in event["fields"].items()
        ]
    else:
        value = "old" if event["event"] == "removed" else "new"
        fields = [
            f"{name} {_shown(change[value])}"  # type: ignore[literal-required]
            for name, change in event["fields"].items()
            if change[value]  # type: ignore[literal-required]
        ]
    name = event["name"] or event["uuid"]
    return printable(f"{event['at']} {name} {event['event']}: {', '.join(fields)}")


def _shown(value: Any) -> str:
    return "none" if value is None else " ".join(str(value).split())
