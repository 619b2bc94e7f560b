"""Conditions for the fields of a resource, as text such as ``provision_state=active``."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, Self

from baremetalclient import exc
from baremetalclient._resource.arguments import json_or_text, parse_boolean

DELETED = "deleted"
_FORMS = (
    "Write FIELD=VALUE, FIELD!=VALUE, 'FIELD contains VALUE' or 'deleted', and join several by "
    "'and' and 'or'. A value with ' and ' or ' or ' in it is written in double quotes"
)
_DELETED = re.compile(rf"\s*{DELETED}(?=\s|$)")
_OPERATOR = re.compile(r"\s*(?P<field>[^\s=!\"]+)(?:\s*(?P<sign>!=|=)(?!=)|\s+contains(?=\s|$))")
_QUOTED = re.compile(r"\s*\"((?:[^\"\\]|\\.)*)\"", re.DOTALL)
_PLAIN = re.compile(r"(?!\s*\")(.*?)(?=\s+(?:and|or)(?:\s|$)|\s*$)", re.DOTALL)
_JOINT = re.compile(r"\s+(and|or)(?=\s|$)")
_END = re.compile(r"\s*$")


@dataclass(frozen=True)
class Comparison:
    """A comparison of a field with a value.

    :param path: the field, and the keys below it if it is an object.
    :param operator: ``=``, ``!=`` or ``contains``.
    :param value: the value as it was written, without quotes.
    """

    path: tuple[str, ...]
    operator: str
    value: str

    def holds(self, item: Mapping[str, Any] | None) -> bool:
        """Return whether it holds.

        :param item: the fields of the resource, None if it is deleted.
        """
        if self.path == (DELETED,):
            return item is None
        if item is None:
            return False
        found: Any = item
        for key in self.path:
            found = found.get(key) if isinstance(found, Mapping) else None
        if self.operator == "contains":
            return _contains(found, self.value)
        return _equals(found, self.value) is (self.operator == "=")

    def names_state(self, state: str) -> bool:
        """Return whether it compares something with a state."""
        if self.operator == "contains":
            return self.value in state
        return self.value == state


class Condition:
    """A condition for the fields of a resource.

    :param parts: alternatives, of each of which one has to hold: all its comparisons.
    """

    def __init__(self, parts: tuple[tuple[tuple[Comparison, ...], ...], ...]) -> None:
        self._parts = parts

    @classmethod
    def parse(cls, *texts: str, known: Collection[str] = ()) -> Self:
        """Return the condition that texts describe.

        :param texts: conditions that have to hold together. Each consists of comparisons, joined by
            ``and``, which binds first, and ``or``: ``FIELD=VALUE``, ``FIELD!=VALUE``,
            ``FIELD contains VALUE`` (a list has the item, an object the key, a text the part), or
            ``deleted``. ``extra/a/b`` is a key of an object. A value ends at ``and`` or ``or``, or
            is in double quotes. No value is that of a field which is unset or empty.
        :param known: the names of the fields; any name is accepted if there are none.
        :raises ValidationError: if a text is no condition, or has an unknown field.
        """
        return cls(tuple(_Parser(text, known).alternatives() for text in texts))

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that are compared."""
        names = (comparison.path[0] for comparison in self._comparisons)
        return tuple(dict.fromkeys(name for name in names if name != DELETED))

    def holds(self, item: Mapping[str, Any] | None) -> bool:
        """Return whether the condition holds.

        :param item: the fields of the resource, None if it is deleted.
        """
        return all(
            any(all(one.holds(item) for one in comparisons) for comparisons in alternatives)
            for alternatives in self._parts
        )

    def names_state(self, state: str) -> bool:
        """Return whether the condition is about a state, which then is no failure.

        :param state: a state, such as ``deploy failed``.
        """
        return any(comparison.names_state(state) for comparison in self._comparisons)

    @property
    def _comparisons(self) -> list[Comparison]:
        return [one for part in self._parts for comparisons in part for one in comparisons]


class _Parser:
    def __init__(self, text: str, known: Collection[str]) -> None:
        self._text = text
        self._known = known
        self._position = 0

    def alternatives(self) -> tuple[tuple[Comparison, ...], ...]:
        found = [[self._comparison()]]
        while not self._match(_END):
            joint = self._match(_JOINT)
            if joint is None:
                self._fail("expected 'and' or 'or'")
            if joint[1] == "or":
                found.append([])
            found[-1].append(self._comparison())
        return tuple(map(tuple, found))

    def _comparison(self) -> Comparison:
        start = self._position
        match = self._match(_DELETED)
        if match and (_JOINT.match(self._text, match.end()) or _END.match(self._text, match.end())):
            return Comparison((DELETED,), "", "")
        self._position = start
        match = self._match(_OPERATOR)
        if match is None:
            self._fail("expected a comparison")
        path = tuple(match["field"].split("/"))
        if self._known and path[0] not in self._known:
            raise exc.ValidationError(
                f"Condition {self._text!r}: unknown field {path[0]!r}. "
                f"Known fields: {', '.join(self._known)}."
            )
        value = self._value()
        if not value and match["sign"] is None:
            self._fail("expected a value after 'contains'")
        return Comparison(path, match["sign"] or "contains", value)

    def _value(self) -> str:
        quoted = self._match(_QUOTED)
        if quoted is not None:
            return re.sub(r"\\([\"\\])", r"\1", quoted[1])
        plain = self._match(_PLAIN)
        if plain is None:
            self._fail("the double quotes are not closed")
        return plain[1].strip()

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self._text, self._position)
        if match is not None:
            self._position = match.end()
        return match

    def _fail(self, reason: str) -> NoReturn:
        rest = self._text[self._position :].strip()
        place = f" at {rest!r} (character {self._position + 1})" if rest else " at its end"
        raise exc.ValidationError(f"Condition {self._text!r}: {reason}{place}. {_FORMS}.")


def _equals(found: Any, value: str) -> bool:
    if not value:
        return found in (None, "", [], {})
    if found is None:
        return value in ("null", "None")
    if isinstance(found, bool):
        return parse_boolean(value) is found
    if isinstance(found, str):
        return found == value
    wanted = json_or_text(value)
    return bool(found == wanted) and not isinstance(wanted, bool)


def _contains(found: Any, value: str) -> bool:
    if isinstance(found, list):
        return any(_equals(item, value) for item in found)
    return isinstance(found, str | Mapping) and value in found
