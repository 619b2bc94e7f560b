"""What expressions about a type of resource can name: its fields, and values that are checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from baremetalclient import exc
from baremetalclient._resource.arguments import check_value, parse_boolean
from baremetalclient._suggestion import quoted, suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from baremetalclient._resource.schema import ResourceType


class FieldPath(NamedTuple):
    """Where an expression finds a value.

    :param path: the field, and the keys below it if it is an object.
    :param type: the type of the field; empty below an object, where anything can be.
    :param related: the related resource that has it, such as ``node``; empty for the resource.
    """

    path: tuple[str, ...]
    type: str = ""
    related: str = ""

    @property
    def field(self) -> str:
        """The name of the field."""
        return self.path[0]


@dataclass(frozen=True)
class Vocabulary:
    """The words of expressions about a type of resource.

    :param kind: the name of the type, such as ``node``.
    :param types: the types of the fields by their names.
    :param aliases: other words for fields.
    :param words: returns the values of a field that has a closed set of them, none of others.
    :param always_set: the fields that are never null, empty or false.
    :param filters: the arguments of ``list()`` that compare fields, by the fields.
    :param set_filters: the arguments of ``list()`` that tell whether fields are set.
    :param detailed: the fields that only a detailed list has.
    :param identifiers: the fields whose value identifies a resource in a path.
    :param related: return the vocabularies of related resources, such as the node of a port.
    """

    kind: str
    types: Mapping[str, str]
    aliases: Mapping[str, str] = field(default_factory=dict)
    words: Callable[[str], Sequence[str]] = lambda name: ()
    always_set: frozenset[str] = frozenset()
    filters: Mapping[str, str] = field(default_factory=dict)
    set_filters: Mapping[str, str] = field(default_factory=dict)
    detailed: frozenset[str] = frozenset()
    identifiers: tuple[str, ...] = ()
    related: Mapping[str, Callable[[], Vocabulary]] = field(default_factory=dict)

    @classmethod
    def of_names(cls, kind: str, names: Iterable[str]) -> Vocabulary:
        """Return the vocabulary of resources of another service, which all have a status."""
        return cls(kind, dict.fromkeys(names, ""), always_set=frozenset(("id", "status")))

    def place(self, word: str) -> FieldPath:
        """Return what a word of an expression means.

        :param word: a field or another word for it, with ``-`` or ``_``; keys below it follow
            after ``/``, and the name of a related resource precedes it with a dot.
        :raises ValidationError: if there is no such field.
        """
        related, dot, rest = word.partition(".")
        if dot and related in self.related:
            found = self.related[related]().place(rest)
            return found._replace(related=related)
        first, *below = word.split("/")
        name = first.replace("-", "_")
        name = self.aliases.get(name, name)
        if name not in self.types:
            known = [*self.aliases, *self.types, *(f"{one}.FIELD" for one in self.related)]
            raise exc.ValidationError(
                f"Unknown field {quoted(first)}.{suggestion(first, known, 'Fields')}"
            )
        return FieldPath((name, *below), "" if below else self.types[name])

    def check(self, place: FieldPath, value: str) -> None:
        """Raise an exception for a value that a field cannot have.

        :raises ValidationError: naming the values that it can have.
        """
        if place.related:
            self.related[place.related]().check(place._replace(related=""), value)
            return
        if place.type == "boolean" and parse_boolean(value) is None:
            raise exc.ValidationError(f"{place.field!r} is true or false, and not {quoted(value)}")
        known = self.words(place.field) if len(place.path) == 1 else ()
        if known:
            check_value(place.field.replace("_", " "), value, known)

    def check_alone(self, word: str, place: FieldPath) -> None:
        """Raise an exception for a field that says nothing without a value.

        :param word: how it was written.
        :raises ValidationError: if it is set of each resource.
        """
        owner = self.related[place.related]() if place.related else self
        if place.field in owner.always_set and len(place.path) == 1:
            raise exc.ValidationError(
                f"{word!r} alone is true of each {owner.kind}, whose {place.field} is never empty. "
                f"Compare it with a value: '{word}=…'"
            )


def of_type(
    resource_type: ResourceType, related: Mapping[str, Callable[[], Vocabulary]] | None = None
) -> Vocabulary:
    """Return the vocabulary that follows from the description of a type of resource.

    :param related: return the vocabularies of related resources, by their names.
    """
    known = related or {}
    shown = resource_type.shown_fields
    types = {one.name: one.type for one in shown if one.name not in known}
    names = ("uuid", "name") if resource_type.identifier == "uuid" else (resource_type.identifier,)
    filters = (one.name for one in resource_type.filters if one.many is None)
    return Vocabulary(
        resource_type.name,
        types,
        words=resource_type.words_of,
        always_set=frozenset(one.name for one in shown if one.always_set),
        filters={name: name for name in filters if name in types},
        identifiers=tuple(name for name in names if name in types),
        related=known,
    )
