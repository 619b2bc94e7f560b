"""Parse the capabilities, root device hints and booleans of a node."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_server.baremetal.arguments import boolean
from fake_server.baremetal.errors import InvalidParameterValue
from fake_server.common import json_text
from fake_server.common.parsing import parse_boolean

if TYPE_CHECKING:
    from fake_server.db.store import Record

_INTEGER = re.compile("[+-]?[0-9]{1,4000}")
#: Root device hints and what they hold.
_HINTS: dict[str, type] = {
    "size": int,
    "model": str,
    "wwn": str,
    "serial": str,
    "vendor": str,
    "wwn_with_extension": str,
    "wwn_vendor_extension": str,
    "name": str,
    "rotational": bool,
    "hctl": str,
    "by_path": str,
}


def capability(node: Record, name: str) -> str | None:
    """Return a capability from the node's ``properties``, written ``name:value,…``.

    :raises InvalidParameterValue: if they are no text (Ironic fails at them).
    """
    text = (node["properties"] or {}).get("capabilities") or ""
    if not isinstance(text, str):
        raise InvalidParameterValue(
            f"The capabilities in the properties of node {node['uuid']} must be text such as "
            f"'boot_mode:uefi,cpu_vt:true', not {text!r}."
        )
    for item in text.split(","):
        parts = item.split(":")
        if len(parts) == 2 and parts[0] and parts[1] and parts[0].strip() == name:
            return str(parts[1]).strip()
    return None


def set_capability(node: Record, name: str, value: str) -> None:
    """Set a capability in the node's ``properties``, and leave the others as they are."""
    text = node["properties"].get("capabilities") or ""
    others = [item for item in text.split(",") if item and item.partition(":")[0] != name]
    node["properties"]["capabilities"] = ",".join([*others, f"{name}:{value}"])


def instance_capabilities(node: Record) -> dict[str, Any]:
    """Return the capabilities that the instance asks for, an object or the JSON of one.

    :raises InvalidParameterValue: if they are neither.
    """
    value = (node["instance_info"] or {}).get("capabilities", {})
    if isinstance(value, str):
        try:
            value = json_text.parse(value)
        except ValueError:
            value = None
    if not isinstance(value, dict):
        raise InvalidParameterValue(
            f"Error parsing capabilities from Node {node['uuid']} instance_info field. "
            'A dictionary or a "jsonified" dictionary is expected.'
        )
    return value


def check_root_device(node: Record) -> None:
    """Raise InvalidParameterValue if a hint at the root device can't be read."""
    hints, source = (node["instance_info"] or {}).get("root_device"), "instance_info"
    if not hints:
        hints, source = (node["properties"] or {}).get("root_device"), "properties"
    problem = _problem_of_hints(hints) if hints else None
    if problem:
        raise InvalidParameterValue(
            f"Failed to validate the root device hints {hints} (from the node's {source}) for node "
            f"{node['uuid']}: {problem}"
        )


def _problem_of_hints(hints: Any) -> str | None:
    # Ironic looks for names in any iterable, and fails at other values.
    if not isinstance(hints, dict | list | str) or not all(isinstance(name, str) for name in hints):
        return f"the hints must be an object, not {hints!r}"
    unknown = [name for name in hints if name not in _HINTS]
    if unknown:
        return (
            f'The hints "{", ".join(unknown)}" are invalid. Valid hints are: "{", ".join(_HINTS)}"'
        )
    if not isinstance(hints, dict):
        return f"the hints must be an object, not {hints!r}"
    for name, expression in hints.items():
        problem = _problem_of_hint(name, expression)
        if problem:
            return problem
    return None


def _problem_of_hint(name: str, expression: Any) -> str | None:
    text = str(expression).strip().lower()
    if not text:
        return f'Root device hint "{name}" expression is empty'
    operator, _, rest = text.partition(" ")
    has_operator = operator.startswith(("<", "=", ">", "!", "s")) and not operator.isalnum()
    if _HINTS[name] is str and not isinstance(expression, str):
        return f'Root device hint "{name}" is not a string value. Hint expression: {expression}'
    if _HINTS[name] is int and operator != "<range-in>":
        values = rest.replace(operator, " ").split() if has_operator else [text]
        for value in values:
            if not _INTEGER.fullmatch(value):
                return (
                    f'Root device hint "{name}" is not an integer value. '
                    f"Current value: {expression}"
                )
            if int(value) <= 0:
                return (
                    f'Root device hint "{name}" should be a positive integer. '
                    f"Current value: {expression}"
                )
    if _HINTS[name] is bool and parse_boolean(text) is None:
        return f'Root device hint "{name}" is not a Boolean value. Current value: {expression}'
    return None


def fast_track(node: Record) -> bool:
    """Return whether to use a running agent; raise InvalidParameterValue for an unclear answer."""
    value = (node["driver_info"] or {}).get("fast_track")
    return bool(boolean("value of fast_track", value))
