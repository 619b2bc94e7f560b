"""Checks of the values in a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._resource.arguments import is_like_uuid
from baremetalclient.declare import spelling
from baremetalclient.declare.lab_kinds import POWER_STATES, STABLE_STATES
from baremetalclient.v1 import trait_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from baremetalclient.declare.lab_kinds import LabKind
    from baremetalclient.declare.source import Source

_NODE_NAME = re.compile(r"[A-Za-z0-9._~-]+")

_TYPES: dict[str, tuple[type, str]] = {
    "string": (str, "text"),
    "uuid": (str, "text"),
    "object": (dict, "an object"),
    "list": (list, "a list"),
    "boolean": (bool, "true or false"),
    "integer": (int, "a number"),
}
"""The Python type of values of a field by the field's type, and its name in messages."""


def problems(kind: LabKind, name: str, value: Any, place: str, source: Source) -> Iterator[str]:
    """Yield the problems of a value.

    :param place: where it is.
    :param source: what it is from.
    """
    known = kind.schema.by_name.get(name)
    type_ = _SPECIAL_TYPES.get(name, known.type if known else "")
    if value is None:
        return
    if problem := _type_problem(value, type_, name, place, source) or _problem(
        kind, name, value, type_
    ):
        yield f"{place} {problem}"


def _type_problem(value: Any, type_: str, name: str, place: str, source: Source) -> str | None:
    if type_ not in _TYPES:
        return None
    wanted, called = _TYPES[type_]
    if isinstance(value, wanted) and (wanted is not int or not isinstance(value, bool)):
        return None
    # A text may be a secret in the wrong place.
    shown = "text" if isinstance(value, str) else repr(value)
    quotable = wanted is str and not isinstance(value, dict | list)
    quote = f".{spelling.quoted(name, value, source, place)}" if quotable else ""
    return f"has to be {called}, not {shown}{quote}"


def _problem(kind: LabKind, name: str, value: Any, type_: str) -> str | None:
    form = f"{kind.manager}.{name}" if name == "name" else name
    if form in _TRAITS:
        return _trait_problem(value)
    if form == "address":
        return _mac_problem(value)
    is_right, message = _FORMS.get(form) or _FORMS.get(type_) or (None, "")
    return None if is_right is None or is_right(value) else message.format(value)


def _mac_problem(value: str) -> str | None:
    if spelling.MAC.fullmatch(value):
        return None
    meant = spelling.mac_address(value)
    return f"has to be a MAC address, not {value!r}" + (f". Write '{meant}'" if meant else "")


def _trait_problem(value: Any) -> str | None:
    """Return what is wrong with a list of traits, or with one trait."""
    traits = value if isinstance(value, list) else [value]
    if len(set(map(str, traits))) > trait_names.MAX_NUMBER:
        return f"has {len(traits)} traits, the maximum is {trait_names.MAX_NUMBER}"
    for trait in traits:
        if not isinstance(trait, str):
            return f"has to be a list of strings, not {trait!r}"
        try:
            trait_names.check(trait)
        except exc.ValidationError as error:
            return f"is wrong: {str(error).rstrip('.')}"
    return None


def _is_node_name(value: str) -> bool:
    return bool(_NODE_NAME.fullmatch(value)) and not is_like_uuid(value)


def _are_stable(states: list[Any]) -> bool:
    return bool(states) and all(state in STABLE_STATES for state in states)


def _are(*types: type) -> Callable[[Iterable[Any]], bool]:
    return lambda items: all(isinstance(item, types) for item in items)


_SPECIAL_TYPES = {
    "provision_state": "",
    "vifs": "list",
    "bios_settings": "object",
    "portgroup": "string",
    "node": "string",
    "parent_node": "string",
}
"""The types of fields that are no fields of the API, or not of this type there."""

_TRAITS = ("traits", "deploy_template.name")
_OBJECTS = (_are(dict), "has to be a list of objects")
_TEXTS = (_are(str), "has to be a list of strings")

_FORMS: Mapping[str, tuple[Callable[[Any], object], str]] = {
    "uuid": (is_like_uuid, "has to be a UUID, not {!r}"),
    "node.name": (
        _is_node_name,
        "cannot be {!r}: a name has letters, digits, '-', '.', '_' and '~'",
    ),
    "vifs": _TEXTS,
    "candidate_nodes": _TEXTS,
    "bios_settings": (
        lambda value: _are(str, int)(value.values()),
        "has to be an object whose values are text or numbers",
    ),
    "steps": _OBJECTS,
    "actions": _OBJECTS,
    "conditions": _OBJECTS,
    "provision_state": (
        lambda value: _are_stable(value if isinstance(value, list) else [value]),
        f"cannot be {{!r}}: use one of {', '.join(STABLE_STATES)}, or a list of those that will do",
    ),
    "power_state": (
        POWER_STATES.__contains__,
        f"cannot be {{!r}}: use one of {', '.join(POWER_STATES)}",
    ),
}
"""Tests of values by the field or its type, and what is wrong with those that fail."""
