"""When the periodic tasks of Ironic's conductors look at a node, and their options.

A node is only looked at if there is something to be found: its row in the database says when.
"""

from __future__ import annotations

from datetime import timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import states
from fake_server.baremetal.hardware_types import FAKE_HARDWARE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from fake_server.db.store import Record

SYNC = "sync_power_state_interval"
RECOVERY = "power_failure_recovery_interval"
CHECK = "check_provision_state_interval"
RETRIES = "power_state_sync_max_retries"
FORCE = "force_power_state_during_sync"
#: The options by their names in the section ``[conductor]`` of Ironic, and their defaults.
DEFAULTS: Mapping[str, float] = MappingProxyType(
    {
        SYNC: 120,
        RECOVERY: 300,
        CHECK: 60,
        "check_allocations_interval": 60,
        "deploy_callback_timeout": 1800,
        "clean_callback_timeout": 1800,
        "inspect_wait_timeout": 1800,
        "rescue_callback_timeout": 1800,
        "service_callback_timeout": 1800,
        RETRIES: 3,
        FORCE: 1,
    }
)
#: Options that aren't times.
_OTHERS = frozenset({RETRIES, FORCE})
#: Name of the work that is due once a node has waited for its agent as long as it may.
TIMEOUT_WORK = "agent_callback_timeout"
#: The option that says how long a node waits for its agent, by provision state.
CALLBACK_TIMEOUTS: Mapping[str, str] = MappingProxyType(
    {
        states.DEPLOYWAIT: "deploy_callback_timeout",
        states.CLEANWAIT: "clean_callback_timeout",
        states.INSPECTWAIT: "inspect_wait_timeout",
        states.RESCUEWAIT: "rescue_callback_timeout",
        states.SERVICEWAIT: "service_callback_timeout",
    }
)
#: Nodes in these states are left alone by the power state synchronisation.
_NOT_SYNCED = frozenset({states.DEPLOYWAIT, states.CLEANWAIT, states.ENROLL, states.ADOPTFAIL})
POWER_FAILURE = "power failure"
#: A change of these columns may give the periodic tasks something to find.
RELEVANT = frozenset(
    {
        "driver",
        "driver_info",
        "fault",
        "last_error",
        "maintenance",
        "management_interface",
        "power_interface",
        "power_state",
        "provision_state",
        "reservation",
        "target_power_state",
    }
)


def completed(given: Mapping[str, float]) -> Mapping[str, float]:
    """Return all options.

    :param given: those that aren't to be the defaults; ``all`` for all times that aren't named.
    :raises ValueError: for an unknown name, or a negative number.
    """
    found = dict(DEFAULTS)
    if "all" in given:
        found |= {name: given["all"] for name in DEFAULTS if name not in _OTHERS}
    for name, value in given.items():
        if name not in DEFAULTS and name != "all":
            raise ValueError(
                f"There is no option {name!r} of periodic tasks: use all, or one of "
                f"{', '.join(DEFAULTS)}."
            )
        if not value >= 0:
            raise ValueError(f"{name} can't be {value}: use 0, or more.")
        if name != "all":
            found[name] = value
    return MappingProxyType(found)


def timeout(options: Mapping[str, float], state: str) -> float:
    """Return how many seconds a node in a state waits for its agent; 0 for as long as it takes."""
    name = CALLBACK_TIMEOUTS.get(state)
    if name is None or (not options[CHECK] and state != states.RESCUEWAIT):
        return 0
    return options[name]


def deadline(
    options: Mapping[str, float], node: Mapping[str, Any], now: datetime, seconds: float
) -> Record:
    """Return the columns of a node that say until when it waits for its agent.

    :param options: those of the periodic tasks.
    :param node: as it is from now on.
    :param now: the moment, as it is stored.
    :param seconds: the moment, since the epoch.
    """
    limit = timeout(options, node["provision_state"])
    if not limit:
        return {"due_at": None, "due_event": None}
    waited = timedelta()
    if node["provision_state"] == states.INSPECTWAIT and node["inspection_started_at"]:
        waited = now - node["inspection_started_at"]
    event = {"work": TIMEOUT_WORK, "arguments": {}}
    return {"due_at": seconds + limit - waited.total_seconds(), "due_event": event}


def is_recovering(node: Mapping[str, Any]) -> bool:
    """Return whether a node is in maintenance because its power state can't be found out."""
    return (
        node["maintenance"]
        and node["fault"] == POWER_FAILURE
        and node["provision_state"] != states.ENROLL
        and not node["target_power_state"]
    )


def is_synced(node: Mapping[str, Any]) -> bool:
    """Return whether the power state of a node is synchronised, unless it is reserved."""
    return (
        not node["maintenance"]
        and node["provision_state"] not in _NOT_SYNCED
        and not node["target_power_state"]
        and (node["driver_internal_info"] or {}).get("redfish_fw_updates") is None
    )


def interval(options: Mapping[str, float], node: Mapping[str, Any], *, changed: bool) -> float:
    """Return the seconds until a node is to be looked at; 0 if there is nothing to be found.

    :param changed: whether its machine may differ from what the node says.
    """
    if is_recovering(node):
        return options[RECOVERY]
    if not is_synced(node):
        return 0
    unsettled = node["last_error"] or node["power_sync_failures"]
    if unsettled or (changed and node["driver"] != FAKE_HARDWARE):
        return options[SYNC]
    return 0
