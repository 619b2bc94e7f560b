"""Selections: which nodes to act on, as text such as ``state=available,trait=CUSTOM_GOLD``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from baremetalclient import exc
from baremetalclient._resource.arguments import is_uuid
from baremetalclient.v1.node.schema import NOT_LISTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from baremetalclient.v1.node import Node


@dataclass(frozen=True)
class Key:
    """What a term can compare.

    :param field: the field of the API.
    :param filter: the argument of ``client.node.list`` that selects by it, if the server can.
    """

    field: str
    filter: str = ""

    @property
    def listed(self) -> bool:
        """Whether lists can be asked for the field; else it needs a detailed list."""
        return self.field not in NOT_LISTED


KEYS: Mapping[str, Key] = {
    "state": Key("provision_state", "provision_state"),
    "provision-state": Key("provision_state", "provision_state"),
    "power-state": Key("power_state"),
    "name": Key("name"),
    "uuid": Key("uuid"),
    "resource-class": Key("resource_class", "resource_class"),
    "trait": Key("traits", "traits"),
    "driver": Key("driver", "driver"),
    "owner": Key("owner", "owner"),
    "lessee": Key("lessee", "lessee"),
    "conductor-group": Key("conductor_group", "conductor_group"),
    "conductor": Key("conductor", "conductor"),
    "chassis": Key("chassis_uuid", "chassis"),
    "shard": Key("shard", "shards"),
    "fault": Key("fault", "fault"),
    "instance": Key("instance_uuid"),
    "parent-node": Key("parent_node"),
    "description": Key("description"),
}
"""The keys that take a value."""

BARE_KEYS: Mapping[str, Key] = {
    "maintenance": Key("maintenance", "maintenance"),
    "retired": Key("retired", "retired"),
    "protected": Key("protected"),
    "associated": Key("instance_uuid", "associated"),
}
"""The keys that stand alone, or after ``!``."""

_TERM = re.compile(r"(?P<key>[^=!~]*?)\s*(?P<operator>!~=|~=|!=|=)(?P<value>.*)", re.DOTALL)
_OPERATORS = "=, !=, ~= and !~="


@dataclass(frozen=True)
class Term:
    """A comparison of one field.

    :param text: the term as it was written.
    :param key: what it compares.
    :param value: the value to compare with; for a bare key whether it is to be set.
    :param matches: whether a value of the field fits.
    :param asked: whether the server can be asked for it.
    """

    text: str
    key: Key
    value: str | bool
    matches: Callable[[Any], bool]
    asked: bool


class Selection:
    """Expressions of which a node has to match at least one, with all its terms.

    :param expressions: the terms of each expression; no expression selects all nodes.
    """

    def __init__(self, expressions: Sequence[Sequence[Term]]) -> None:
        first, *others = expressions or [()]
        texts = [{term.text for term in terms} for terms in others]
        common = [term for term in first if term.asked and all(term.text in one for one in texts)]
        # A filter other than that of traits takes one value; the others are compared here.
        by_filter = {term.key.filter: term for term in reversed(common)}
        self._asked = [
            term
            for term in common
            if term.key.filter == "traits" or term is by_filter[term.key.filter]
        ]
        asked = {term.text for term in self._asked}
        # What the server has compared is compared again if that needs no detailed list.
        self._expressions = [
            [term for term in terms if term.key.listed or term.text not in asked]
            for terms in expressions
        ]
        self._texts = dict.fromkeys(term.text for terms in expressions for term in terms)

    @classmethod
    def parse(cls, expressions: Iterable[str]) -> Self:
        r"""Return the selection that texts describe.

        :param expressions: terms separated by commas: ``KEY=VALUE``, also with ``!=``, and with
            ``~=`` and ``!~=`` for regular expressions; ``maintenance``, ``retired``, ``protected``
            and ``associated`` stand alone or after ``!``. A comma in a value is written ``\,``.
        :raises ValidationError: if a key, an operator or a regular expression is wrong.
        """
        return cls([[_term(text) for text in _split(expression)] for expression in expressions])

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that :meth:`matches` compares."""
        return tuple(dict.fromkeys(term.key.field for term in self._compared()))

    @property
    def detailed(self) -> bool:
        """Whether only a detailed list has all of the :attr:`fields`."""
        return not all(term.key.listed for term in self._compared())

    @property
    def filters(self) -> dict[str, Any]:
        """The arguments of ``client.node.list`` for what all expressions have in common."""
        found: dict[str, Any] = {}
        for term in self._asked:
            name = term.key.filter
            if name == "traits":
                found.setdefault(name, []).append(term.value)
            elif name == "shards":
                found[name] = [term.value]
            else:
                found[name] = term.value
        if "parent_node" in self.fields:
            found["include_children"] = True
        return found

    @property
    def filtered_here(self) -> list[str]:
        """The terms that the server is not asked for, as they were written."""
        asked = {term.text for term in self._asked}
        return [text for text in self._texts if text not in asked]

    def matches(self, node: Node) -> bool:
        """Return whether a node is selected.

        :param node: a node with the :attr:`fields`.
        """
        values = vars(node)
        return not self._expressions or any(
            all(term.matches(values.get(term.key.field)) for term in terms)
            for terms in self._expressions
        )

    def _compared(self) -> list[Term]:
        return [term for terms in self._expressions for term in terms]


