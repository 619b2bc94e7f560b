"""Differences between a file and the server, and the patches that remove them."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from baremetalclient import exc
from baremetalclient._http.redact import MASK, is_secret, masked
from baremetalclient.declare.lab_kinds import folded
from baremetalclient.declare.secrets import holds_secret, is_redacted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Path = tuple[str, ...]
"""The place of a value: the name of a field, and possibly a key of the object in it."""

_ORDERED = "steps"
_SENSITIVE = ("actions", "conditions")
"""What Ironic doesn't show of sensitive inspection rules."""
_NOT_REMOVABLE = ("automated_clean",)
_FIRST = ("portgroup_uuid", "physical_network")
_IN_PATHS = re.compile(r"[\w-]+")


class Change(NamedTuple):
    """A value that differs.

    :param old: the value on the server, None if there is none.
    :param new: the value in the file, None for none.
    """

    old: Any
    new: Any

    def added(self) -> list[str]:
        """Return what is only in the new list."""
        return sorted({*self.new} - {*(self.old or ())})

    def removed(self) -> list[str]:
        """Return what is only in the old list."""
        return sorted({*(self.old or ())} - {*self.new})


Changes = dict[Path, Change]


def differences(
    wanted: Mapping[Path, Any], found: Mapping[str, Any], *, refresh_secrets: bool = False
) -> Changes:
    """Return the values that differ.

    :param refresh_secrets: whether secrets that the server masks count as different.
    """
    changes = {}
    for path, new in wanted.items():
        old = _value_at(found, path)
        if found.get("sensitive") and path[0] in _SENSITIVE and not refresh_secrets:
            continue
        if old is not _HIDDEN and not same(new, old, path[-1], refresh_secrets=refresh_secrets):
            changes[path] = Change(old, new)
    return changes


def secrets_not_compared(wanted: Mapping[Path, Any], found: Mapping[str, Any]) -> int:
    """Return how many values of a file are not compared because the server masks them."""
    return sum(
        1
        if found.get("sensitive") and path[0] in _SENSITIVE
        else _masked_on_server(new, _value_at(found, path))
        for path, new in wanted.items()
    )


def _masked_on_server(new: Any, old: Any) -> int:
    if isinstance(new, dict) and isinstance(old, dict):
        return sum(_masked_on_server(new[key], old[key]) for key in new.keys() & old.keys())
    if isinstance(new, list) and isinstance(old, list):
        return sum(map(_masked_on_server, new, old))
    return int(isinstance(old, str) and MASK in old and new is not None)


def same(new: Any, old: Any, name: str = "", *, refresh_secrets: bool = False) -> bool:
    """Return whether a value in a file is the same as on the server.

    A secret that the server masks counts as the same.

    :param name: the name of the field, or the key of the object.
    :param refresh_secrets: whether masked secrets count as different.
    """
    alike = partial(same, refresh_secrets=refresh_secrets)
    if isinstance(old, str) and MASK in old:
        if refresh_secrets or new is None:
            return False
        parts = (re.escape(part) for part in old.split(MASK))
        return not isinstance(new, str) or bool(re.fullmatch(".*".join(parts), new, re.DOTALL))
    if isinstance(new, dict) and isinstance(old, dict):
        return new.keys() == old.keys() and all(alike(new[key], old[key], key) for key in new)
    if isinstance(new, list) and isinstance(old, list):
        if len(new) != len(old):
            return False
        if name == _ORDERED:
            return all(map(alike, new, old))
        rest = list(old)
        for one in new:
            at = next((at for at, other in enumerate(rest) if alike(one, other)), None)
            if at is None:
                return False
            del rest[at]
        return True
    if isinstance(new, bool) or isinstance(old, bool):
        return new is old
    return bool(folded(name, new) == folded(name, old))


