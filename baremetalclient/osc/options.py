"""Options for fields of a resource, described once for create, set, unset and list.

An option adds itself to the parser of each command, and converts its value to a field of the new
resource, to operations of a JSON patch, or to a filter of a list.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, ClassVar

from baremetalclient._resource.fields import words_of
from baremetalclient.osc import argument_types
from baremetalclient.osc.parser import KEY_VALUE

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping, Sequence
    from typing import Self

    from baremetalclient._resource.fields import Field, Filter
    from baremetalclient.osc.parser import ArgumentParser


def words(name: str, module: str = "baremetalclient.v1.types") -> Callable[[], tuple[str, ...]]:
    """Return a function that returns the words of a literal type, which is imported then.

    :param name: the name of the type.
    :param module: the module that has it.
    """
    return lambda: words_of(module, name, closed=False)


class Option:
    """An option with one value, which is text.

    :param field: the field of the resource, or the filter of its list.
    :param flag: the option; by default the name of the field with hyphens.
    :param help: its help, by default the meaning of the field or the filter.
    :param metavar: the name of the value in help; by default that of the option.
    :param spellings: other spellings of the option.
    :param required: whether it is required at creation.
    :param choices: returns the values that it takes, which ``{choices}`` in its help stands for.
    :param parse: converts the argument; by default any text that is not blank.
    :param nargs: how many values it takes, if not one.
    """

    usual_metavar: ClassVar[str | None] = None

    # No dataclass: making the classes would take longer than reading a response.
    def __init__(
        self,
        field: str,
        *,
        flag: str = "",
        help: str = "",  # noqa: A002 - the word of argparse
        metavar: str | None = None,
        spellings: Sequence[str] = (),
        required: bool = False,
        choices: Callable[[], Sequence[str]] | None = None,
        parse: Callable[[str], Any] = argument_types.non_empty,
        nargs: str | None = None,
    ) -> None:
        self.field = field
        self.flag = flag or f"--{field.replace('_', '-')}"
        self.help = help
        self.metavar = metavar or self.usual_metavar
        self.spellings = spellings
        self.required = required
        self.choices = choices
        self.parse = parse
        self.nargs = nargs

    def described(self, meanings: Mapping[str, Field] | Mapping[str, Filter]) -> Self:
        """Return the option with the meaning of its field or filter as help, unless it has one."""
        if self.help:
            return self
        found = copy.copy(self)
        found.help = meanings[self.field].meaning
        return found

    @property
    def dest(self) -> str:
        """The name of the value among the parsed arguments."""
        return self.flag.removeprefix("--").replace("-", "_")

    @property
    def unset_flag(self) -> str:
        """The option of a command that removes fields."""
        return self.flag

    def add(self, parser: ArgumentParser, *, required: bool = False) -> None:
        """Add the option to a command that lists or changes resources."""
        parser.add_argument(self.flag, dest=self.dest, required=required, **self._keywords())
        self._accept_spellings(parser)

    def add_to_create(self, parser: ArgumentParser) -> None:
        """Add the option to a command that creates a resource."""
        self.add(parser, required=self.required)

    def add_to_unset(self, parser: ArgumentParser) -> None:
        """Add the option, without a value, to a command that removes fields."""
        parser.add_argument(
            self.flag,
            dest=self.dest,
            action="store_true",
            help=f"Remove the value of {self.field}.",
        )
        self._accept_spellings(parser)

    def value(self, args: argparse.Namespace) -> Any:
        """Return the given value, or None."""
        return getattr(args, self.dest)

    def set_operations(self, args: argparse.Namespace) -> list[dict[str, Any]]:
        """Return the operations that set the field to the given value."""
        value = self.value(args)
        return [] if value is None else [set_to(self.field, value)]

    def unset_operations(self, args: argparse.Namespace) -> list[dict[str, Any]]:
        """Return the operations that remove the field, if the option was given."""
        return [remove(self.field)] if self.value(args) else []

    def _keywords(self) -> dict[str, Any]:
        """Return what ``add_argument()`` has to know where the option takes a value."""
        choices = self.choices and self.choices()
        return {
            "metavar": self.metavar or f"<{self.dest.replace('_', '-')}>",
            "choices": choices,
            "type": self.parse,
            "nargs": self.nargs,
            "help": self.help.replace("{choices}", ", ".join(choices or ())),
        }

    def _accept_spellings(self, parser: ArgumentParser) -> None:
        for spelling in self.spellings:
            parser.accept_spelling(spelling, self.flag)


class Argument(Option):
    """A positional argument."""

    def add(self, parser: ArgumentParser, *, required: bool = False) -> None:
        parser.add_argument(self.field, **self._keywords())


class KeyValueOption(Option):
    """An option that takes ``key=value`` and can be repeated; the field is an object."""

    usual_metavar = KEY_VALUE

    def __init__(
        self,
        field: str,
        *,
        parse: Callable[[str], Any] = argument_types.key_value,
        **others: Any,
    ) -> None:
        super().__init__(field, parse=parse, **others)

    def add_to_unset(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            self.flag,
            dest=self.dest,
            metavar="<key>",
            action="append",
            type=argument_types.non_empty,
            help=f"Key to remove from {self.field}. Can be repeated.",
        )
        self._accept_spellings(parser)

    def value(self, args: argparse.Namespace) -> dict[str, Any] | None:
        given = getattr(args, self.dest)
        return None if given is None else dict(given)

    def set_operations(self, args: argparse.Namespace) -> list[dict[str, Any]]:
        return [
            set_to(f"{self.field}/{key}", value) for key, value in (self.value(args) or {}).items()
        ]

    def unset_operations(self, args: argparse.Namespace) -> list[dict[str, Any]]:
        return [remove(f"{self.field}/{key}") for key in getattr(args, self.dest) or ()]

    def _keywords(self) -> dict[str, Any]:
        text = (
            f"{self.help} Can be repeated. key=@file and key=@- read the value from a file or "
            "standard input, key:=json takes JSON."
        )
        return {**super()._keywords(), "action": "append", "help": text}


class RepeatedOption(Option):
    """An option that can be repeated; the field is a list."""

    def _keywords(self) -> dict[str, Any]:
        text = f"{self.help} Can be repeated."
        return {**super()._keywords(), "action": "append", "help": text}


class MultiValueOption(Option):
    """An option that takes several values at once; the field or filter is a list."""

    def _keywords(self) -> dict[str, Any]:
        return {**super()._keywords(), "nargs": "+", "action": "extend"}


class FlagOption(Option):
    """An option without a value for a boolean, and maybe a second one for its opposite.

    :param off: the option for the opposite, if there is one.
    """

    def __init__(
        self,
        field: str,
        *,
        off: str | None = None,
        off_help: str | None = None,
        **others: Any,
    ) -> None:
        super().__init__(field, **others)
        self.off = off
        self.off_help = off_help

    def add(self, parser: ArgumentParser, *, required: bool = False) -> None:
        group = parser.add_mutually_exclusive_group(required=required) if self.off else parser
        group.add_argument(
            self.flag, dest=self.dest, action="store_const", const=True, help=self.help
        )
        if self.off:
            group.add_argument(
                self.off, dest=self.dest, action="store_const", const=False, help=self.off_help
            )


class BooleanOption(Option):
    """An option with a boolean, which is true if the option is given without a value."""

    usual_metavar = "<boolean>"

    def __init__(self, field: str, **others: Any) -> None:
        super().__init__(field, **{"parse": argument_types.boolean, **others})

    def _keywords(self) -> dict[str, Any]:
        return {**super()._keywords(), "nargs": "?", "const": True}


def add_format(
    parser: Any,
    dest: str,
    help: str,  # noqa: A002 - the word of argparse
    choices: Sequence[str] = ("json",),
    default: str | None = None,
) -> None:
    """Add ``-f`` to a command that is no :class:`.Lister` or :class:`.ShowOne`."""
    parser.add_argument("-f", "--format", dest=dest, choices=choices, default=default, help=help)


SHOW_SECRETS = FlagOption(
    "show_secrets",
    help="Print passwords and other secrets that the server sends, instead of masking them.",
)


def set_to(path: str, value: Any) -> dict[str, Any]:
    """Return the operation of a JSON patch that adds or replaces a path."""
    return {"op": "add", "path": f"/{path}", "value": value}


def remove(path: str) -> dict[str, Any]:
    """Return the operation of a JSON patch that removes a path."""
    return {"op": "remove", "path": f"/{path}"}
