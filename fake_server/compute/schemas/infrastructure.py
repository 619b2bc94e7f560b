"""JSON schemas of services, server groups, aggregates, quotas and events from outside."""

from __future__ import annotations

from functools import cache
from typing import Any

from fake_server.common.microversions import ABSENT, Since, at
from fake_server.common.schemas import Checker, object_schema
from fake_server.compute import microversions as versions
from fake_server.compute.models import quotas
from fake_server.compute.schemas import parts

_LIMIT = {
    "type": ["integer", "string"],
    "pattern": "^-?[0-9]+$",
    "minimum": -1,
    "maximum": 0x7FFFFFFF,
}
#: Events, and the version since which each may be sent.
_EVENTS = {
    "network-changed": versions.MINIMUM,
    "network-vif-plugged": versions.MINIMUM,
    "network-vif-unplugged": versions.MINIMUM,
    "network-vif-deleted": versions.MINIMUM,
    "volume-extended": versions.VOLUME_EXTENDED,
    "power-update": versions.POWER_UPDATE,
    "accelerator-request-bound": versions.ACCELERATOR_BOUND,
    "volume-reimaged": versions.REBUILD_VOLUME_BACKED,
}

_REASON = {"type": "string", "minLength": 1, "maxLength": 255}
UPDATE_SERVICE = parts.checker(
    object_schema(
        {
            "status": {"type": "string", "enum": ["enabled", "disabled"]},
            "disabled_reason": _REASON,
            "forced_down": parts.BOOLEAN,
        }
    )
)
_SWITCH = {
    "type": "string",
    "enum": [*("enable", "disable"), *("Enable", "Disable"), *("ENABLE", "DISABLE")],
}
UPDATE_HOST = parts.checker(
    {**object_schema({"status": _SWITCH, "maintenance_mode": _SWITCH}), "minProperties": 1}
)


@cache
def old_service_action(minor: int) -> Checker:
    """Return what checks an action on a service, before they had UUIDs."""
    properties = {
        "host": parts.HOST,
        "binary": {"type": "string", "minLength": 1, "maxLength": 255},
        "disabled_reason": _REASON,
        "forced_down": Since(versions.FORCED_DOWN, parts.BOOLEAN),
    }
    return parts.checker(object_schema(at(minor, properties), "host", "binary"))


@cache
def update_quotas(minor: int) -> Checker:
    """Return what checks new quotas of a project."""
    limits = dict.fromkeys(quota_names(minor, versions.NO_NETWORK_PROXIES), _LIMIT)
    return parts.checker(
        object_schema({"quota_set": object_schema({**limits, "force": parts.BOOLEAN})}, "quota_set")
    )


@cache
def update_class(minor: int) -> Checker:
    """Return what checks new quotas of a class."""
    limits = dict.fromkeys(quota_names(minor, versions.WHOLE_QUOTA_CLASSES), _LIMIT)
    return parts.checker(
        object_schema({"quota_class_set": object_schema(limits)}, "quota_class_set")
    )


@cache
def create_events(minor: int) -> Checker:
    """Return what checks events."""
    properties: dict[str, Any] = {
        "name": {"type": "string", "enum": [one for one in _EVENTS if minor >= _EVENTS[one]]},
        "server_uuid": parts.UUID,
        "status": {"type": "string", "enum": ["failed", "completed", "in-progress"]},
        "tag": {"type": "string", "maxLength": 255},
    }
    event = object_schema(properties, "name", "server_uuid")
    listed = {"type": "array", "minItems": 1, "items": event}
    return parts.checker(object_schema({"events": listed}, "events"))


def quota_names(minor: int, without_proxies: int) -> list[str]:
    """Return the resources that have quotas.

    :param without_proxies: the version since which those of Neutron have none in Nova.
    """
    network = Since(without_proxies, ABSENT, before=True)
    files = Since(versions.NO_PERSONALITY, ABSENT, before=True)
    gone = {
        **dict.fromkeys(
            ("fixed_ips", "floating_ips", "security_group_rules", "security_groups"), network
        ),
        **dict.fromkeys(
            ("injected_files", "injected_file_content_bytes", "injected_file_path_bytes"), files
        ),
    }
    return list(at(minor, {**dict.fromkeys(quotas.RESOURCES, True), **gone}))
