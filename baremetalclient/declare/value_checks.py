"""Checks of the values in a file."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.declare.kinds import POWER_STATES, STABLE_STATES
from baremetalclient.v1 import trait_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from baremetalclient.declare.kinds import Kind

    Check = Callable[[Any], str | None]

MAC_FIELDS = ("address", "switch_id")

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
    type_ = _SPECIAL_TYPES.get(name) or (known.type if known else "")
    found = list(_type_problems(value, type_, name, place, strict=strict))
    yield from found
    if not strict or found or value is None:
        return
    check = _FORMS.get(name)
    if check is None and type_ == "uuid":
        check = _uuid
    if name == "name" and kind.manager == "node":
        check = _node_name
    if name == "name" and kind.manager == "deploy_template":
        check = _trait
    problem = check(value) if check else None
    if problem:
        yield f"{place} {problem}"
    elif not _is_json(value):
        yield f"{place} has a value that JSON lacks, such as a date, or a key that isn't text"


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


def _mac(value: str) -> str | None:
    return None if _MAC.fullmatch(value) else f"has to be a MAC address, not {value!r}"


def _uuid(value: str) -> str | None:
    return None if _UUID.fullmatch(value) else f"has to be a UUID, not {value!r}"


def _node_name(value: str) -> str | None:
    if _NODE_NAME.fullmatch(value) and not _UUID.fullmatch(value):
        return None
    return f"cannot be {value!r}: a name has letters, digits, '-', '.', '_' and '~'"


def _trait(value: Any) -> str | None:
    if not isinstance(value, str):
        return f"has to be a list of strings, not {value!r}"
    try:
        trait_names.check(value)
    except exc.ValidationError as error:
        return f"is wrong: {str(error).rstrip('.')}"
    return None


def _traits(value: list[Any]) -> str | None:
    if len(set(map(str, value))) > trait_names.MAX_NUMBER:
        return f"has {len(value)} traits, the maximum is {trait_names.MAX_NUMBER}"
    return next(filter(None, map(_trait, value)), None)


def _texts(value: list[Any]) -> str | None:
    return None if all(isinstance(item, str) for item in value) else "has to be a list of strings"


def _objects(value: list[Any]) -> str | None:
    return None if all(isinstance(item, dict) for item in value) else "has to be a list of objects"


def _settings(value: dict[str, Any]) -> str | None:
    if all(isinstance(item, str | int) for item in value.values()):
        return None
    return "has to be an object whose values are text or numbers"


def _one_of(words: tuple[str, ...]) -> Check:
    return lambda value: (
        None if value in words else f"cannot be {value!r}: use one of {', '.join(words)}"
    )


def _is_json(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_json(item) for key, item in value.items())
    if isinstance(value, list):
        return all(map(_is_json, value))
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, str | int)


_SPECIAL_TYPES = {
    "vifs": "list",
    "bios_settings": "object",
    "portgroup": "string",
    "node": "string",
    "parent_node": "string",
}
"""The types of fields that are no fields of the API, or not of this type there."""

_FORMS: dict[str, Check] = {
    "address": _mac,
    "traits": _traits,
    "vifs": _texts,
    "candidate_nodes": _texts,
    "bios_settings": _settings,
    "steps": _objects,
    "actions": _objects,
    "conditions": _objects,
    "provision_state": _one_of(STABLE_STATES),
    "power_state": _one_of(POWER_STATES),
}
