"""Apply inspection rules to the results of an inspection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors
from fake_server.baremetal.models import inspection_rules
from fake_server.baremetal.rules.actions import ACTIONS
from fake_server.baremetal.rules.conditions import CONDITIONS, split
from fake_server.baremetal.rules.filling import NodeView, filled, masked
from fake_server.baremetal.rules.signatures import PLUGIN_DATA
from fake_server.db.store import RetryError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fake_server.baremetal.rules.signatures import Signature
    from fake_server.baremetal.task.protocol import Task

Operation = dict[str, Any]


def apply(task: Task, inventory: dict[str, Any], plugin_data: dict[str, Any]) -> None:
    """Apply all rules to a node, those of the highest priority first.

    :param inventory: the hardware that was found.
    :param plugin_data: what else was found; rules may change it.
    :raises ApiError: if a rule wants the inspection to fail, or fails itself.
    """
    for rule in inspection_rules.in_order(task.session):
        try:
            variables = {"inventory": masked(inventory), PLUGIN_DATA: masked(plugin_data)}
            if all(_holds(task, condition, variables) for condition in rule["conditions"] or ()):
                for action in rule["actions"]:
                    _act(task, action, variables, plugin_data)
        except (errors.ApiError, RetryError):
            raise
        except Exception as exc:
            raise errors.ApiError(
                f"Failed to apply rule {rule['uuid']} to node {task.node['uuid']}: {exc}"
            ) from exc


def _holds(task: Task, condition: Operation, variables: Mapping[str, Any]) -> bool:
    items = condition.get("loop") or None
    multiple = condition.get("multiple", "any")
    if items is None:
        return _check(task, condition, variables)
    results: list[bool] = []
    for looped in _loop(items, variables):
        result = _check(task, condition, looped, again=True)
        if multiple == "first" and (result or isinstance(items, dict)):
            return result
        results = [result] if multiple == "last" else [*results, result]
    if multiple == "any":
        return any(results)
    if multiple == "all":
        return all(results)
    return bool(results) and results[0]


def _check(
    task: Task, condition: Operation, variables: Mapping[str, Any], *, again: bool = False
) -> bool:
    name, inverted = split(condition["op"])
    signature, function = CONDITIONS[name]
    arguments = _arguments(task, signature, condition, name, variables, again=again)
    if again and "force_strings" in signature.optional:
        # What came from variables is text, so all is compared as text.
        arguments["force_strings"] = True
    return function(**arguments) is not inverted


def _act(
    task: Task, action: Operation, variables: Mapping[str, Any], plugin_data: dict[str, Any]
) -> None:
    signature, function = ACTIONS[action["op"]]
    items = action.get("loop") or None
    for current in [variables] if items is None else _loop(items, variables):
        arguments = _arguments(
            task, signature, action, action["op"], current, again=items is not None
        )
        if PLUGIN_DATA in signature.required:
            arguments[PLUGIN_DATA] = plugin_data
        function(task, **arguments)


def _loop(items: Any, variables: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for item in [items] if isinstance(items, dict) else items:
        yield {**variables, "item": item}


def _arguments(
    task: Task,
    signature: Signature,
    operation: Operation,
    name: str,
    variables: Mapping[str, Any],
    *,
    again: bool,
) -> dict[str, Any]:
    known = {**variables, "node": NodeView({**task.node, "traits": task.traits})}
    return {
        key: filled(value, known, empty=name == "is-empty", again=again)
        if again or key in signature.filled
        else value
        for key, value in signature.named(operation["args"]).items()
    }
