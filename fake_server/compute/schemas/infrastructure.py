"""JSON schemas of services, server groups, aggregates, quotas and events from outside."""

from __future__ import annotations

from typing import Any

from fake_server.common.microversions import ABSENT, Since
from fake_server.common.schemas import object_schema
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


#: An action on a service, before they had UUIDs.
OLD_SERVICE_ACTION = parts.checker(
    object_schema(
        {
            "host": parts.HOST,
            "binary": {"type": "string", "minLength": 1, "maxLength": 255},
            "disabled_reason": _REASON,
            "forced_down": Since(versions.FORCED_DOWN, parts.BOOLEAN),
        },
        *("host", "binary"),
    )
)
_FILES = Since(versions.NO_PERSONALITY, ABSENT, before=_LIMIT)


def _limits(without_proxies: int) -> dict[str, Any]:
    """Return the schemas of limits by resource.

    :param without_proxies: the version since which what Neutron has has none in Nova.
    """
    network = Since(without_proxies, ABSENT, before=_LIMIT)
    return {
        **dict.fromkeys(quotas.RESOURCES, _LIMIT),
        **dict.fromkeys(quotas.OF_NETWORKS, network),
        **dict.fromkeys(quotas.OF_FILES, _FILES),
    }


#: The quotas of a project, and those of a class.
QUOTAS = _limits(versions.NO_NETWORK_PROXIES)
CLASS_QUOTAS = _limits(versions.WHOLE_QUOTA_CLASSES)
UPDATE_QUOTAS = parts.checker(
    object_schema({"quota_set": object_schema({**QUOTAS, "force": parts.BOOLEAN})}, "quota_set")
)
UPDATE_CLASS = parts.checker(
    object_schema({"quota_class_set": object_schema(CLASS_QUOTAS)}, "quota_class_set")
)
_EVENT = object_schema(
    {
        "name": {"type": "string", "enum": [Since(_EVENTS[name], name) for name in _EVENTS]},
        "server_uuid": parts.UUID,
        "status": {"type": "string", "enum": ["failed", "completed", "in-progress"]},
        "tag": {"type": "string", "maxLength": 255},
    },
    *("name", "server_uuid"),
)
CREATE_EVENTS = parts.checker(
    object_schema({"events": {"type": "array", "minItems": 1, "items": _EVENT}}, "events")
)
