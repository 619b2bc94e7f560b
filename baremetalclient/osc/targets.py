"""Which resources a command acts on: names, a file or a pipe of names, a selection, or all."""

from __future__ import annotations

import argparse
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from baremetalclient import _documents, exc

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from baremetalclient._bulk.listener import Target
    from baremetalclient._bulk.selection import Selection
    from baremetalclient._resource.resource import Item
    from baremetalclient.osc.command import Command
    from baremetalclient.osc.parser import ArgumentParser

_STANDARD_INPUT = "-"

_CONSTANT = {
    *("resource_class", "conductor_group", "driver", "owner", "lessee", "shards", "chassis"),
}
"""The filters of nodes that no verb changes, so that polls can have them."""


class Chosen(NamedTuple):
    """The resources that a command acts on.

    :param targets: the resources, in the order in which they are started.
    :param typed: whether their names were typed out.
    :param filters: arguments of ``list()`` that they match whatever is done with them.
    :param items: their fields by what requests call them, None if they were not fetched.
    """

    targets: list[Target]
    typed: bool = False
    filters: Mapping[str, Any] = MappingProxyType({})
    items: Mapping[str, Item | None] | None = None


def add_selection(parser: Any, manager_name: str, *, everything: bool = True) -> None:
    """Add ``--select`` and ``--all``.

    :param manager_name: the name of the manager of what is selected, such as ``volume_target``.
    :param everything: whether there is ``--all``.
    """
    from baremetalclient.osc.command_table import words_of

    noun = words_of(manager_name)
    examples = {"node": "state=available,trait=CUSTOM_GOLD,name~=rack1-.*"}
    example = examples.get(manager_name, "created_at<-7d")

    def checked(text: str) -> str:
        from baremetalclient.v1.expressions import selection
        from baremetalclient.v1.resources import resource_type

        try:
            selection(resource_type(manager_name), [text])
        except exc.ValidationError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        return text

    parser.add_argument(
        "--select",
        dest="selections",
        metavar="<expression>",
        action="append",
        type=checked,
        help=f"Select {noun}s, for example '{example}': comparisons joined by ',' or 'and', and by "
        "'or', with =, !=, <, >, 'contains' or, for regular expressions, ~= and !~=; a field alone "
        "is set and not false; '!' or 'not' negates. Repeat it to select by one of several.",
    )
    if everything:
        parser.add_argument("--all", dest="everything", action="store_true", help=f"All {noun}s.")


def add_sources(
    parser: ArgumentParser,
    manager_name: str = "node",
    *,
    identifiers: str = "Name or UUID",
    several: bool = True,
    everything: bool = True,
    required: bool = True,
) -> None:
    """Add the argument for resources, and the options that replace it.

    :param identifiers: what they can be called.
    :param several: whether several names can be typed out.
    :param everything: whether there is ``--all``.
    :param required: whether any have to be named at all.
    """
    from baremetalclient.osc.command_table import words_of

    which, noun = "each" if several else "the", words_of(manager_name)
    positional = parser.add_argument(
        "idents",
        metavar=f"<{noun.replace(' ', '-')}>",
        nargs=("+" if required else "*") if several else None,
        help=f"{identifiers} of {which} {noun}; '-' reads names from standard input.",
    )
    files = ("--nodes-file", "--retry-failed") if noun == "node" else ()
    all_ = ("--all",) if everything else ()
    parser.let_options_replace(positional, ("--select", *files, *all_))
    group = parser.add_argument_group(
        f"{noun}s", f"One of these options chooses the {noun}s instead of {positional.metavar}."
    )
    options = group.add_mutually_exclusive_group()
    add_selection(options, manager_name, everything=everything)
    if files:
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


def choose(
    command: Command,
    parsed_args: argparse.Namespace,
    manager_name: str = "node",
    fields: Sequence[str] = (),
) -> Chosen:
    """Return the resources that the arguments select; report on stderr if there are none.

    :param command: the command, which may have to ask the server.
    :param fields: the fields to fetch of those that are selected.
    :raises UsageError: if names cannot be read.
    """
    from baremetalclient.osc.command_table import words_of

    noun = words_of(manager_name)
    chosen = _chosen(command, parsed_args, noun, manager_name, fields)
    if not chosen.typed:
        chosen.targets.sort(key=lambda target: target.label)
    if not chosen.targets:
        asked = getattr(parsed_args, "selections", None) or []
        command.print_error(f"{nothing_found(f'{noun}s', asked)} There is nothing to do.")
    return chosen


