"""Options that stand for fields of a resource, described once for create, set, unset and list.

An option knows how it looks in each of the commands, and what its value means there: a field of
the new resource, an operation of a JSON patch, or a filter of a list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from baremetalclient.osc import argument_types

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from baremetalclient.osc.parser import ArgumentParser

Operation = dict[str, Any]
"""One operation of a JSON patch."""


@dataclass(frozen=True, kw_only=True)
class Option:
    """An option with one value, which is text.

    :param field: the field of the resource, or the filter of its list.
    :param flag: the option as it is written.
    :param help: what help says about it.
    :param metavar: what stands for the value in help; by default the flag's name.
    :param spellings: other ways to write the flag.
    :param required: whether a new resource needs it.
    :param choices: the values to choose from.
    :param parse: reads the value; by default text that isn't empty.
    """

    field: str
    flag: str
    help: str
    metavar: str | None = None
    spellings: Sequence[str] = ()
    required: bool = False
    choices: Sequence[str] | None = None
    parse: Callable[[str], Any] = argument_types.filled

    @property
    def dest(self) -> str:
        """The name of the value among the parsed arguments."""
        return self.flag.removeprefix("--").replace("-", "_")

    def add_to_create(self, parser: ArgumentParser) -> None:
        """Add the option to a command that creates the resource."""
        self._add(parser, required=self.required)

    def add_to_set(self, parser: ArgumentParser) -> None:
        """Add the option to a command that changes the resource."""
        self._add(parser)

    def add_to_unset(self, parser: ArgumentParser) -> None:
        """Add the option, without a value, to a command that removes fields."""
        parser.add_argument(
            self.flag,
            dest=self.dest,
            action="store_true",
            help=f"Unset the {self.field.replace('_', ' ')}.",
        )
        self._accept_spellings(parser)

    def add_to_list(self, parser: ArgumentParser) -> None:
        """Add the option to a command that lists."""
        self._add(parser)

    def value(self, args: argparse.Namespace) -> Any:
        """Return the value that was given, or None."""
        return getattr(args, self.dest)

    def set_operations(self, args: argparse.Namespace) -> list[Operation]:
        """Return what sets the field to the value that was given."""
        value = self.value(args)
        return [] if value is None else [set_to(self.field, value)]

    def unset_operations(self, args: argparse.Namespace) -> list[Operation]:
        """Return what removes the field, if that was asked for."""
        return [remove(self.field)] if self.value(args) else []

    def _add(self, parser: ArgumentParser, *, required: bool = False) -> None:
        parser.add_argument(
            self.flag,
            dest=self.dest,
            metavar=self.metavar or f"<{self.dest.replace('_', '-')}>",
            required=required,
            choices=self.choices,
            type=self.parse,
            help=self.help,
        )
        self._accept_spellings(parser)

    def _accept_spellings(self, parser: ArgumentParser) -> None:
        for spelling in self.spellings:
            parser.accept_spelling(spelling, self.flag)


@dataclass(frozen=True, kw_only=True)
class Pairs(Option):
    """An option that takes ``key=value`` and can be repeated; the field is an object."""

    metavar: str | None = "<key=value>"

    def add_to_unset(self, parser: ArgumentParser) -> None:
        """Add the option, with a key, to a command that removes fields."""
        parser.add_argument(
            self.flag,
            dest=self.dest,
            metavar="<key>",
            action="append",
            type=argument_types.filled,
            help=f"Key to remove from {self.field.replace('_', ' ')}. Can be repeated.",
        )
        self._accept_spellings(parser)

    def value(self, args: argparse.Namespace) -> dict[str, Any] | None:
        """Return the pairs that were given, or None."""
        given = getattr(args, self.dest)
        return None if given is None else dict(given)

    def set_operations(self, args: argparse.Namespace) -> list[Operation]:
        """Return what sets each key that was given."""
        return [
            set_to(f"{self.field}/{key}", value) for key, value in (self.value(args) or {}).items()
        ]

    def unset_operations(self, args: argparse.Namespace) -> list[Operation]:
        """Return what removes each key that was given."""
        return [remove(f"{self.field}/{key}") for key in getattr(args, self.dest) or ()]

    def _add(self, parser: ArgumentParser, *, required: bool = False) -> None:
        parser.add_argument(
            self.flag,
            dest=self.dest,
            metavar=self.metavar,
            required=required,
            action="append",
            type=argument_types.pair,
            help=f"{self.help} Can be repeated. key=@file and key=@- read the value from a file "
            "or standard input, key:=json takes JSON.",
        )
        self._accept_spellings(parser)


@dataclass(frozen=True, kw_only=True)
class Several(Option):
    """An option that can be repeated; the field is a list."""

    def _add(self, parser: ArgumentParser, *, required: bool = False) -> None:
        parser.add_argument(
            self.flag,
            dest=self.dest,
            metavar=self.metavar or f"<{self.dest.replace('_', '-')}>",
            required=required,
            action="append",
            type=self.parse,
            help=f"{self.help} Can be repeated.",
        )


@dataclass(frozen=True, kw_only=True)
class Words(Option):
    """An option that takes several words at once; a filter by any of them."""

    def _add(self, parser: ArgumentParser, *, required: bool = False) -> None:
        parser.add_argument(
            self.flag,
            dest=self.dest,
            metavar=self.metavar,
            required=required,
            nargs="+",
            action="extend",
            type=self.parse,
            help=self.help,
        )


@dataclass(frozen=True, kw_only=True)
class Switch(Option):
    """An option for a truth value, and a second one for its opposite.

    :param off: the option that means false, if there is one.
    :param off_help: what help says about that.
    :param on_value: what the first option means.
    """

    off: str | None = None
    off_help: str | None = None
    on_value: bool = True

    def _add(self, parser: ArgumentParser, *, required: bool = False) -> None:
        group = parser.add_mutually_exclusive_group(required=required)
        group.add_argument(
            self.flag,
            dest=self.dest,
            action="store_const",
            const=self.on_value,
            help=self.help,
        )
        if self.off:
            group.add_argument(
                self.off,
                dest=self.dest,
                action="store_const",
                const=not self.on_value,
                help=self.off_help,
            )


@dataclass(frozen=True, kw_only=True)
class Truth(Option):
    """An option for a truth value, which is true where none is given."""

    def _add(self, parser: ArgumentParser, *, required: bool = False) -> None:
        parser.add_argument(
            self.flag,
            dest=self.dest,
            metavar="<boolean>",
            required=required,
            nargs="?",
            const=True,
            type=argument_types.boolean,
            help=self.help,
        )


def set_to(path: str, value: Any) -> Operation:
    """Return the operation of a JSON patch that sets `path`, adding it if need be."""
    return {"op": "add", "path": f"/{path}", "value": value}


def remove(path: str) -> Operation:
    """Return the operation of a JSON patch that removes `path`."""
    return {"op": "remove", "path": f"/{path}"}
