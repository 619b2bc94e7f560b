"""Rules about the states of a node."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from baremetalclient._bulk.kinds import NODE
from baremetalclient.v1.explain.facts import LONG, ago, in_words, moment
from baremetalclient.v1.explain.finding import RuleFinding, command
from baremetalclient.v1.provision_states import find_state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from baremetalclient.v1.explain.facts import Facts
    from baremetalclient.v1.explain.finding import ShellCommand

_FAULTS = {
    "power failure": "it could not read or change the power state of the machine",
    "clean failure": "cleaning failed",
    "rescue abort failure": "a rescue could not be aborted",
    "service failure": "a service step failed",
}
"""Why Ironic puts a node into maintenance, by fault."""


class _Wait(NamedTuple):
    """What a node waits for its ramdisk for.

    :param work: the work that the ramdisk is booted for.
    :param network: the network that it is booted in.
    :param vif: the key of the VIF that Ironic attaches for it, in ``internal_info`` of ports.
    """

    work: str
    network: str
    vif: str


_WAITS = {
    "wait call-back": _Wait("deployment", "provisioning", "provisioning_vif_port_id"),
    "clean wait": _Wait("cleaning", "cleaning", "cleaning_vif_port_id"),
    "inspect wait": _Wait("inspection", "inspection", "inspection_vif_port_id"),
    "rescue wait": _Wait("rescue", "rescuing", "rescuing_vif_port_id"),
    "service wait": _Wait("service steps", "servicing", "servicing_vif_port_id"),
}
_DEPLOYS = ("power", "management", "boot", "deploy", "network", "storage")
"""The interfaces that a deployment needs."""
_NOTABLE = timedelta(seconds=2)
_IMPATIENCE = LONG / 3
"""The time after which a ramdisk that is alive has usually sent a heartbeat."""


def fault(facts: Facts) -> Iterator[RuleFinding]:
    """Find that Ironic noted a fault, for which it puts nodes into maintenance itself."""
    found = facts.node.get("fault")
    if not found:
        return
    reason = f", {found!r}: {_FAULTS[found]}" if found in _FAULTS else f", {found!r}"
    heals = found == "power failure"
    yield RuleFinding(
        "error",
        f"Ironic noted a fault of the node{reason}. It puts nodes with a fault into maintenance; "
        "remove the cause before the node leaves that."
        + (" It leaves maintenance by itself once the power state can be read." if heals else ""),
        quote=facts.node.get("maintenance_reason") or facts.node.get("last_error"),
        # The controller answers that itself, or not.
        command=command("node", "boot", "device", "show", facts.ident)
        if heals
        else _leave_maintenance(facts),
    )


def maintenance(facts: Facts) -> Iterator[RuleFinding]:
    """Find that the node is in maintenance."""
    if facts.node.get("maintenance"):
        yield RuleFinding(
            "warning",
            "The node is in maintenance: Ironic leaves its power alone, and refuses to deploy, "
            "clean, service and rescue it.",
            quote=facts.node.get("maintenance_reason"),
            command=_leave_maintenance(facts),
        )


def _leave_maintenance(facts: Facts) -> ShellCommand | None:
    if not facts.node.get("maintenance") or facts.node.get("fault") == "power failure":
        return None
    return facts.change("node", "maintenance", "unset", facts.ident)


def stuck(facts: Facts) -> Iterator[RuleFinding]:
    """Find that no conductor works on the node, or one works for unusually long."""
    age, state = facts.age(facts.since), facts.state
    if find_state(state).kind != "working":
        return
    since = "" if age is None else f" for {in_words(age)}"
    if not facts.node.get("reservation"):
        yield RuleFinding(
            "error",
            f"The node has been in state {state!r}{since}, but no conductor works on it. It stays "
            "so unless its conductor is restarted, which lets the operation fail.",
            command=facts.request("manage") if "manage" in facts.verbs else None,
        )
    elif age is not None and age >= LONG:
        yield RuleFinding(
            "warning", f"The node has been in state {state!r}{since}, which is unusually long."
        )


def waiting(facts: Facts) -> Iterator[RuleFinding]:
    """Find that the node waits for its ramdisk."""
    wait, age, beat = _WAITS.get(facts.state), facts.age(facts.since), facts.age(facts.heartbeat)
    if wait is None:
        return
    since = f" for {in_words(age)}" if age is not None and age >= _NOTABLE and beat is None else ""
    step = f" It is at step {facts.step}." if facts.step else ""
    seen = "no heartbeat came so far" if beat is None else f"the last heartbeat came {ago(beat)}"
    left = "" if age is None or age > LONG else f", in {in_words(LONG - age)}"
    verb = "wait" if wait.work.endswith("s") else "waits"
    yield RuleFinding(
        "info" if age is None or age < _IMPATIENCE else "warning",
        f"The {wait.work} {verb}{since} for the ramdisk on the machine; {seen}.{step} Ironic gives "
        f"up by default after {in_words(LONG)} without a heartbeat{left}.",
        command=facts.request("abort") if age is not None and age >= LONG else None,
        checks=tuple(_checks(facts, wait)),
    )


def _checks(facts: Facts, wait: _Wait) -> Iterator[str]:
    """Yield what to look at while the node waits for its ramdisk."""
    host = facts.node.get("conductor")
    for one in facts.conductors or ():
        if one["hostname"] == host:
            told = "is alive" if one.get("alive") else "is down: nobody handles the heartbeats"
            yield f"Conductor {host!r}, which waits for the heartbeats, {told}."
    if facts.heartbeat is not None:
        yield "Step: may it take that long? The ramdisk sends heartbeats while it works."
        yield "Ramdisk: does it still run, and can it reach the API of Ironic? See its console."
        return
    yield "Console: did the machine boot the ramdisk, and what does the ramdisk say?"
    booting = [port["address"] for port in facts.ports or () if port.get("pxe_enabled")]
    if booting:
        yield (
            f"Boot order: does the machine boot from the network, by the port {booting[0]}"
            + (f" or one of {len(booting) - 1} others?" if len(booting) > 1 else "?")
        )
    places = [*(facts.ports or ()), *(facts.portgroups or ())]
    if facts.node.get("network_interface") in ("flat", "neutron") and places:
        attached = any((place.get("internal_info") or {}).get(wait.vif) for place in places)
        told = "is attached to it" if attached else "is attached to none of its ports"
        yield f"Network: a VIF of the {wait.network} network {told}."
    yield f"DHCP: does a server answer the machine in the {wait.network} network?"
    yield "Ramdisk: do deploy_kernel and deploy_ramdisk fit, and can it reach the API of Ironic?"


def last_error(facts: Facts) -> Iterator[RuleFinding]:
    """Find that the last operation failed."""
    quote, cause = facts.node.get("last_error"), facts.cause
    state = find_state(facts.state)
    failed = NODE.failed(facts.node)
    if not quote and not (failed and cause):
        return
    more = ""
    if cause is not None:
        age, then = facts.age(moment(cause.get("created_at"))), cause.get("state")
        where = f", in state {then!r}" if then else ""
        more = "" if age is None else f" That was {ago(age)}{where}."
        if quote and quote != cause.get("event"):
            more += f" What followed: {quote}"
        quote = cause.get("event")
    if failed:
        finding = _after_failure(facts, quote)
    elif facts.state == "enroll":
        finding = RuleFinding(
            "error",
            "Ironic could not verify that it can manage the node. Check the address and the "
            "credentials of its management controller, then try again.",
            quote=quote,
            command=facts.request("manage", needs=("power",)),
        )
    else:
        # The cause may have been the controller, which answers that itself, or not.
        look = ("boot", "device", "show") if "power" in (quote or "") else ("history", "list")
        finding = RuleFinding(
            "warning",
            "An operation on the node failed.",
            quote=quote,
            command=None if state.is_moving else command("node", *look, facts.ident),
        )
    yield replace(finding, text=finding.text + more)


def failed_state(facts: Facts) -> Iterator[RuleFinding]:
    """Find that the state is that after a failure, and Ironic has no message about it."""
    failed = NODE.failed(facts.node)
    if failed and not facts.node.get("last_error") and facts.cause is None:
        yield _after_failure(facts, None)


def _after_failure(facts: Facts, quote: str | None) -> RuleFinding:
    state = find_state(facts.state)
    verb = state.verbs[0]
    if "deploy" in facts.verbs and facts.validation and not facts.invalid(*_DEPLOYS):
        verb = "deploy"
    return RuleFinding(
        "error",
        f"The node is in state {facts.state!r}: {state.meaning}. Once the cause is "
        f"removed, {verb!r} leads out of this state.",
        quote=quote,
        command=facts.request(verb, needs=("power",) if verb == "unrescue" else ()),
    )


def power_off_active(facts: Facts) -> Iterator[RuleFinding]:
    """Find that an instance is there, and the machine is off."""
    node = facts.node
    off = node.get("power_state") == "power off" and not node.get("target_power_state")
    if off and facts.state == "active":
        yield RuleFinding(
            "warning",
            "The node is active, but its power is off, so its instance does not run.",
            command=facts.change(
                "node", "power", "on", facts.ident, accepted=not facts.invalid("power", "storage")
            ),
        )


def power_off_waiting(facts: Facts) -> Iterator[RuleFinding]:
    """Find that the machine, whose ramdisk the node waits for, is off."""
    wait, node = _WAITS.get(facts.state), facts.node
    off = node.get("power_state") == "power off" and not node.get("target_power_state")
    if wait is None or not off or facts.heartbeat is not None:
        return
    # Ironic leaves the power alone while it cleans.
    cleans = facts.state == "clean wait"
    yield RuleFinding(
        "error",
        f"The machine is powered off, so the ramdisk for the {wait.work} can't start on it."
        + (" Ironic refuses to power it on in this state." if cleans else ""),
        command=facts.request("abort")
        if cleans
        else facts.change(
            "node", "power", "on", facts.ident, accepted=not facts.invalid("power", "storage")
        ),
    )


def health(facts: Facts) -> Iterator[RuleFinding]:
    """Find that the management controller reports a problem."""
    found = facts.node.get("health")
    if found in ("Warning", "Critical"):
        yield RuleFinding(
            "error" if found == "Critical" else "warning",
            "The management controller reports a problem with the hardware.",
            quote=found,
        )


def on_hold(facts: Facts) -> Iterator[RuleFinding]:
    """Find that a step waits for an operator."""
    state = find_state(facts.state)
    if state.kind == "on hold":
        yield RuleFinding(
            "warning",
            f"The node is in state {facts.state!r}: {state.meaning} until someone lets it go on.",
            command=facts.request("unhold"),
        )


def retired(facts: Facts) -> Iterator[RuleFinding]:
    """Find that the node is retired."""
    if facts.node.get("retired"):
        yield RuleFinding(
            "info",
            "The node is retired: it can't be made available.",
            quote=facts.node.get("retired_reason"),
        )


def protected(facts: Facts) -> Iterator[RuleFinding]:
    """Find that the instance is protected."""
    if facts.node.get("protected"):
        yield RuleFinding(
            "info",
            "The node is protected: it can't be undeployed or rebuilt.",
            quote=facts.node.get("protected_reason"),
        )


def next_step(facts: Facts) -> Iterator[RuleFinding]:
    """Find that the node is not available to users yet."""
    if facts.state == "enroll" and not facts.node.get("last_error"):
        yield RuleFinding(
            "info",
            "The node is enrolled. The next step is to let Ironic verify that it can manage it.",
            command=facts.request("manage", needs=("power",)),
        )
    elif facts.state == "manageable" and not facts.node.get("retired"):
        yield RuleFinding(
            "info",
            "The node is manageable. The next step is to make it available to users, after "
            "cleaning if that is enabled.",
            command=facts.request("provide", needs=("power", "network")),
        )
    elif facts.state == "rescue":
        yield RuleFinding(
            "info",
            "The rescue ramdisk runs on the node. The next step is to boot its instance again.",
            command=facts.request("unrescue", needs=("power",)),
        )


def history(facts: Facts) -> Iterator[RuleFinding]:
    """Find that an earlier error may be the cause of the present one, or come again."""
    node, errors = facts.node, facts.errors_in_history
    failed = NODE.failed(facts.node)
    in_trouble = failed or node.get("last_error") or node.get("maintenance")
    # To leave a failed state clears last_error, and is no event.
    newest = max(facts.history or (), key=lambda one: str(one.get("created_at")), default=None)
    comes_again = facts.state in ("enroll", "manageable") and newest in errors
    if not (in_trouble or comes_again):
        return
    told = {node.get("last_error")}
    if (failed or node.get("last_error")) and facts.cause is not None:
        told.add(facts.cause.get("event"))
    earlier = next((one for one in errors if one.get("event") not in told), None)
    if earlier is not None:
        state = f" in state {earlier['state']!r}" if earlier.get("state") else ""
        yield RuleFinding(
            "info",
            f"An earlier error, at {earlier.get('created_at')}{state}.",
            quote=earlier.get("event"),
        )
