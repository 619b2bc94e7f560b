"""The conditions of inspection rules."""

from __future__ import annotations

import operator
from ipaddress import ip_address, ip_network
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from fake_server.baremetal.errors import InspectionRuleExecutionFailure, RuleConditionCheckFailure
from fake_server.baremetal.rules.signatures import Operation, operation
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


#: Conditions by name: their arguments, and the function that checks them.
CONDITIONS: Mapping[str, Operation[bool]] = {
    "eq": operation(_ordered("eq", operator.eq), "values"),
    "lt": operation(_ordered("lt", operator.lt), "values"),
    "gt": operation(_ordered("gt", operator.gt), "values"),
    "is-empty": operation(_is_empty, "value"),
    "in-net": operation(_in_net, "address", "subnet"),
    "matches": operation(_matches, "value"),
    "contains": operation(_contains, "value"),
    "one-of": operation(_one_of, "value"),
    "is-none": operation(_is_none, "value"),
    "is-true": operation(_is_true, "value"),
    "is-false": operation(_is_false, "value"),
}


def split(op: str) -> tuple[str, bool]:
    """Return the name of a condition and whether its opposite is asked for."""
    return op.strip().lstrip("!").strip(), op.strip().startswith("!")
