"""Checks of the values in a file."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.declare.kinds import MAC_FIELDS, POWER_STATES, STABLE_STATES
from baremetalclient.v1 import trait_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from baremetalclient.declare.kinds import Kind

_MAC = re.compile(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}", re.IGNORECASE)
_UUID = re.compile(r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
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


def problems(kind: Kind, name: str, value: Any, place: str, *, strict: bool) -> Iterator[str]:
    """Yield the problems of a value.

    :param place: where it is.
    :param strict: whether to check more than types that YAML may have misread.
    """
    known = kind.schema.by_name.get(name)
    type_ = _SPECIAL_TYPES.get(name, known.type if known else "")
    found = list(_type_problems(value, type_, name, place, strict=strict))
    yield from found
    if not strict or found or value is None:
        return
    form = f"{kind.manager}.{name}" if name == "name" else name
    is_right, message = _FORMS.get(form) or _FORMS.get(type_) or (_is_json, _NOT_JSON)
    if form in _TRAITS:
        problem = _trait_problem(value)
    elif not is_right(value):
        problem = message.format(value)
    else:
        problem = None if _is_json(value) else _NOT_JSON
    if problem:
        yield f"{place} {problem}"


def _type_problems(value: Any, type_: str, name: str, place: str, *, strict: bool) -> Iterator[str]:
    if name in MAC_FIELDS and isinstance(value, int):
        yield (
            f"{place} is the number {value}, which is what an unquoted MAC address is in YAML. "
            f"Quote it: '{_mac_address(value)}'"
        )
        return
    lenient = not strict and type_ in ("boolean", "integer")
    if value is not None and type_ in _TYPES and not lenient:
        wanted, called = _TYPES[type_]
        if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
            # A text may be a secret in the wrong place.
            shown = "text" if isinstance(value, str) else repr(value)
            quotable = wanted is str and not isinstance(value, dict | list)
            quote = f". Quote it: '{value}'" if quotable else ""
            yield f"{place} has to be {called}, not {shown}{quote}"
            return
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _type_problems(inner, "", str(key), f"{place}.{key}", strict=strict)


def _mac_address(number: int) -> str:
    """Return the text that YAML has read as a number with the base 60."""
    groups = []
    for _ in range(5):
        number, group = divmod(number, 60)
        groups.append(group)
    return ":".join(f"{group:02}" for group in [number, *reversed(groups)])


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
    return bool(_NODE_NAME.fullmatch(value)) and not _UUID.fullmatch(value)


def _are_stable(states: list[Any]) -> bool:
    return bool(states) and all(state in STABLE_STATES for state in states)


def _are(*types: type) -> Callable[[Iterable[Any]], bool]:
    return lambda items: all(isinstance(item, types) for item in items)


def _is_json(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_json(item) for key, item in value.items())
    if isinstance(value, list):
        return all(map(_is_json, value))
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, str | int)


_SPECIAL_TYPES = {
    "provision_state": "",
    "vifs": "list",
    "bios_settings": "object",
    "portgroup": "string",
    "node": "string",
    "parent_node": "string",
}
"""The types of fields that are no fields of the API, or not of this type there."""

_NOT_JSON = "has a value that JSON lacks, such as a date, or a key that isn't text"
_TRAITS = ("traits", "deploy_template.name")
_OBJECTS = (_are(dict), "has to be a list of objects")
_TEXTS = (_are(str), "has to be a list of strings")

_FORMS: Mapping[str, tuple[Callable[[Any], object], str]] = {
    "uuid": (_UUID.fullmatch, "has to be a UUID, not {!r}"),
    "address": (_MAC.fullmatch, "has to be a MAC address, not {!r}"),
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
