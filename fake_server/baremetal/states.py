"""The states of a node and how one leads to another: the state machine as a table.

Source: the Bare Metal state machine of Ironic 39.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal.errors import InvalidState

if TYPE_CHECKING:
    from collections.abc import Mapping

# Provision states.
ENROLL = "enroll"
VERIFYING = "verifying"
MANAGEABLE = "manageable"
AVAILABLE = "available"
ACTIVE = "active"
DEPLOYING = "deploying"
DEPLOYWAIT = "wait call-back"
DEPLOYFAIL = "deploy failed"
DEPLOYHOLD = "deploy hold"
DELETING = "deleting"
CLEANING = "cleaning"
CLEANWAIT = "clean wait"
CLEANFAIL = "clean failed"
CLEANHOLD = "clean hold"
ERROR = "error"
INSPECTING = "inspecting"
INSPECTFAIL = "inspect failed"
INSPECTWAIT = "inspect wait"
ADOPTING = "adopting"
ADOPTFAIL = "adopt failed"
RESCUE = "rescue"
RESCUEFAIL = "rescue failed"
RESCUEWAIT = "rescue wait"
RESCUING = "rescuing"
UNRESCUEFAIL = "unrescue failed"
UNRESCUING = "unrescuing"
SERVICING = "servicing"
SERVICEWAIT = "service wait"
SERVICEFAIL = "service failed"
SERVICEHOLD = "service hold"

# Power states, and what may be asked for.
POWER_ON = "power on"
POWER_OFF = "power off"
REBOOT = "rebooting"
SOFT_REBOOT = "soft rebooting"
SOFT_POWER_OFF = "soft power off"
POWER_TARGETS = (POWER_ON, POWER_OFF, REBOOT, SOFT_REBOOT, SOFT_POWER_OFF)
#: Actions after which the node is on; the others leave it off.
POWERING_ON = (POWER_ON, REBOOT, SOFT_REBOOT)

#: What ``PUT …/states/provision`` calls an event.
VERBS: Mapping[str, str] = {
    "active": "deploy",
    "deploy": "deploy",
    "deleted": "delete",
    "undeploy": "delete",
    **{
        verb: verb
        for verb in (
            "manage",
            "provide",
            "inspect",
            "abort",
            "clean",
            "adopt",
            "rescue",
            "unrescue",
            "unhold",
            "service",
        )
    },
}

STABLE = frozenset({ENROLL, MANAGEABLE, AVAILABLE, ACTIVE, ERROR, RESCUE})
#: States that change without a request.
UNSTABLE = frozenset(
    {
        DEPLOYING,
        DEPLOYWAIT,
        CLEANING,
        CLEANWAIT,
        VERIFYING,
        DELETING,
        INSPECTING,
        INSPECTWAIT,
        ADOPTING,
        RESCUING,
        RESCUEWAIT,
        UNRESCUING,
        SERVICING,
        SERVICEWAIT,
    }
)
FAILED = frozenset(
    {DEPLOYFAIL, CLEANFAIL, INSPECTFAIL, RESCUEFAIL, UNRESCUEFAIL, ADOPTFAIL, SERVICEFAIL}
)
#: Transitional states in which a node may be changed.
UPDATABLE = frozenset(
    {
        DEPLOYFAIL,
        INSPECTING,
        INSPECTFAIL,
        INSPECTWAIT,
        CLEANFAIL,
        ERROR,
        VERIFYING,
        ADOPTFAIL,
        RESCUEFAIL,
        UNRESCUEFAIL,
        "service",
        SERVICEHOLD,
        SERVICEFAIL,
    }
)
#: States in which an agent may look its node up, and those where it may be kept running.
LOOKUP = frozenset(
    {
        DEPLOYING,
        DEPLOYWAIT,
        CLEANING,
        CLEANWAIT,
        INSPECTING,
        INSPECTWAIT,
        RESCUING,
        RESCUEWAIT,
        SERVICEWAIT,
    }
)
FAST_TRACK_LOOKUP = LOOKUP | {ENROLL, MANAGEABLE, AVAILABLE, SERVICING, SERVICEHOLD}
#: States in which heartbeats are only noted, and those where nodes wait for them.
HEARTBEAT_NOTED = frozenset(
    {CLEANING, DEPLOYING, RESCUING, DEPLOYHOLD, CLEANHOLD, SERVICING, SERVICEHOLD}
)
HEARTBEAT_AWAITED = frozenset({DEPLOYWAIT, CLEANWAIT, RESCUEWAIT, SERVICEWAIT})
#: States in which heartbeats are noted as well where agents may be kept running.
FAST_TRACK_HEARTBEAT = frozenset({ENROLL, MANAGEABLE, AVAILABLE})
#: States in which a node can't stay longer than a while without a sign of life.
WAITING = HEARTBEAT_AWAITED | {INSPECTWAIT}
#: States in which a node may be deleted, in the order in which errors name them.
DELETABLE = (MANAGEABLE, ENROLL, ADOPTFAIL)

#: Where a node in a transitional state is bound for.
TARGETS: Mapping[str, str] = {
    VERIFYING: MANAGEABLE,
    DEPLOYING: ACTIVE,
    DEPLOYWAIT: ACTIVE,
    DEPLOYFAIL: ACTIVE,
    DEPLOYHOLD: ACTIVE,
    CLEANING: AVAILABLE,
    CLEANWAIT: AVAILABLE,
    CLEANFAIL: AVAILABLE,
    CLEANHOLD: AVAILABLE,
    DELETING: AVAILABLE,
    INSPECTING: MANAGEABLE,
    INSPECTFAIL: MANAGEABLE,
    INSPECTWAIT: MANAGEABLE,
    ADOPTING: ACTIVE,
    ADOPTFAIL: ACTIVE,
    RESCUING: RESCUE,
    RESCUEWAIT: RESCUE,
    RESCUEFAIL: RESCUE,
    UNRESCUING: ACTIVE,
    UNRESCUEFAIL: ACTIVE,
    SERVICING: ACTIVE,
    SERVICEWAIT: ACTIVE,
    SERVICEFAIL: ACTIVE,
    SERVICEHOLD: ACTIVE,
}

#: Every transition: state -> event -> next state.
TRANSITIONS: Mapping[str, Mapping[str, str]] = {
    ENROLL: {"manage": VERIFYING},
    VERIFYING: {"done": MANAGEABLE, "fail": ENROLL},
    MANAGEABLE: {
        "provide": CLEANING,
        "clean": CLEANING,
        "inspect": INSPECTING,
        "adopt": ADOPTING,
    },
    AVAILABLE: {"deploy": DEPLOYING, "manage": MANAGEABLE},
    ACTIVE: {
        "rebuild": DEPLOYING,
        "delete": DELETING,
        "rescue": RESCUING,
        "service": SERVICING,
    },
    DEPLOYING: {"fail": DEPLOYFAIL, "wait": DEPLOYWAIT, "hold": DEPLOYHOLD, "done": ACTIVE},
    DEPLOYWAIT: {
        "hold": DEPLOYHOLD,
        "resume": DEPLOYING,
        "fail": DEPLOYFAIL,
        "abort": DEPLOYFAIL,
        "delete": DELETING,
    },
    DEPLOYFAIL: {"rebuild": DEPLOYING, "deploy": DEPLOYING, "delete": DELETING},
    DEPLOYHOLD: {"unhold": DEPLOYWAIT, "abort": DEPLOYFAIL},
    DELETING: {"fail": ERROR, "clean": CLEANING},
    ERROR: {"rebuild": DEPLOYING, "delete": DELETING},
    CLEANING: {
        "done": AVAILABLE,
        "fail": CLEANFAIL,
        "wait": CLEANWAIT,
        "hold": CLEANHOLD,
        "manage": MANAGEABLE,
    },
    CLEANWAIT: {"fail": CLEANFAIL, "abort": CLEANFAIL, "hold": CLEANHOLD, "resume": CLEANING},
    CLEANHOLD: {"abort": CLEANFAIL, "unhold": CLEANWAIT},
    CLEANFAIL: {"manage": MANAGEABLE},
    INSPECTING: {"done": MANAGEABLE, "fail": INSPECTFAIL, "wait": INSPECTWAIT},
    INSPECTWAIT: {
        "done": MANAGEABLE,
        "fail": INSPECTFAIL,
        "abort": INSPECTFAIL,
        "resume": INSPECTING,
    },
    INSPECTFAIL: {"manage": MANAGEABLE, "inspect": INSPECTING},
    ADOPTING: {"done": ACTIVE, "fail": ADOPTFAIL},
    ADOPTFAIL: {"adopt": ADOPTING, "manage": MANAGEABLE},
    RESCUING: {"done": RESCUE, "wait": RESCUEWAIT, "fail": RESCUEFAIL},
    RESCUEWAIT: {
        "resume": RESCUING,
        "fail": RESCUEFAIL,
        "abort": RESCUEFAIL,
        "delete": DELETING,
    },
    RESCUE: {"rescue": RESCUING, "delete": DELETING, "unrescue": UNRESCUING},
    RESCUEFAIL: {"rescue": RESCUING, "unrescue": UNRESCUING, "delete": DELETING},
    UNRESCUING: {"done": ACTIVE, "fail": UNRESCUEFAIL},
    UNRESCUEFAIL: {"rescue": RESCUING, "unrescue": UNRESCUING, "delete": DELETING},
    SERVICING: {"done": ACTIVE, "fail": SERVICEFAIL, "wait": SERVICEWAIT, "hold": SERVICEHOLD},
    SERVICEWAIT: {
        "hold": SERVICEHOLD,
        "resume": SERVICING,
        "fail": SERVICEFAIL,
        "abort": SERVICEFAIL,
        "delete": DELETING,
    },
    SERVICEHOLD: {
        "service": SERVICING,
        "unhold": SERVICEWAIT,
        "fail": SERVICEFAIL,
        "abort": SERVICEFAIL,
    },
    SERVICEFAIL: {
        "service": SERVICING,
        "rescue": RESCUING,
        "wait": SERVICEWAIT,
        "hold": SERVICEHOLD,
        "delete": DELETING,
        "abort": ACTIVE,
    },
}


def accepts(state: str, event: str) -> bool:
    """Return whether an event can happen to a node in a state."""
    return event in TRANSITIONS.get(state, {})


def follow(
    state: str, event: str, target: str | None, wanted: str | None = None
) -> tuple[str, str | None]:
    """Return the state after an event, and where the node is bound for then.

    :param target: where it was bound for.
    :param wanted: a stable state to go to instead of the usual one.
    :raises InvalidState: if the event can't happen in this state.
    """
    try:
        after = TRANSITIONS[state][event]
    except KeyError:
        raise InvalidState(
            f"Can not transition from state '{state}' on event '{event}' (no defined transition)"
        ) from None
    target = target or TARGETS.get(state)
    if target == after:
        target = None
    return after, wanted or TARGETS.get(after, target)
