"""When the periodic tasks of Ironic's conductors look at a node, and their options.

A node is only looked at if there is something to be found.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import states
from fake_server.baremetal.hardware_types import FAKE_HARDWARE
from fake_server.common.setting_error import SettingError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

SYNC = "sync_power_state_interval"
RECOVERY = "power_failure_recovery_interval"
CHECK = "check_provision_state_interval"
RETRIES = "power_state_sync_max_retries"
FORCE = "force_power_state_during_sync"
#: The options by their names in the section ``[conductor]`` of Ironic, and their defaults.
DEFAULTS: Mapping[str, float] = {
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
#: Options that aren't times.
_OTHERS = frozenset({RETRIES, FORCE})
#: Seconds after which a node is looked at again that couldn't go on.
INTERVAL = 60.0
#: Kinds of due work: a node has waited for its agent as long as it may, its power state is compared
#: with its machine's, it is taken over from a conductor that is down, its controller is asked
#: whether a step is done, the session of its graphical console ends, and its simulated agent sends
#: a heartbeat.
CALLBACK_TIMEOUT = "agent_callback_timeout"
POWER_SYNC = "sync_power_state"
TAKE_OVER = "take_over"
CONTROLLER_CHECK = "check_hardware"
CONSOLE_EXPIRY = "expire_console_session"
AGENT_HEARTBEAT = "simulated_agent_heartbeat"
#: The option that says how long a node waits for its agent, by provision state.
CALLBACK_TIMEOUTS: Mapping[str, str] = {
    states.DEPLOYWAIT: "deploy_callback_timeout",
    states.CLEANWAIT: "clean_callback_timeout",
    states.INSPECTWAIT: "inspect_wait_timeout",
    states.RESCUEWAIT: "rescue_callback_timeout",
    states.SERVICEWAIT: "service_callback_timeout",
}
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
    :raises SettingError: for an unknown name, or a negative number.
    """
    found = dict(DEFAULTS)
    if "all" in given:
        found |= {name: given["all"] for name in DEFAULTS if name not in _OTHERS}
    for name, value in given.items():
        if name not in DEFAULTS and name != "all":
            raise SettingError(
                "periodic",
                f"There is no option {name!r} of periodic tasks: use all, or one of "
                f"{', '.join(DEFAULTS)}.",
            )
        if not value >= 0:
            raise SettingError("periodic", f"{name} can't be {value}: use 0, or more.")
        if name != "all":
            found[name] = value
    return MappingProxyType(found)


def timeout(options: Mapping[str, float], state: str) -> float:
    """Return how many seconds a node in a state waits for its agent; 0 for as long as it takes."""
    name = CALLBACK_TIMEOUTS.get(state)
    if name is None or (not options[CHECK] and state != states.RESCUEWAIT):
        return 0
    return options[name]


def seconds_left(
    options: Mapping[str, float], node: Mapping[str, Any], now: datetime
) -> float | None:
    """Return how long a node that has begun to wait waits for its agent, if that has a limit.

    :param options: those of the periodic tasks.
    :param node: as it is from now on.
    :param now: the moment, as it is stored.
    """
    limit = timeout(options, node["provision_state"])
    if not limit:
        return None
    if node["provision_state"] == states.INSPECTWAIT and node["inspection_started_at"]:
        limit -= (now - node["inspection_started_at"]).total_seconds()
    return limit


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


def interval(
    options: Mapping[str, float], node: Mapping[str, Any], failures: int, *, changed: bool
) -> float:
    """Return the seconds until a node is to be looked at; 0 if there is nothing to be found.

    :param failures: how often its power state couldn't be brought in line.
    :param changed: whether its machine may differ from what the node says.
    """
    if is_recovering(node):
        return options[RECOVERY]
    if not is_synced(node):
        return 0
    if node["last_error"] or failures or (changed and node["driver"] != FAKE_HARDWARE):
        return options[SYNC]
    return 0
