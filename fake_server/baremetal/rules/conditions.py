"""The conditions of inspection rules."""

from __future__ import annotations

import operator
from ipaddress import ip_address, ip_network
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from fake_server.baremetal.errors import InspectionRuleExecutionFailure, RuleConditionCheckFailure
from fake_server.baremetal.rules.signatures import Signature
from fake_server.common.regular_expressions import RegularExpressionError, occurs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def _ordered(name: str, holds: Callable[[Any, Any], bool]) -> Callable[..., bool]:
    def check(values: Any, force_strings: bool = False) -> bool:
        if not isinstance(values, list):
            raise RuleConditionCheckFailure(
                reason=f"Failed to check condition: '{name}' on values: {values}: Expected list "
                f"for 'values', got: {type(values).__name__}"
            )
        shown = [str(value) for value in values] if force_strings else values
        return all(holds(one, other) for one, other in pairwise(shown))

    return check


def _is_empty(value: Any) -> bool:
    return str(value) in ("", "None", "[]", "{}")


def _in_net(address: Any, subnet: Any) -> bool:
    try:
        network = ip_network(subnet, strict=False)
    except ValueError:
        raise InspectionRuleExecutionFailure(f"invalid value: invalid IPNetwork {subnet}") from None
    try:
        return ip_address(address) in network
    except ValueError:
        raise ValueError(f"failed to detect a valid IP address from {address!r}") from None


def _matches(value: Any, regex: str) -> bool:
    return _found(regex if regex[-1] == "$" else f"{regex}$", value, at_start=True)


def _contains(value: Any, regex: str) -> bool:
    return _found(regex, value)


def _found(regex: str, value: Any, *, at_start: bool = False) -> bool:
    try:
        return occurs(regex, str(value), at_start=at_start)
    except RegularExpressionError as exc:
        raise InspectionRuleExecutionFailure(f"invalid regular expression: {exc}") from exc


def _one_of(value: Any, values: Any = ()) -> bool:
    return value in values


def _is_none(value: Any) -> bool:
    return value is None


def _is_true(value: Any) -> bool:
    if isinstance(value, str):
        return value.lower() in ("yes", "true")
    return isinstance(value, int | float) and bool(value)


def _is_false(value: Any) -> bool:
    if isinstance(value, str):
        return value.lower() in ("no", "false")
    return value is None or (isinstance(value, int | float) and not value)


_VALUES = Signature(("values",), ("force_strings",), filled=("values",))
_VALUE = Signature(("value",), filled=("value",))
_REGEX = Signature(("value", "regex"), filled=("value",))

#: Conditions by name: their arguments, and the function that checks them.
CONDITIONS: Mapping[str, tuple[Signature, Callable[..., bool]]] = {
    "eq": (_VALUES, _ordered("eq", operator.eq)),
    "lt": (_VALUES, _ordered("lt", operator.lt)),
    "gt": (_VALUES, _ordered("gt", operator.gt)),
    "is-empty": (_VALUE, _is_empty),
    "in-net": (Signature(("address", "subnet"), filled=("address", "subnet")), _in_net),
    "matches": (_REGEX, _matches),
    "contains": (_REGEX, _contains),
    "one-of": (Signature(("value",), ("values",), filled=("value",)), _one_of),
    "is-none": (_VALUE, _is_none),
    "is-true": (_VALUE, _is_true),
    "is-false": (_VALUE, _is_false),
}


def split(op: str) -> tuple[str, bool]:
    """Return the name of a condition and whether its opposite is asked for."""
    return op.strip().lstrip("!").strip(), op.strip().startswith("!")
