"""Expressions about resources, as text: ``state=active,extra/rack=7 or !maintenance``."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NoReturn, Self

from baremetalclient import exc
from baremetalclient._bulk import comparison
from baremetalclient._bulk.comparison import UNSET
from baremetalclient._bulk.vocabulary import FieldPath
from baremetalclient._suggestion import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from baremetalclient._bulk.vocabulary import Vocabulary

DELETED = "deleted"

GRAMMAR = (
    "Comparisons are FIELD=VALUE, also with !=, <, <=, > and >=, and with ~= and !~= for regular "
    "expressions; 'FIELD contains VALUE'; or FIELD alone, which is set and not false. 'not' or '!' "
    "negates one, a comma or 'and' joins several, 'or' separates alternatives. Put a value with a "
    "comma, ' and ' or ' or ' in double quotes"
)
"""How an expression is written, for messages."""

_FAILURE = re.compile("fail|error", re.IGNORECASE)
"""What a pattern has that is about failures; others, such as ``.*``, match these by the way."""
_NOT = re.compile(r"\s*(?:!|not(?=\s))")
_FIELD = re.compile(r"\s*([^\s=!~<>,\"]+)")
_SIGN = re.compile(r"\s*(!~=|~=|!=|<=|>=|<|>|=)(?!=)|\s+(contains)(?=\s|$)")
_QUOTED = re.compile(r"\s*\"((?:[^\"\\]|\\.)*)\"", re.DOTALL)
# Words, and the blanks between them unless a joint or the end comes next. Nothing is tried twice.
_BLANKS = r"(?:\s++(?!(?:and|or)(?:\s|$)|,|$))?+"
_PLAIN = re.compile(rf"(?!\s*+\")({_BLANKS}(?:(?:\\.|[^,\s])++{_BLANKS})*+)", re.DOTALL)
_JOINT = re.compile(r"\s*(,)|\s+(and|or)(?=\s|$)")
_END = re.compile(r"\s*$")
_ESCAPED = re.compile(r"\\([\\,\"])")


@dataclass(frozen=True)
class Term:
    """A comparison of one field.

    :param text: how it was written.
    :param place: what it compares.
    :param sign: ``=``, ``~=``, ``contains``, ``<`` and the like; empty if the field has to be set.
    :param value: the value to compare with.
    :param negated: whether it holds where the comparison does not.
    :param test: compares a decoded value.
    """

    text: str
    place: FieldPath
    sign: str
    value: str
    negated: bool
    test: Callable[[Any], bool]

    @property
    def compared(self) -> bool:
        """Whether it compares a field, and does not ask whether the resource is deleted."""
        return self.place.field != DELETED

    @property
    def equality(self) -> str | None:
        """The value that the field has to have, None if several will do, or none."""
        plain = self.sign == "=" and not self.negated and self.value[:1] not in ("[", "{")
        return self.value if plain and self.value not in ("", *UNSET) else None

    def holds(self, item: Mapping[str, Any] | None) -> bool:
        """Return whether it holds for the fields of a resource, None for one that is deleted."""
        if not self.compared:
            return (item is None) is not self.negated
        if item is not None and self.place.related:
            item = item.get(self.place.related)
        if item is None:
            return False
        found: Any = item
        for key in self.place.path:
            found = found.get(key) if isinstance(found, Mapping) else None
        return self.test(found) is not self.negated

    def names_state(self, field: str, state: str) -> bool:
        """Return whether it asks for a state of failure: by its name, or by a word for failures."""
        if self.place.field != field or self.place.related or self.negated:
            return False
        names = self.sign == "=" or (
            self.sign in ("~=", "contains") and _FAILURE.search(self.value) is not None
        )
        return names and self.test(state)


class Expression:
    """What has to hold for a resource.

    :param alternatives: the terms of each alternative. One of these has to hold, with all its
        terms; an alternative without any always holds.
    """

    def __init__(self, alternatives: Iterable[tuple[Term, ...]]) -> None:
        self.alternatives = tuple(alternatives)

    @classmethod
    def any_of(cls, texts: Iterable[str], vocabulary: Vocabulary) -> Self:
        r"""Return the expression that holds where one of several texts does; always without any.

        :param texts: each with comparisons that are joined by ``,`` or ``and``, which bind first,
            and ``or``: ``FIELD=VALUE``, also with ``!=``; with ``~=`` and ``!~=`` for regular
            expressions; with ``<``, ``<=``, ``>`` and ``>=`` for numbers and times, which are ISO
            8601 or ages such as ``-30m``; ``FIELD contains VALUE`` (a list has the item, an object
            the key, a text the part); ``FIELD`` alone for one that is set and not false;
            ``deleted``. ``not`` or ``!`` negates one. ``extra/a/b`` is a key of an object. A value
            with a comma or `` and `` is put in double quotes, or the comma is written ``\,``. No
            value is that of a field which is unset or empty.
        :param vocabulary: the fields that they can name.
        :raises ValidationError: if a text is no expression, names an unknown field, or compares a
            field with a value that it cannot have.
        """
        parsed = [_parsed(text, vocabulary) for text in texts]
        return cls(chain.from_iterable(parsed) if parsed else [()])

    @property
    def terms(self) -> list[Term]:
        """All comparisons."""
        return list(chain.from_iterable(self.alternatives))

    def fields(self, related: str = "") -> tuple[str, ...]:
        """Return the fields that are compared.

        :param related: those of this related resource, instead of the resource's own.
        """
        places = (term.place for term in self.terms if term.compared)
        return tuple(dict.fromkeys(one.field for one in places if one.related == related))

    def of_related(self, name: str) -> Expression:
        """Return what a related resource has to be like, whatever the resource is like."""
        return Expression(
            tuple(
                replace(term, place=term.place._replace(related=""))
                for term in terms
                if term.place.related == name
            )
            for terms in self.alternatives
        )

    def holds(self, item: Mapping[str, Any] | None) -> bool:
        """Return whether it holds.

        :param item: the fields of a resource, and related resources by their names; None if it is
            deleted.
        """
        return any(all(term.holds(item) for term in terms) for terms in self.alternatives)

    def names_state(self, field: str, state: str) -> bool:
        """Return whether it asks for a state, which then is no failure.

        :param field: the field with the state.
        :param state: a state of failure, such as ``deploy failed``.
        """
        return any(term.names_state(field, state) for term in self.terms)


class AllOf:
    """Several expressions, which all have to hold for a resource.

    :param texts: the expressions; see :meth:`Expression.any_of`, also for what is raised.
    """

    def __init__(self, texts: Iterable[str], vocabulary: Vocabulary) -> None:
        self._expressions = [Expression(_parsed(text, vocabulary)) for text in texts]

    def fields(self) -> tuple[str, ...]:
        """Return the fields that are compared."""
        found = chain.from_iterable(one.fields() for one in self._expressions)
        return tuple(dict.fromkeys(found))

    def holds(self, item: Mapping[str, Any] | None) -> bool:
        """Return whether all of them hold; see :meth:`Expression.holds`."""
        return all(one.holds(item) for one in self._expressions)

    def names_state(self, field: str, state: str) -> bool:
        """Return whether one of them asks for a state; see :meth:`Expression.names_state`."""
        return any(one.names_state(field, state) for one in self._expressions)


def _parsed(text: str, vocabulary: Vocabulary) -> tuple[tuple[Term, ...], ...]:
    try:
        return _Parser(text, vocabulary).alternatives()
    except exc.ValidationError as error:
        end = "" if str(error).endswith((".", "?")) else "."
        raise exc.ValidationError(f"Expression {quoted(text)}: {error}{end}") from None


class _Parser:
    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self._text = text
        self._vocabulary = vocabulary
        self._position = 0

    def alternatives(self) -> tuple[tuple[Term, ...], ...]:
        found = [[self._term()]]
        while not self._match(_END):
            joint = self._match(_JOINT)
            if joint is None:
                self._fail("expected a comma, 'and' or 'or'")
            if joint[2] == "or":
                found.append([])
            found[-1].append(self._term())
        return tuple(map(tuple, found))

    def _term(self) -> Term:
        start = self._position
        negated = self._match(_NOT) is not None
        field = self._match(_FIELD)
        if field is None:
            self._fail("expected a comparison")
        sign = self._match(_SIGN)
        if sign is None:
            here = self._position
            if _JOINT.match(self._text, here) is None and _END.match(self._text, here) is None:
                self._fail(f"expected an operator after {quoted(field[1])}")
            deleted = field[1] == DELETED
            place = FieldPath((DELETED,)) if deleted else self._vocabulary.place(field[1])
            if not deleted:
                self._vocabulary.check_alone(field[1], place)
            value = operator = ""
            test: Callable[[Any], bool] = comparison.is_set
        else:
            place = self._vocabulary.place(field[1])
            operator = (sign[1] or sign[2]).removeprefix("!")
            negated ^= (sign[1] or "").startswith("!")
            value = self._value(operator)
            if operator == "=" and value not in ("", *UNSET):
                self._vocabulary.check(place, value)
            test = comparison.test_of(operator, value, place.type)
        text = self._text[start : self._position].strip()
        return Term(text, place, operator, value, negated, test)

    def _value(self, operator: str) -> str:
        quoted = self._match(_QUOTED)
        if quoted is not None:
            return _ESCAPED.sub(r"\1", quoted[1])
        value = self._json()
        if value is not None:
            return value
        plain = self._match(_PLAIN)
        if plain is None:
            self._fail("the double quotes are not closed")
        # Other backslashes stay, since those of regular expressions are rarely doubled.
        value = _ESCAPED.sub(r"\1", plain[1].strip())
        if not value and operator not in ("=", "~="):
            self._fail(f"expected a value after {operator!r}")
        return value

    def _json(self) -> str | None:
        """Return a list or an object, whose commas separate no comparisons."""
        start = len(self._text) - len(self._rest)
        if self._text[start : start + 1] not in ("[", "{"):
            return None
        try:
            _, end = json.JSONDecoder().raw_decode(self._text, start)
        except ValueError:
            return None
        except RecursionError:
            self._fail("a value is nested too deeply")
        self._position = end
        return self._text[start:end]

    @property
    def _rest(self) -> str:
        return self._text[self._position :].lstrip()

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self._text, self._position)
        if match is not None:
            self._position = match.end()
        return match

    def _fail(self, reason: str) -> NoReturn:
        rest = self._rest
        place = f" at {quoted(rest)} (character {self._position + 1})" if rest else " at its end"
        raise exc.ValidationError(f"{reason}{place}. {GRAMMAR}")
