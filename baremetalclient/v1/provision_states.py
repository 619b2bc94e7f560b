"""The provision states of nodes and the verbs that lead from one to another: the one table.

Source: the state machine of Ironic 39, and the REST API version history. A new verb is a word in
`ProvisionVerb`, a row in `VERBS`, and its name in the rows of the states that accept it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from baremetalclient.microversion import Version, v1

if TYPE_CHECKING:
    from collections.abc import Mapping

ProvisionState = Literal[
    "enroll",
    "verifying",
    "manageable",
    "available",
    "active",
    "deploying",
    "wait call-back",
    "deploy failed",
    "deploy hold",
    "deleting",
    "cleaning",
    "clean wait",
    "clean failed",
    "clean hold",
    "error",
    "inspecting",
    "inspect wait",
    "inspect failed",
    "adopting",
    "adopt failed",
    "rescue",
    "rescuing",
    "rescue wait",
    "rescue failed",
    "unrescuing",
    "unrescue failed",
    "servicing",
    "service wait",
    "service failed",
    "service hold",
]

ProvisionVerb = Literal[
    "active",
    "deploy",
    "deleted",
    "undeploy",
    "rebuild",
    "manage",
    "provide",
    "inspect",
    "abort",
    "clean",
    "adopt",
    "rescue",
    "unrescue",
    "service",
    "unhold",
]

StateKind = Literal["stable", "working", "waiting", "on hold", "failed"]
MainState = Literal["enroll", "manageable", "available", "active"]
Flag = Literal["maintenance", "protected", "retired"]


class Verb(NamedTuple):
    """A provision verb.

    :param since: the first version of the API that has it.
    :param to: the state that it leads to, None if that depends on the state of the node.
    :param refused_by: the fields of a node that refuse the verb if they are true.
    :param instead: the states that it can lead to instead, by the field that is true then.
    :param interrupts: how it interrupts a machine, or what is lost, in words; empty if it doesn't.
    :param plannable: whether a plan may use it on the way to a state that is declared: it needs no
        arguments, and is the usual way.
    """

    since: Version
    to: ProvisionState | None = None
    refused_by: tuple[Flag, ...] = ()
    instead: Mapping[Flag, ProvisionState] = MappingProxyType({})
    interrupts: str = ""
    plannable: bool = False


class State(NamedTuple):
    """A provision state.

    :param kind: ``working``: a conductor works on the node, and has locked it; ``waiting``: for the
        ramdisk; ``on hold``: for an operator; ``stable``; ``failed``: stable after a failure.
    :param main: the state itself if it is one of those on the way of a node to its users and back,
        otherwise the last one of these that the node was in.
    :param verbs: what the node accepts, as commands call it, the usual next verb first. In a failed
        state, that is the one that leads out of it.
    :param meaning: what it means, after "the node".
    """

    kind: StateKind
    main: MainState
    verbs: tuple[ProvisionVerb, ...]
    meaning: str

    @property
    def is_moving(self) -> bool:
        """Whether a node leaves this state by itself."""
        return self.kind in ("working", "waiting")


_DEPLOY = Verb(v1(1), "active", ("maintenance",), plannable=True)
_UNDEPLOY = Verb(
    v1(1),
    "available",
    ("protected",),
    # The cleaning that follows ends there.
    {"retired": "manageable"},
    interrupts="tears down the instance",
    plannable=True,
)

VERBS: Mapping[ProvisionVerb, Verb] = {
    "manage": Verb(v1(4), "manageable", plannable=True),
    "provide": Verb(v1(4), "available", ("retired",), plannable=True),
    "inspect": Verb(v1(6), "manageable"),
    "abort": Verb(v1(13), interrupts="breaks off what is under way", plannable=True),
    "clean": Verb(
        v1(15),
        "manageable",
        ("maintenance",),
        interrupts="cleans the node, which can erase its disks",
    ),
    "adopt": Verb(v1(17), "active"),
    "rescue": Verb(
        v1(38),
        "rescue",
        ("maintenance",),
        interrupts="boots the rescue ramdisk instead of the instance",
    ),
    "unrescue": Verb(
        v1(38),
        "active",
        ("maintenance",),
        interrupts="ends the rescue, and boots the instance again",
        plannable=True,
    ),
    "deploy": _DEPLOY._replace(since=v1(73)),
    "undeploy": _UNDEPLOY._replace(since=v1(73)),
    "unhold": Verb(v1(85)),
    "service": Verb(
        v1(87),
        "active",
        ("maintenance",),
        interrupts="interrupts the instance for service steps",
    ),
    "active": _DEPLOY,
    "deleted": _UNDEPLOY,
    "rebuild": Verb(
        v1(1),
        "active",
        ("maintenance", "protected"),
        interrupts="writes the instance anew",
        plannable=True,
    ),
}
"""The provision verbs of the API."""

FIRST_NAMES: Mapping[ProvisionVerb, ProvisionVerb] = {"deploy": "active", "undeploy": "deleted"}
"""The names of verbs that all versions know, where commands use one that came later."""

_RESCUED: tuple[ProvisionVerb, ...] = ("unrescue", "rescue", "undeploy")

STATES: Mapping[ProvisionState, State] = {
    "enroll": State(
        "stable",
        "enroll",
        ("manage",),
        "it is known to Ironic, which has not tried to manage it yet",
    ),
    "verifying": State("working", "enroll", (), "Ironic checks whether it can manage it"),
    "manageable": State(
        "stable",
        "manageable",
        ("provide", "inspect", "clean", "adopt"),
        "Ironic can manage it, and it is not offered to users yet",
    ),
    "available": State("stable", "available", ("deploy", "manage"), "it is ready to be deployed"),
    "active": State(
        "stable", "active", ("undeploy", "rebuild", "rescue", "service"), "it is in use"
    ),
    "deploying": State("working", "available", (), "Ironic deploys an instance on it"),
    "wait call-back": State(
        "waiting",
        "available",
        ("abort", "undeploy"),
        "the deployment waits for the ramdisk on the machine",
    ),
    "deploy failed": State(
        "failed",
        "available",
        ("undeploy", "deploy", "rebuild"),
        "the deployment of an instance failed",
    ),
    "deploy hold": State("on hold", "available", ("unhold", "abort"), "the deployment is on hold"),
    # Only if the conductor that worked on it is gone, like "cleaning"; else the node is locked.
    "deleting": State("working", "active", ("clean",), "Ironic tears its instance down"),
    "error": State("failed", "active", ("undeploy", "rebuild"), "tearing its instance down failed"),
    "cleaning": State("working", "manageable", ("manage",), "Ironic cleans it"),
    "clean wait": State(
        "waiting", "manageable", ("abort",), "the cleaning waits for the ramdisk on the machine"
    ),
    "clean failed": State("failed", "manageable", ("manage",), "cleaning failed"),
    "clean hold": State("on hold", "manageable", ("unhold", "abort"), "the cleaning is on hold"),
    "inspecting": State("working", "manageable", (), "Ironic inspects its hardware"),
    "inspect wait": State(
        "waiting", "manageable", ("abort",), "the inspection waits for the ramdisk on the machine"
    ),
    "inspect failed": State(
        "failed", "manageable", ("manage", "inspect"), "the inspection of its hardware failed"
    ),
    "adopting": State("working", "manageable", (), "Ironic takes it over with what runs on it"),
    "adopt failed": State(
        "failed", "manageable", ("manage", "adopt"), "taking it over with what runs on it failed"
    ),
    "rescuing": State("working", "active", (), "Ironic boots the rescue ramdisk on it"),
    "rescue wait": State(
        "waiting",
        "active",
        ("abort", "undeploy"),
        "the rescue waits for the ramdisk on the machine",
    ),
    "rescue": State("stable", "active", _RESCUED, "the rescue ramdisk runs on it"),
    "rescue failed": State("failed", "active", _RESCUED, "booting the rescue ramdisk failed"),
    "unrescuing": State("working", "active", (), "Ironic boots its instance again"),
    "unrescue failed": State(
        "failed", "active", _RESCUED, "booting its instance again after a rescue failed"
    ),
    "servicing": State("working", "active", (), "Ironic runs service steps on it"),
    "service wait": State(
        "waiting",
        "active",
        ("abort", "undeploy"),
        "the service steps wait for the ramdisk on the machine",
    ),
    "service failed": State(
        "failed", "active", ("abort", "service", "rescue", "undeploy"), "a service step failed"
    ),
    "service hold": State(
        "on hold", "active", ("unhold", "service", "abort"), "the service steps are on hold"
    ),
}
"""The provision states of the API."""

_UNKNOWN = State("stable", "active", (), "")

_ABORT_SINCE: Mapping[str, Version] = {"inspect wait": v1(41), "wait call-back": v1(110)}
"""The first version in which ``abort`` works, for states where it is not the first of the verb."""


def find_state(name: str | None) -> State:
    """Return the row of a provision state; a state that is not known accepts no verb."""
    return cast("Mapping[str | None, State]", STATES).get(name, _UNKNOWN)


def possible_verbs(node: Mapping[str, Any], version: Version) -> tuple[ProvisionVerb, ...]:
    """Return the verbs that a node accepts, if it is not locked and has a conductor.

    :param node: the fields of the node.
    :param version: the version of the API in use.
    """
    state = node["provision_state"]
    verbs = find_state(state).verbs
    return tuple(verb for verb in verbs if _accepts(node, state, verb, version))


def _accepts(
    node: Mapping[str, Any], state: ProvisionState, verb: ProvisionVerb, version: Version
) -> bool:
    row = VERBS[FIRST_NAMES.get(verb, verb)]
    since = row.since
    refused_by = row.refused_by
    if verb == "abort":
        since = _ABORT_SINCE.get(state, since)
        if state == "inspect wait" and node.get("inspect_interface", "agent") != "agent":
            return False  # no other interface can abort
        if state == "service failed":
            refused_by = ("maintenance",)
    return since <= version and not any(node.get(flag) for flag in refused_by)
