"""The directives ``commands`` and ``shared-options``: each command, and once what many share.

``commands`` has a section for each command of the plug-in whose name matches one of the patterns.
Options that have a section of ``shared-options`` are left out there, and linked.
"""

from __future__ import annotations

import argparse
from fnmatch import fnmatch
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, NamedTuple

from cliff import sphinxext
from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from importlib.metadata import EntryPoint

    from sphinx.application import Sphinx

_GROUP = "openstack.baremetal.v1"
_INDENT = "    "


class _Shared(NamedTuple):
    """Options that many commands share.

    :param label: the label of the section about them.
    :param title: what they are, in a usage and in links.
    :param command: a command that has all of them.
    :param options: their names, separated by spaces.
    """

    label: str
    title: str
    command: str
    options: str


SHARED = (
    _Shared(
        "output-options",
        "output options",
        "node list",
        "--format --column --sort-column --sort-ascending --sort-descending --quote --noindent "
        "--prefix --max-width --fit-width --print-empty --show-secrets",
    ),
    _Shared(
        "paging-options",
        "paging options",
        "node list",
        "--limit --marker --sort --long --fields",
    ),
    _Shared(
        "choice-options",
        "options to choose nodes",
        "node deploy",
        "--select --all --nodes-file --retry-failed",
    ),
    _Shared(
        "fleet-options",
        "fleet options",
        "node deploy",
        "--format --parallel --on-error --max-failures --report --dry-run --yes",
    ),
)


class Commands(Directive):
    """Document the commands whose names match a pattern, such as ``node power *``."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return a section for each."""
        found = [name for name in _commands() if any(fnmatch(name, one) for one in self.content)]
        return [self._section(name) for name in found]

    def _section(self, name: str) -> nodes.section:
        section = nodes.section("", nodes.title(text=name), ids=[nodes.make_id(f"command {name}")])
        self.state.document.note_explicit_target(section)
        self.state.nested_parse(StringList(list(_lines(name)), name), 0, section)
        return section


class SharedOptions(Directive):
    """Document the options that commands share, with a label for each kind."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the options."""
        shared = next(one for one in SHARED if one.label == self.arguments[0])
        lines = [f".. program:: {shared.title}", ""]
        for action in _parser(shared.command)._get_optional_actions():
            if _shared(action) is shared:
                lines += _described(action)
        content = nodes.container()
        self.state.nested_parse(StringList(lines, shared.label), 0, content)
        return content.children


@cache
def _commands() -> dict[str, EntryPoint]:
    """Return the commands by their names, without that of the service."""
    found = {entry.name.replace("_", " "): entry for entry in entry_points(group=_GROUP)}
    return {name.removeprefix("baremetal "): found[name] for name in sorted(found)}


def _parser(name: str) -> argparse.ArgumentParser:
    command = _commands()[name].load()(None, None)
    parser: argparse.ArgumentParser = command.get_parser(f"openstack baremetal {name}")
    for action in parser._actions:
        if action.metavar is None and action.choices is not None and action.nargs != 0:
            action.metavar = "{" + ",".join(map(str, action.choices)) + "}"
        elif action.metavar is None and action.option_strings and action.nargs != 0:
            action.metavar = f"<{action.dest.replace('_', '-')}>"
    return parser


@cache
def _values(command: str) -> dict[str, tuple[object, str]]:
    """Return what the values of a command's options are."""
    actions = _parser(command)._get_optional_actions()
    return {flag: _value(action) for action in actions for flag in action.option_strings}


def _value(action: argparse.Action) -> tuple[object, str]:
    """Return the default of an option, and the name of what reads its value."""
    return action.default, getattr(action.type, "__qualname__", "")


def _shared(action: argparse.Action) -> _Shared | None:
    """Return the shared options that one of a command belongs to, if it does.

    Other commands may have an option of the same name: the formats of a graph are others than those
    of a table.
    """
    for one in SHARED:
        for flag in set(action.option_strings) & set(one.options.split()):
            if _values(one.command)[flag] == _value(action):
                return one
    return None


def _lines(name: str) -> Iterator[str]:
    parser = _parser(name)
    homes = {action: _shared(action) for action in parser._actions}
    shared = [one for one in SHARED if one in homes.values()]
    own = [action for action in parser._actions if homes[action] is None]
    yield from sphinxext._format_description(parser)
    yield from ("", f".. program:: {parser.prog}", ".. code-block:: shell", "")
    yield from (f"{_INDENT}{line}" for line in _usage(parser, own, shared))
    yield ""
    # The position comes first, as it is typed.
    for action in sorted(own, key=lambda action: bool(action.option_strings)):
        if action.dest != "help":
            yield from _described(action)
    if shared:
        links = ", ".join(f":ref:`{one.title} <{one.label}>`" for one in shared)
        yield from (f"Also: {links}.", "")
    yield from sphinxext._format_epilog(parser)
    yield ""


def _usage(
    parser: argparse.ArgumentParser, own: list[argparse.Action], shared: Iterable[_Shared]
) -> list[str]:
    """Return the usage with a word for each kind of shared options."""
    short = argparse.ArgumentParser(prog=parser.prog, add_help=False, usage=None)
    for action in own:
        if action.help != argparse.SUPPRESS and action.dest != "help":
            short._add_action(action)
    known = set(short._actions)
    for group in parser._mutually_exclusive_groups:
        members = [action for action in group._group_actions if action in known]
        if len(members) > 1:
            alternatives = short.add_mutually_exclusive_group(required=group.required)
            alternatives._group_actions.extend(members)
    return [*sphinxext._format_usage(short), *(f"{_INDENT}[{one.title}]" for one in shared)]


def _described(action: argparse.Action) -> list[str]:
    describe = (
        sphinxext._format_optional_action
        if action.option_strings
        else sphinxext._format_positional_action
    )
    return [*describe(action), ""]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives."""
    app.add_directive("commands", Commands)
    app.add_directive("shared-options", SharedOptions)
    return {"parallel_read_safe": True}
