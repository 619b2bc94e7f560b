"""Which provision verbs a node accepts: a table by state, and what refuses verbs in any state.

The verbs have the names of the commands. Source: the state machine of Ironic 39.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient.microversion import CLIENT_MIN, Version, v1
from baremetalclient.v1.node.features import PROVISION_VERBS

if TYPE_CHECKING:
    from collections.abc import Mapping

_RESCUED = ("unrescue", "rescue", "undeploy")

VERBS: Mapping[str, tuple[str, ...]] = {
    "enroll": ("manage",),
    "verifying": (),
    "manageable": ("provide", "inspect", "clean", "adopt"),
    "available": ("deploy", "manage"),
    "active": ("undeploy", "rebuild", "rescue", "service"),
    "deploying": (),
    "wait call-back": ("abort", "undeploy"),
    "deploy failed": ("deploy", "rebuild", "undeploy"),
    "deploy hold": ("unhold", "abort"),
    # Only if the conductor that worked on it is gone, like "cleaning"; else the node is locked.
    "deleting": ("clean",),
    "error": ("undeploy", "rebuild"),
    "cleaning": ("manage",),
    "clean wait": ("abort",),
    "clean failed": ("manage",),
    "clean hold": ("unhold", "abort"),
    "inspecting": (),
    "inspect wait": ("abort",),
    "inspect failed": ("manage", "inspect"),
    "adopting": (),
    "adopt failed": ("adopt", "manage"),
    "rescuing": (),
    "rescue wait": ("abort", "undeploy"),
    "rescue": _RESCUED,
    "rescue failed": _RESCUED,
    "unrescuing": (),
    "unrescue failed": _RESCUED,
    "servicing": (),
    "service wait": ("abort", "undeploy"),
    "service failed": ("abort", "service", "rescue", "undeploy"),
    "service hold": ("unhold", "service", "abort"),
}
"""The verbs by provision state, the usual next one first."""

_REFUSED = {
    "maintenance": frozenset({"deploy", "rebuild", "clean", "service", "rescue", "unrescue"}),
    "protected": frozenset({"rebuild", "undeploy"}),
    "retired": frozenset({"provide"}),
}
"""The verbs that are refused if a field of the node is true."""

_TARGETS = {"deploy": "active", "undeploy": "deleted"}
"""What the commands request, where the API has another name for it in its first versions."""

_ABORT_SINCE = {"inspect wait": v1(41), "wait call-back": v1(110)}
"""The first version in which ``abort`` works, for states where it is not the first of the verb."""


def possible(node: Mapping[str, Any], version: Version) -> tuple[str, ...]:
    """Return the provision verbs that a node accepts, if it is not locked and has a conductor.

    :param node: the fields of the node.
    :param version: the version of the API in use.
    """
    state = node["provision_state"]
    refused = {verb for field, verbs in _REFUSED.items() if node.get(field) for verb in verbs}
    if node.get("maintenance") and state == "service failed":
        refused.add("abort")
    return tuple(
        verb
        for verb in VERBS.get(state, ())
        if verb not in refused and _since(verb, state) <= version
    )


def _since(verb: str, state: str) -> Version:
    if verb == "abort" and state in _ABORT_SINCE:
        return _ABORT_SINCE[state]
    feature = PROVISION_VERBS.get(_TARGETS.get(verb, verb))
    return feature.since if feature else CLIENT_MIN