def nothing_found(nouns: str, selections: Sequence[str], filters: Sequence[str] = ()) -> str:
    """Return a message that no resources match what was asked for.

    :param nouns: what they are, in the plural.
    :param filters: the other filters, as ``NAME=VALUE``.
    """
    asked = ", ".join([*filters, *map(repr, selections)])
    if not asked:
        return f"No {nouns} found."
    patterns = any("~=" in text for text in selections)
    hint = " A regular expression has to match the whole value, as '.*rack1.*' does."
    return f"No {nouns} match {asked}.{hint if patterns else ''}"


def fetch_selected(
    command: Command,
    manager_name: str,
    chosen: Selection,
    fields: Sequence[str] | None = (),
    filters: dict[str, Any] | None = None,
) -> list[Any]:
    """Return the resources that a selection takes.

    :param command: the command; it tells what the server cannot select by, if it is verbose.
    :param fields: the fields to fetch besides those that identify and those compared; None for all.
    :param filters: further arguments of ``list()``.
    """
    from baremetalclient._bulk.selection import select

    client = command.client
    if command.app.options.verbose_level > 1 and chosen.filtered_here:
        terms = ", ".join(chosen.filtered_here)
        command.report(f"The server cannot select by {terms}; the client does.")
    given = dict(filters or {})
    related: dict[str, dict[str, dict[str, Any]]] = {}
    for name in chosen.related:
        of_related = chosen.of_related(name)
        found = select(getattr(client, name), of_related)
        related[name] = {one.uuid: vars(one) for one in found}
        if all(of_related.expression.alternatives):
            if not found:
                return []
            if len(found) == 1:
                given.setdefault(name, found[0].uuid)
    return select(getattr(client, manager_name), chosen, fields, given, related)


def named(parsed_args: argparse.Namespace) -> tuple[list[str], bool]:
    """Return the names on the command line or standard input, and whether they were typed out.

    :raises UsageError: if there are both, or standard input cannot be read.
    """
    idents = parsed_args.idents
    names: list[str] = [idents] if isinstance(idents, str) else idents
    if _STANDARD_INPUT not in names:
        return names, True
    if len(set(names)) > 1:
        raise exc.UsageError("'-' reads all names from standard input; name no others.")
    return _words(_read(_STANDARD_INPUT)), False


def _words(text: str) -> list[str]:
    """Return the names in a text: separated by white space; ``#`` begins a comment."""
    return [word for line in text.splitlines() for word in line.partition("#")[0].split()]


def _chosen(
    command: Command,
    parsed_args: argparse.Namespace,
    noun: str,
    manager_name: str,
    fields: Sequence[str],
) -> Chosen:
    from baremetalclient._bulk.action import targets_of

    if parsed_args.selections or getattr(parsed_args, "everything", False):
        return _selected(command, manager_name, parsed_args.selections or [], fields)
    if getattr(parsed_args, "nodes_file", None) is not None:
        return Chosen(targets_of(_words(_read(parsed_args.nodes_file)), noun))
    if getattr(parsed_args, "retry_failed", None) is not None:
        return Chosen(_to_retry(parsed_args.retry_failed, command.words))
    names, typed = named(parsed_args)
    return Chosen(targets_of(names, noun), typed=typed)


def _selected(
    command: Command, manager_name: str, expressions: list[str], fields: Sequence[str]
) -> Chosen:
    from baremetalclient._bulk.listener import Target
    from baremetalclient.v1.expressions import selection
    from baremetalclient.v1.resources import resource_type

    chosen = selection(resource_type(manager_name), expressions)
    found = fetch_selected(command, manager_name, chosen, fields)
    filters = {name: value for name, value in chosen.filters.items() if name in _CONSTANT}
    targets = {Target.of(one): vars(one) for one in found}
    items = {target.ident: item for target, item in targets.items()}
    return Chosen(list(targets), filters=filters, items=items)


def _read(name: str) -> str:
    try:
        return _documents.read_text(name)
    except _documents.DocumentError as error:
        raise exc.UsageError(str(error)) from None


def _to_retry(name: str, verb: str) -> list[Target]:
    """Return the nodes of a report that are not done."""
    from baremetalclient._bulk.listener import Target

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