def patch(
    changes: Mapping[Path, Change],
    found: Mapping[str, Any] | None = None,
    wanted: Mapping[Path, Any] | None = None,
) -> list[dict[str, Any]]:
    """Return the JSON patch for changes.

    Ironic accepts only some characters in paths; an object whose key has others is replaced.

    :param wanted: the values that are owned, secrets included.
    :raises ValidationError: if an object would have to be replaced that holds unknown secrets.
    """
    # Ironic notices a change of these only in the first operation.
    ordered = sorted(changes, key=lambda path: [path[0] != name for name in _FIRST])
    whole = {path[0] for path in changes if not all(map(_IN_PATHS.fullmatch, path))}
    replaced = {(name,): _replaced(name, changes, found or {}, wanted or {}) for name in whole}
    return [
        *(_operation(path, changes[path].new) for path in ordered if path[0] not in whole),
        *(_operation(path, value) for path, value in replaced.items()),
    ]


def pointer(path: Path) -> str:
    """Return a path as text: its segments with slashes between them."""
    return "/".join(segment.replace("~", "~0").replace("/", "~1") for segment in path)


def shown(changes: Mapping[Path, Change], *, sensitive: bool = False) -> dict[str, dict[str, Any]]:
    """Return changes for output, with secrets masked.

    :param sensitive: whether they are those of a sensitive inspection rule.
    """
    return {
        pointer(path): _shown(path, change, hidden=sensitive and path[0] in _SENSITIVE)
        for path, change in changes.items()
    }


def put(found: dict[str, Any], path: Path, value: Any) -> None:
    """Set a value at a path of a resource, whose other objects stay as they are."""
    name, *keys = path
    if keys:
        value = {**(found.get(name) or {}), keys[0]: value}
    found[name] = value


def empties_secret(change: Change) -> bool:
    """Return whether a change removes a secret, which the server shows to nobody."""
    return not change.new and MASK in json.dumps(change.old)


def changed_since(changes: Mapping[Path, Change], found: Mapping[str, Any]) -> Changes:
    """Return what differs from what changes were planned from.

    :param found: the resource as it is now; a field that it lacks is not compared.
    """
    now = {path: _value_at(found, path) for path in changes if path[0] in found}
    return {
        path: Change(changes[path].old, value)
        for path, value in now.items()
        if value is not _HIDDEN and not same(changes[path].old, value, path[-1])
    }


def fields_of(changes: Iterable[Path]) -> set[str]:
    """Return the names of the fields that are changed, wholly or in part."""
    return {path[0] for path in changes}


def _replaced(
    name: str,
    changes: Mapping[Path, Change],
    found: Mapping[str, Any],
    wanted: Mapping[Path, Any],
) -> dict[str, Any]:
    merged = dict(found.get(name) or {})
    merged |= {path[1]: wanted[path] for path in wanted if path[0] == name and path[1] in merged}
    for path, change in changes.items():
        if path[0] == name:
            merged[path[1]] = change.new
    merged = {key: value for key, value in merged.items() if value is not None}
    if MASK in json.dumps(merged):
        raise exc.ValidationError(
            f"{name} can only be changed as a whole, because of the characters in one of its keys, "
            "and Ironic masks the secrets in it. Add these secrets to the file."
        )
    return merged


_HIDDEN = object()
"""Stands for an object that the server does not show to this user."""


def _value_at(found: Mapping[str, Any], path: Path) -> Any:
    value: Any = found
    for segment in path:
        value = value.get(segment) if isinstance(value, dict) else None
        if is_redacted(value):
            return _HIDDEN
    return value


def _operation(path: Path, value: Any) -> dict[str, Any]:
    where = f"/{pointer(path)}"
    if value is None and path[0] not in _NOT_REMOVABLE:
        return {"op": "remove", "path": where}
    # To add a member that is there already replaces it.
    return {"op": "add", "path": where, "value": value}


def _shown(path: Path, change: Change, *, hidden: bool) -> dict[str, Any]:
    if hidden or any(map(is_secret, path)) or holds_secret(change.new):
        old, new = (None if value is None else MASK for value in change)
    else:
        old, new = (masked(value) for value in change)
    return {"old": old, "new": new}
