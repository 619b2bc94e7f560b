"""Rules about the states of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.v1.explain.facts import LONG, in_words
from baremetalclient.v1.explain.finding import Finding
from baremetalclient.v1.provision_states import find_state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from baremetalclient.v1.explain.facts import Facts
    from baremetalclient.v1.explain.finding import Command

_FAULTS = {
    "power failure": "it could not read or change the power state of the machine",
    "clean failure": "cleaning failed",
    "rescue abort failure": "a rescue could not be aborted",
    "service failure": "a service step failed",
}
"""Why Ironic puts a node into maintenance, by fault."""

_SINCE = ("provision_updated_at", "updated_at", "created_at")


def fault(facts: Facts) -> Iterator[Finding]:
    """Find that Ironic noted a fault, for which it puts nodes into maintenance itself."""
    found = facts.node.get("fault")
    if not found:
        return
    reason = f", {found!r}: {_FAULTS[found]}" if found in _FAULTS else f", {found!r}"
    healing = (
        " It leaves maintenance by itself once the power state can be read."
        if found == "power failure"
        else ""
    )
    yield Finding(
        "error",
        f"Ironic noted a fault of the node{reason}. It puts nodes with a fault into maintenance; "
        f"remove the cause before the node leaves that.{healing}",
        quote=facts.node.get("maintenance_reason") or facts.node.get("last_error"),
        command=_leave_maintenance(facts),
    )


def maintenance(facts: Facts) -> Iterator[Finding]:
    """Find that the node is in maintenance."""
    if facts.node.get("maintenance"):
        yield Finding(
            "warning",
            "The node is in maintenance: Ironic leaves its power alone, and refuses to deploy, "
            "clean, service and rescue it.",
            quote=facts.node.get("maintenance_reason"),
            command=_leave_maintenance(facts),
        )


def _leave_maintenance(facts: Facts) -> Command | None:
    if not facts.node.get("maintenance"):
        return None
    return facts.change("node", "maintenance", "unset", facts.ident)


def stuck(facts: Facts) -> Iterator[Finding]:
    """Find that the node stays in a state that should pass."""
    age, state = facts.age(*_SINCE), facts.state
    kind = find_state(state).kind
    since = "" if age is None else f" for {in_words(age)}"
    if kind == "working" and not facts.node.get("reservation"):
        way_out = facts.request("manage") if "manage" in facts.verbs else None
        yield Finding(
            "error",
            f"The node has been in state {state!r}{since}, but no conductor works on it. It stays "
            "so unless its conductor is restarted, which lets the operation fail.",
            command=way_out,
        )
    elif age is not None and age >= LONG and kind == "working":
        yield Finding(
            "warning", f"The node has been in state {state!r}{since}, which is unusually long."
        )
    elif age is not None and age >= LONG and kind == "waiting":
        yield Finding(
            "warning",
            f"The node has waited for its ramdisk{since}. Look at the console of the machine: did "
            "it boot, and can it reach Ironic?",
            command=facts.request("abort"),
        )


def last_error(facts: Facts) -> Iterator[Finding]:
    """Find that the last operation failed."""
    quote = facts.node.get("last_error")
    if not quote:
        return
    if find_state(facts.state).kind == "failed":
        yield _after_failure(facts, quote)
    elif facts.state == "enroll":
        yield Finding(
            "error",
            "Ironic could not verify that it can manage the node. Check the address and the "
            "credentials of its management controller, then try again.",
            quote=quote,
            command=facts.request("manage", needs=("power",)),
        )
    else:
        yield Finding("warning", "An operation on the node failed.", quote=quote)


def failed_state(facts: Facts) -> Iterator[Finding]:
    """Find that the state is that after a failure, and Ironic has no message about it."""
    if find_state(facts.state).kind == "failed" and not facts.node.get("last_error"):
        yield _after_failure(facts, None)


def _after_failure(facts: Facts, quote: str | None) -> Finding:
    state = find_state(facts.state)
    verb = state.verbs[0]
    return Finding(
        "error",
        f"The node is in state {facts.state!r}: {state.meaning}. Once the cause is "
        f"removed, {verb!r} leads out of this state.",
        quote=quote,
        command=facts.request(verb, needs=("power",) if verb == "unrescue" else ()),
    )


def power_off_active(facts: Facts) -> Iterator[Finding]:
    """Find that an instance is there, and the machine is off."""
    node = facts.node
    off = node.get("power_state") == "power off" and not node.get("target_power_state")
    if off and facts.state == "active":
        yield Finding(
            "warning",
            "The node is active, but its power is off, so its instance does not run.",
            command=facts.change(
                "node", "power", "on", facts.ident, accepted=not facts.invalid("power", "storage")
            ),
        )


def health(facts: Facts) -> Iterator[Finding]:
    """Find that the management controller reports a problem."""
    found = facts.node.get("health")
    if found in ("Warning", "Critical"):
        yield Finding(
            "error" if found == "Critical" else "warning",
            "The management controller reports a problem with the hardware.",
            quote=found,
        )


def on_hold(facts: Facts) -> Iterator[Finding]:
    """Find that a step waits for an operator."""
    state = find_state(facts.state)
    if state.kind == "on hold":
        yield Finding(
            "warning",
            f"The node is in state {facts.state!r}: {state.meaning} until someone lets it go on.",
            command=facts.request("unhold"),
        )


def retired(facts: Facts) -> Iterator[Finding]:
    """Find that the node is retired."""
    if facts.node.get("retired"):
        yield Finding(
            "info",
            "The node is retired: it can't be made available.",
            quote=facts.node.get("retired_reason"),
        )


def protected(facts: Facts) -> Iterator[Finding]:
    """Find that the instance is protected."""
    if facts.node.get("protected"):
        yield Finding(
            "info",
            "The node is protected: it can't be undeployed or rebuilt.",
            quote=facts.node.get("protected_reason"),
        )


def next_step(facts: Facts) -> Iterator[Finding]:
    """Find that the node is not available to users yet."""
    if facts.state == "enroll" and not facts.node.get("last_error"):
        yield Finding(
            "info",
            "The node is enrolled. The next step is to let Ironic verify that it can manage it.",
            command=facts.request("manage", needs=("power",)),
        )
    elif facts.state == "manageable" and not facts.node.get("retired"):
        yield Finding(
            "info",
            "The node is manageable. The next step is to make it available to users, after "
            "cleaning if that is enabled.",
            command=facts.request("provide", needs=("power", "network")),
        )
    elif facts.state == "rescue":
        yield Finding(
            "info",
            "The rescue ramdisk runs on the node. The next step is to boot its instance again.",
            command=facts.request("unrescue", needs=("power",)),
        )


def history(facts: Facts) -> Iterator[Finding]:
    """Find that an earlier error may be the cause of the present one, or come again."""
    node = facts.node
    events = sorted(facts.history or (), key=lambda event: str(event.get("created_at")))
    errors = [event for event in events if event.get("severity") == "ERROR"]
    failed = find_state(facts.state).kind == "failed"
    in_trouble = failed or node.get("last_error") or node.get("maintenance")
    # To leave a failed state clears last_error, and is no event.
    comes_again = facts.state in ("enroll", "manageable") and errors[-1:] == events[-1:]
    if not (in_trouble or comes_again):
        return
    for event in reversed(errors):
        text = event.get("event")
        if text != node.get("last_error"):
            state = f" in state {event['state']!r}" if event.get("state") else ""
            yield Finding(
                "info", f"An earlier error, at {event.get('created_at')}{state}.", quote=text
            )
            return
