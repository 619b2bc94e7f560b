"""Steps: find those of a node, check those that a user names, and run the conductor's own."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.baremetal.conductor.task import Task

#: Interfaces with steps, by their weight among steps of the same priority.
WEIGHTS = {
    "vendor": 7,
    "power": 6,
    "management": 5,
    "firmware": 4,
    "deploy": 3,
    "bios": 2,
    "raid": 1,
}
_SERVICE_WEIGHTS = {**WEIGHTS, "network": 8}
#: Steps that Ironic takes for the conductor's own: it leaves them out, so that nobody does them.
_OWN = frozenset({"power_on", "power_off", "reboot", "hold", "wait"})

StepRecord = dict[str, Any]


def identify(step: StepRecord) -> str:
    """Return a step's interface and name."""
    return f"{step['interface']}.{step['step']}"


def of_node(task: Task, flow: str, *, enabled: bool) -> list[StepRecord]:
    """Return the steps that the node's interfaces offer.

    :param flow: ``clean``, ``deploy`` or ``service``.
    :param enabled: only those that are done without being asked for, in order.
    """
    weights = _SERVICE_WEIGHTS if flow == "service" else WEIGHTS
    found = [step for kind in weights for step in task.driver.interface(kind).offered(task, flow)]
    if not enabled:
        return found
    return _sorted([step for step in found if step["priority"] != 0])


def check(
    task: Task,
    flow: str,
    wanted: Sequence[StepRecord],
    *,
    without_ramdisk: bool = False,
    skip_unknown: bool = False,
    prefix: str = "",
) -> list[StepRecord]:
    """Check steps that a user named, and complete them in place.

    :param without_ramdisk: whether only steps that need no ramdisk may be done.
    :param skip_unknown: whether the node may offer more steps later.
    :param prefix: beginning of the error.
    :returns: the steps that are the driver's business.
    :raises InvalidParameterValue: naming everything that doesn't fit.
    """
    known = {identify(step): step for step in of_node(task, flow, enabled=False)}
    problems: list[str] = []
    result = []
    for step in wanted:
        if step.get("execute_on_child_nodes") or step.get("step") in _OWN:
            continue
        offered = known.get(identify(step))
        if offered is None:
            if not skip_unknown:
                problems.append(f"node does not support this {flow} step: {step}")
            continue
        problems += _problems(flow, step, offered, without_ramdisk)
        result.append(step)
    if flow == "deploy":
        problems += _duplicates(result)
    if problems:
        raise errors.InvalidParameterValue(prefix + "; ".join(problems))
    return result


def need_no_ramdisk(task: Task, wanted: Sequence[StepRecord]) -> bool:
    """Return whether all clean steps that a user named can be done without a ramdisk."""
    known = {identify(step): step for step in of_node(task, "clean", enabled=False)}
    return all(
        step.get("execute_on_child_nodes")
        or step.get("step") in _OWN
        or not known.get(identify(step), {}).get("requires_ramdisk", True)
        for step in wanted
    )


def for_deployment(
    task: Task, wanted: Sequence[StepRecord] | None, *, final: bool = False
) -> list[StepRecord]:
    """Return the steps of a deployment: the driver's, and those that a user named.

    :param final: whether all steps are known by now.
    """
    chosen = check_deployment(task, wanted, final=final)
    named = {identify(step) for step in chosen}
    offered = of_node(task, "deploy", enabled=False)
    own = [step for step in offered if step["priority"] != 0 and identify(step) not in named]
    return allowed(task, "deploy", _sorted(own + [step for step in chosen if step["priority"] > 0]))


def allowed(task: Task, flow: str, found: list[StepRecord]) -> list[StepRecord]:
    """Return the steps without those that the operator disallows."""
    disallowed = getattr(task.session.settings, f"disallow_{flow}_steps")
    return [step for step in found if identify(step) not in disallowed]


def check_deployment(
    task: Task, wanted: Sequence[StepRecord] | None, *, final: bool = False
) -> list[StepRecord]:
    """Check the deploy steps that a user named; raise InvalidParameterValue if they don't fit."""
    wanted = wanted or task.internal.get("user_deploy_steps")
    if not wanted:
        return []
    prefix = 'Validation of deploy steps from "deploy steps" argument failed.'
    return check(task, "deploy", wanted, skip_unknown=not final, prefix=prefix)


def check_injected_failure(task: Task, flow: str, step: StepRecord) -> None:
    """Fail a step that tests have set to fail.

    :param flow: ``clean``, ``deploy`` or ``service``.
    :raises ApiError: with the text that they gave.
    """
    session = task.session
    text = session.fault_injection.failure(session.tx, task.node, flow, identify(step))
    if text is not None:
        raise errors.ApiError(text)


def _sorted(steps: list[StepRecord]) -> list[StepRecord]:
    return sorted(
        steps, key=lambda step: (step["priority"], WEIGHTS[step["interface"]]), reverse=True
    )


def _problems(flow: str, step: StepRecord, offered: StepRecord, without_ramdisk: bool) -> list[str]:
    problems = []
    described = offered.get("argsinfo") or {}
    given = step.get("args") or {}
    surplus = [name for name in given if name not in described]
    if surplus:
        problems.append(f"{flow} step {step} has these unexpected arguments: {', '.join(surplus)}")
    if flow == "deploy" and not isinstance(step["priority"], int):
        raise errors.InvalidParameterValue(
            f"The priority of deploy step {identify(step)} has to be a number, not a string."
        )
    if flow != "deploy" or step["priority"] > 0:
        missing = [
            f"{name} ({info['description']})"
            for name, info in described.items()
            if info.get("required") and name not in given
        ]
        if missing:
            problems.append(
                f"{flow} step {step} is missing these required arguments: {', '.join(missing)}"
            )
        if without_ramdisk and offered.get("requires_ramdisk", True):
            problems.append(f"{flow} step {step} requires booting a ramdisk")
    if flow != "deploy":
        step["abortable"] = offered.get("abortable", False)
        step["priority"] = offered.get("priority", 0)
    elif step["priority"] > 0 and identify(offered) == "deploy.deploy":
        problems.append(
            f"deploy step {step['step']} on interface {step['interface']} is a core step and "
            "cannot be overridden by user steps. It may be disabled by setting the priority to 0"
        )
    return problems


def _duplicates(steps: Sequence[StepRecord]) -> list[str]:
    counted = Counter(identify(step) for step in steps)
    twice = [name for name, count in counted.items() if count > 1]
    if not twice:
        return []
    return [
        "deploy steps from all deploy templates matching this node's instance traits cannot have "
        f"the same interface and step. Duplicate deploy steps for {', '.join(twice)}"
    ]