def _split(expression: str) -> list[str]:
    """Return the terms, each still with its backslashes."""
    terms = [""]
    for piece in re.findall(r"\\.|.", expression, re.DOTALL):
        if piece == ",":
            terms.append("")
        else:
            terms[-1] += piece
    return terms


def _term(text: str) -> Term:
    match = _TERM.fullmatch(text.lstrip())
    if match is None:
        return _bare_term(text.strip())
    key, operator = _canonical(match["key"]), match["operator"]
    if key in BARE_KEYS:
        raise exc.ValidationError(
            f"Selection {text!r}: {key!r} takes no value. Write {key!r} or '!{key}'."
        )
    if key not in KEYS:
        raise _unknown(text, match["key"])
    # Other backslashes stay, since those of regular expressions are rarely doubled.
    value = re.sub(r"\\([\\,])", r"\1", match["value"])
    if operator.endswith("~="):
        fits = _pattern(text, value)
    elif KEYS[key].field == "traits":
        fits = _has_trait(value)
    else:
        fits = _equals(value)
    if operator.startswith("!"):
        return Term(text, KEYS[key], value, lambda found: not fits(found), asked=False)
    asked = operator == "=" and bool(value and KEYS[key].filter)
    if key == "chassis":
        asked = asked and is_uuid(value)
    return Term(text, KEYS[key], value, fits, asked)


def _bare_term(text: str) -> Term:
    wanted = not text.startswith("!")
    name = _canonical(text.removeprefix("!"))
    if name in KEYS:
        raise exc.ValidationError(
            f"Selection {text!r}: {name!r} needs an operator and a value, such as {name}=VALUE. "
            f"Operators: {_OPERATORS}."
        )
    if name not in BARE_KEYS:
        raise _unknown(text, text.removeprefix("!"))
    key = BARE_KEYS[name]
    return Term(text, key, wanted, lambda found: bool(found) is wanted, bool(key.filter))


def _canonical(key: str) -> str:
    return key.strip().replace("_", "-")


def _unknown(text: str, key: str) -> exc.ValidationError:
    if not text:
        return exc.ValidationError(
            "A selection cannot be empty, nor a term of it. "
            "Write for example state=available,resource-class=gold."
        )
    return exc.ValidationError(
        f"Selection {text!r}: unknown key {key!r}. Keys with a value: {', '.join(KEYS)}; "
        f"operators: {_OPERATORS}. Keys that stand alone: {', '.join(BARE_KEYS)}."
    )


def _equals(value: str) -> Callable[[Any], bool]:
    return lambda found: ("" if found is None else str(found)) == value


def _has_trait(value: str) -> Callable[[Any], bool]:
    return lambda found: value in found if value and found else not value and not found


def _pattern(text: str, value: str) -> Callable[[Any], bool]:
    try:
        pattern = re.compile(value)
    except re.error as error:
        raise exc.ValidationError(
            f"Selection {text!r}: {value!r} is not a Python regular expression: {error}."
        ) from None

    def fits(found: Any) -> bool:
        texts = found or [] if isinstance(found, list) else [found]
        return any(pattern.fullmatch("" if one is None else str(one)) for one in texts)

    return fits
