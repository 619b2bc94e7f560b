"""Rules about conductors, locks and API versions, without which a node can't be changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient.v1.explain.facts import LONG, ago, in_words, moment
from baremetalclient.v1.explain.finding import RuleFinding, command
from baremetalclient.v1.node_fields import Node
from baremetalclient.v1.provision_states import find_state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from baremetalclient.v1.explain.facts import Facts

_FIELDS = (
    *("network_interface", "resource_class", "traits", "fault", "protected", "conductor"),
    *("retired", "health"),
)
"""The fields that rules read and old versions of the API lack."""

_NAMES = {
    "ports": "ports",
    "portgroups": "port groups",
    "connectors": "volume connectors",
    "targets": "volume targets",
    "history": "the history",
    "conductors": "conductors",
    "properties": "the properties of the driver",
    "validation": "the validation",
    "vifs": "VIFs",
}


def conductor_down(facts: Facts) -> Iterator[RuleFinding]:
    """Find that no conductor works for the node."""
    if facts.has_conductor:
        return
    group = facts.node.get("conductor_group")
    place = f" in conductor group {group!r}" if group else ""
    down = [one["hostname"] for one in facts.conductors or () if not one.get("alive")]
    yield RuleFinding(
        "error",
        f"No conductor is alive that works for driver {facts.node.get('driver')!r}{place}, so "
        "Ironic refuses all changes of the node. Start the service ironic-conductor"
        + (f"; down: {', '.join(down)}." if down else "."),
        quote=facts.refusal,
        command=command("conductor", "list"),
    )


def reserved(facts: Facts) -> Iterator[RuleFinding]:
    """Find that another operation has locked the node."""
    host = facts.node.get("reservation")
    if not host:
        return
    age = facts.age(moment(facts.node.get("updated_at")) or moment(facts.node.get("created_at")))
    since = "" if age is None else f" for at least {in_words(age)}"
    text = (
        f"Conductor {host!r} has locked the node{since}. Until it unlocks the node, Ironic refuses "
        "changes."
    )
    known = {one["hostname"]: one for one in facts.conductors or ()}
    if host in known and not known[host].get("alive"):
        yield RuleFinding(
            "error",
            f"{text} This conductor is down: the lock stays until another one takes the node over, "
            "or until it is started again.",
            command=command("conductor", "show", host),
        )
    elif known and host not in known:
        yield RuleFinding(
            "error",
            f"{text} Ironic knows no such conductor, so nothing will unlock it.",
            command=command("conductor", "list"),
        )
    else:
        usual = find_state(facts.state).kind == "working" and (age is None or age < LONG)
        sign = facts.age(moment(known[host].get("updated_at"))) if host in known else None
        alive = "" if sign is None else f" It is alive: its last sign of life came {ago(sign)}."
        yield RuleFinding("info" if usual else "warning", f"{text}{alive}")


def microversion(facts: Facts) -> Iterator[RuleFinding]:
    """Find that the version of the API lacks something that rules need."""
    lacking: list[tuple[str, tuple[int, int]]] = [
        (f"the field {name!r}", field.since)
        for name in _FIELDS
        if (field := Node.resource_type.by_name[name]).since > facts.version
    ]
    newer = facts.newest is not None and facts.newest > facts.version
    for error in facts.errors.values():
        if isinstance(error, exc.UnsupportedVersion) and error.required:
            lacking.append((str(error.feature), error.required))
    if not lacking:
        return
    names = ", ".join(f"{name} (since {major}.{minor})" for name, (major, minor) in lacking)
    words = ("--os-baremetal-api-version", "latest", "node", "explain", facts.ident)
    yield RuleFinding(
        "info",
        f"The API version in use, {facts.version}, lacks {names}. "
        + ("The server offers newer ones." if newer else "The server offers no newer one."),
        command=command(*words) if newer else None,
    )


def incomplete(facts: Facts) -> Iterator[RuleFinding]:
    """Find that something could not be fetched."""
    for name, error in facts.errors.items():
        if not isinstance(error, exc.UnsupportedVersion):
            yield RuleFinding("info", f"Not looked at: {_NAMES[name]}.", quote=str(error))
