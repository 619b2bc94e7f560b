"""Which nodes a command acts on: names, a file or a pipe of names, a selection, or all."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from baremetalclient import _documents, exc

if TYPE_CHECKING:
    from collections.abc import Iterable

    from baremetalclient.osc.command import Command
    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.v1.node.acting import Target

STANDARD_INPUT = "-"

_CONSTANT = {
    *("resource_class", "conductor_group", "driver", "owner", "lessee", "shards", "chassis"),
    *("include_children",),
}
"""The filters that no verb changes, so that polls can have them."""


@dataclass(frozen=True)
class Chosen:
    """The nodes that a command acts on.

    :param targets: the nodes, in the order in which they are started.
    :param typed: whether their names were typed out.
    :param filters: arguments of ``client.node.list`` that they match whatever is done with them.
    """

    targets: list[Target]
    typed: bool = False
    filters: dict[str, Any] = field(default_factory=dict)


def add_sources(
    parser: ArgumentParser, *, several: bool = True, all_nodes: bool = True, required: bool = True
) -> None:
    """Add the argument for nodes, and the options that replace it.

    :param parser: the parser of the command's arguments.
    :param several: whether several names can be typed out.
    :param all_nodes: whether there is ``--all``.
    :param required: whether nodes have to be named at all.
    """
    positional = parser.add_argument(
        "nodes",
        metavar="<node>",
        nargs=("+" if required else "*") if several else None,
        help="Name or UUID of each node; '-' reads names from standard input."
        if several
        else "Name or UUID of the node; '-' reads names from standard input.",
    )
    replacements = ("--select", "--nodes-file", "--retry-failed")
    parser.let_options_replace(positional, (*replacements, "--all") if all_nodes else replacements)
    group = parser.add_argument_group(
        "nodes", "One of these options chooses the nodes instead of <node>."
    )
    options = group.add_mutually_exclusive_group()
    options.add_argument(
        "--select",
        dest="selections",
        metavar="<expression>",
        action="append",
        type=_selection,
        help="Select nodes, for example 'state=available,trait=CUSTOM_GOLD,name~=rack1-.*': terms "
        "separated by commas, with =, != or, for regular expressions, ~= and !~=; maintenance, "
        "retired, protected and associated stand alone or after '!'. Repeat it to select nodes "
        "that match one of several.",
    )
    if all_nodes:
        options.add_argument("--all", dest="all_nodes", action="store_true", help="All nodes.")
    options.add_argument(
        "--nodes-file",
        metavar="<file>",
        help="File with names or UUIDs separated by white space; '#' begins a comment.",
    )
    options.add_argument(
        "--retry-failed",
        metavar="<file>",
        help="Nodes that are not 'done' in a report that the same command wrote with --report.",
    )


def choose(command: Command, parsed_args: argparse.Namespace) -> Chosen:
    """Return the nodes that the arguments select; report on stderr if there are none.

    :param command: the command, which may have to ask the server.
    :param parsed_args: its arguments.
    :raises UsageError: if names cannot be read.
    """
    chosen = _chosen(command, parsed_args)
    if not chosen.typed:
        chosen.targets.sort(key=lambda target: target.label)
    if not chosen.targets:
        command.print_error("No nodes are selected; there is nothing to do.")
    return chosen


def verb_of(command: Command) -> str:
    """Return the name of a command without ``baremetal``, such as ``node manage``."""
    return (command.cmd_name or "").removeprefix("baremetal ")


def words(text: str) -> list[str]:
    """Return the names in a text: separated by white space, without comments.

    :param text: the text; ``#`` begins a comment, which ends with the line.
    """
    return [word for line in text.splitlines() for word in line.partition("#")[0].split()]


def _chosen(command: Command, parsed_args: argparse.Namespace) -> Chosen:
    if parsed_args.selections:
        return _selected(command, parsed_args.selections)
    if getattr(parsed_args, "all_nodes", False):
        return _selected(command, [])
    if parsed_args.nodes_file is not None:
        return Chosen(_named(words(_read(parsed_args.nodes_file))))
    if parsed_args.retry_failed is not None:
        return Chosen(_to_retry(parsed_args.retry_failed, verb_of(command)))
    names = [parsed_args.nodes] if isinstance(parsed_args.nodes, str) else parsed_args.nodes
    if STANDARD_INPUT in names:
        if len(set(names)) > 1:
            raise exc.UsageError("'-' reads all names from standard input; name no others.")
        return Chosen(_named(words(sys.stdin.read())))
    return Chosen(_named(names), typed=True)


def _selected(command: Command, expressions: list[str]) -> Chosen:
    from baremetalclient.v1.node.acting import Target
    from baremetalclient.v1.node.selection import Selection

    selection = Selection.parse(expressions)
    if command.app.options.verbose_level > 1 and selection.filtered_here:
        terms = ", ".join(selection.filtered_here)
        command.report(f"The server cannot select by {terms}; the client does.")
    found = command.client.node.select(*expressions)
    filters = {name: value for name, value in selection.filters.items() if name in _CONSTANT}
    return Chosen([Target.of(node) for node in found], filters=filters)


def _named(names: Iterable[str]) -> list[Target]:
    from baremetalclient.v1.node.acting import targets_of

    return targets_of(names)


def _read(name: str) -> str:
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise exc.UsageError(f"cannot read {name!r}: {reason}") from None


def _to_retry(name: str, verb: str) -> list[Target]:
    """Return the nodes of a report that are not done."""
    from baremetalclient.v1.node.acting import Target

    try:
        report = _documents.from_json(_read(name))
        written_by, nodes = report["verb"], report["nodes"]
        left = [
            Target(node["uuid"] or node["name"], node["name"], node["uuid"])
            for node in nodes
            if node["result"] != "done"
        ]
        if not all(isinstance(target.ident, str) for target in left):
            raise TypeError("a UUID or name that is no text")
    except (ValueError, KeyError, TypeError):
        raise exc.UsageError(f"{name!r} is not a report written by --report.") from None
    if written_by != verb:
        raise exc.UsageError(f"{name!r} is a report of {written_by!r}; this command is {verb!r}.")
    return left


def _selection(text: str) -> str:
    """Return an expression that was checked."""
    from baremetalclient.v1.node.selection import Selection

    try:
        Selection.parse([text])
    except exc.ValidationError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text
