"""Selections: resources that match expressions, asking the server for as much as it can filter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeVar

from baremetalclient import exc
from baremetalclient._bulk.expression import Expression
from baremetalclient._bulk.fetcher import list_all
from baremetalclient._resource.arguments import is_uuid
from baremetalclient._resource.resource import Resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from baremetalclient._bulk.expression import Term
    from baremetalclient._bulk.vocabulary import Vocabulary
    from baremetalclient._resource.manager import Manager

ResourceT = TypeVar("ResourceT", bound=Resource)

_MOST_FETCHED = 3
"""The number of resources up to which a request for each is cheaper than a list."""
_SAFE_NAME = re.compile(r"[\w.~-]+")
_MANY = {"traits": None, "shards": 1}
"""The filters that take a list, with the maximum number of values that all have to hold."""


class Selection:
    """Which resources of a type to take.

    :param texts: expressions of which a resource has to match one; all resources without any.
    :param vocabulary: the fields that they can name.
    :raises ValidationError: if one is wrong, see :meth:`.Expression.any_of`.
    """

    def __init__(self, texts: Iterable[str], vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.expression = Expression.any_of(texts, vocabulary)
        self._init_from(self.expression)

    def _init_from(self, expression: Expression) -> None:
        self._asked = dict(_askable(expression, self.vocabulary))
        asked = {term.text for term in self._asked}
        # What the server has compared is compared again if that needs no detailed list.
        self._compared = Expression(
            tuple(term for term in terms if not (self._is_detailed(term) and term.text in asked))
            for terms in expression.alternatives
        )

    def _is_detailed(self, term: Term) -> bool:
        return not term.place.related and term.place.field in self.vocabulary.detailed

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that :meth:`matches` compares."""
        return self._compared.fields()

    @property
    def related(self) -> tuple[str, ...]:
        """The names of the related resources that it compares."""
        return tuple(name for name in self.vocabulary.related if self._compared.fields(name))

    @property
    def filters(self) -> dict[str, Any]:
        """The arguments of ``list()`` for what all alternatives have in common."""
        found: dict[str, Any] = {}
        for term, name in self._asked.items():
            if name in _MANY:
                found.setdefault(name, []).append(term.value)
            else:
                found[name] = term.value if term.sign else not term.negated
        return found

    @property
    def filtered_here(self) -> list[str]:
        """The comparisons that the server is not asked for, as they were written."""
        asked = {term.text for term in self._asked}
        texts = dict.fromkeys(term.text for term in self.expression.terms)
        return [text for text in texts if text not in asked]

    @property
    def named(self) -> list[str] | None:
        """The UUIDs or names of the few resources that can match, None if they are not named."""
        names = []
        for terms in self.expression.alternatives:
            values = [
                term.equality
                for term in terms
                if not term.place.related and term.place.field in self.vocabulary.identifiers
            ]
            known = [value for value in values if value and _SAFE_NAME.fullmatch(value)]
            if not known:
                return None
            names.append(known[0])
        found = list(dict.fromkeys(names))
        return found if len(found) <= _MOST_FETCHED else None

    def matches(self, item: Mapping[str, Any]) -> bool:
        """Return whether a resource is selected.

        :param item: its :attr:`fields`, and related resources by their names.
        """
        return self._compared.holds(item)

    def of_related(self, name: str) -> Selection:
        """Return the selection of related resources that selected resources can have."""
        found = Selection((), self.vocabulary.related[name]())
        found.expression = self.expression.of_related(name)
        found._init_from(found.expression)
        return found


def select(
    manager: Manager[ResourceT],
    selection: Selection,
    fields: Sequence[str] | None = (),
    filters: Mapping[str, Any] | None = None,
    related: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None,
    **call: Any,
) -> list[ResourceT]:
    """Return the resources that a selection takes, sorted by name, or UUID without one.

    :param selection: what to take.
    :param fields: the fields to fetch besides those that identify and those compared; None for all.
    :param filters: further arguments of ``list()``.
    :param related: related resources by the names of their types and by their UUIDs.
    """
    resource_type, known = manager.resource_type, related or {}
    detail = bool(resource_type.detail) and fields is None
    wanted: list[str] | None = None
    if fields is not None:
        needed = (f"{name}_uuid" for name in known)
        names = (resource_type.identifier, "name", *selection.fields, *fields, *needed)
        wanted = [one for one in dict.fromkeys(names) if one in resource_type.by_name]

    def with_related(item: Mapping[str, Any]) -> Mapping[str, Any]:
        if not known:
            return item
        others = {name: found.get(item.get(f"{name}_uuid", "")) for name, found in known.items()}
        return {**item, **others}

    found = [
        one
        for one in _candidates(manager, selection, detail, wanted, filters or {}, call)
        if selection.matches(with_related(vars(one)))
    ]
    return sorted(found, key=_label)


def _candidates(
    manager: Manager[ResourceT],
    selection: Selection,
    detail: bool,
    wanted: list[str] | None,
    filters: Mapping[str, Any],
    call: dict[str, Any],
) -> Iterator[ResourceT]:
    named = None if filters else selection.named
    if named is not None:
        seen = set()
        for ident in named:
            try:
                one = manager._get(ident, wanted, **call)
            except exc.NotFound:
                continue
            if _label(one) not in seen:
                seen.add(_label(one))
                yield one
        return
    asked = {**selection.filters, **filters}
    try:
        yield from list_all(manager, asked, detail=detail, fields=wanted, **call)
    except exc.NotFound as error:
        # The server knows no such chassis; other filters just find nothing.
        if asked.get("chassis", "/") not in str(error):
            raise


def _askable(expression: Expression, vocabulary: Vocabulary) -> Iterator[tuple[Term, str]]:
    """Yield the terms that all alternatives have and the server can compare, with the filters."""
    first, *others = expression.alternatives or [()]
    texts = [{term.text for term in terms} for terms in others]
    used: dict[str, int] = {}
    for term in dict.fromkeys(first):
        name = _filter_of(term, vocabulary)
        if not name or not all(term.text in one for one in texts):
            continue
        # A filter that takes one value takes the first; the others are compared here.
        most = _MANY.get(name, 1)
        if most is None or used.get(name, 0) < most:
            used[name] = used.get(name, 0) + 1
            yield term, name


def _filter_of(term: Term, vocabulary: Vocabulary) -> str:
    """Return the argument of ``list()`` for a term, empty if the server cannot compare it."""
    field = term.place.field
    if term.place.related or len(term.place.path) > 1:
        return ""
    if not term.sign:
        return vocabulary.set_filters.get(field, "")
    is_trait = field == "traits" and term.sign == "contains" and not term.negated
    if term.equality is None and not is_trait:
        return ""
    name = vocabulary.filters.get(field, "")
    # Ironic knows chassis only by their UUIDs.
    return "" if name == "chassis" and not is_uuid(term.value) else name


def _label(one: Resource) -> str:
    return str(vars(one).get("name") or getattr(one, type(one).resource_type.identifier))
