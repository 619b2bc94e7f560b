"""What Nova's driver for Ironic can't do to servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.microversions import ABSENT, Since
from fake_server.common.schemas import object_schema
from fake_server.compute import microversions as versions
from fake_server.compute.errors import InstanceNotReady, UnsupportedError
from fake_server.compute.handlers import server_details
from fake_server.compute.models import instances, services
from fake_server.compute.resources.server_resource import ServerAction
from fake_server.compute.schemas import parts, servers

if TYPE_CHECKING:
    from fake_server.compute.context import Context
    from fake_server.db.store import Record


def _refuse(ctx: Context, row: Record, details: Any) -> NoReturn:
    """Refuse what is asked for of a server, for whose states Nova asks before the driver does."""
    raise UnsupportedError


def _refuse_host(ctx: Context, row: Record, details: Any) -> NoReturn:
    """Refuse what is asked for of a server in any state, as long as it has a host."""
    if row["node_uuid"] is None:
        raise InstanceNotReady(row["id"])
    raise UnsupportedError


def _refuse_console(ctx: Context, row: Record, details: Any) -> NoReturn:
    server_details.refuse_console(row, details["type"])


def _refuse_rdp(ctx: Context, row: Record, details: Any) -> NoReturn:
    server_details.refuse_console(row, "rdp-html5")


def _evacuate(ctx: Context, row: Record, details: Any) -> NoReturn:
    host = details.get("host")
    if host not in (None, ctx.session.host):
        raise NotFound(f"Compute host {host} not found.")
    if not services.compute(ctx.session)["forced_down"]:
        raise BadRequest(f"Compute service of {ctx.session.host} is still in use.")
    raise UnsupportedError


def _console(*kinds: str) -> ServerAction:
    body = object_schema({"type": {"type": "string", "enum": list(kinds)}}, "type")
    return ServerAction("os-remote-consoles", _refuse_console, body, until=versions.REMOTE_CONSOLES)


_ACTIVE, _STEADY = (instances.ACTIVE,), (instances.ACTIVE, instances.STOPPED)
#: States that a server never gets into on a node.
_PAUSED, _SUSPENDED, _RESIZED, _SHELVED = ("paused",), ("suspended",), ("resized",), ("shelved",)
_BACKUP = {
    "name": parts.NAME,
    "backup_type": {"type": "string"},
    "rotation": {**parts.COUNT, "minimum": 0},
}
_LENGTH = {"type": ["integer", "string", "null"], "pattern": "^-?[0-9]+$", "minimum": -1}
_HOST = {**parts.HOST, "type": ["string", "null"]}
_FORCED = Since(versions.FORCED_HOST_GONE, ABSENT, before=parts.BOOLEAN)
_OLD_LIVE = {
    "block_migration": parts.BOOLEAN,
    "disk_over_commit": parts.BOOLEAN,
    "host": _HOST,
}
_LIVE = {
    "block_migration": {**parts.BOOLEAN, "enum": [*parts.BOOLEAN["enum"], "auto"]},
    "host": _HOST,
}
_EVACUATED = {
    "host": parts.HOST,
    "adminPass": {"type": "string"},
    "force": Since(versions.EVACUATION_FORCED, _FORCED),
}
_UNSHELVED = {"availability_zone": {"type": ["string", "null"]}, "host": {"type": "string"}}
ACTIONS = {
    "addFixedIp": ServerAction("os-multinic:add", _refuse_host, until=versions.NO_ADDRESS_ACTIONS),
    "removeFixedIp": ServerAction(
        "os-multinic:remove", _refuse_host, until=versions.NO_ADDRESS_ACTIONS
    ),
    "changePassword": ServerAction(
        "os-admin-password",
        _refuse,
        object_schema({"adminPass": {"type": "string"}}, "adminPass"),
        _ACTIVE,
    ),
    "createBackup": ServerAction(
        "os-create-backup",
        _refuse,
        object_schema({**_BACKUP, "metadata": parts.METADATA}, *_BACKUP),
        _STEADY,
    ),
    "createImage": ServerAction(
        "servers:create_image",
        _refuse,
        object_schema({"name": parts.NAME, "metadata": parts.METADATA}, "name"),
        _STEADY,
    ),
    "os-getConsoleOutput": ServerAction(
        "os-console-output", _refuse_host, object_schema({"length": _LENGTH})
    ),
    "os-getSPICEConsole": _console("spice-html5"),
    "os-getSerialConsole": _console("serial"),
    "os-getVNCConsole": _console("novnc", "xvpvnc"),
    "os-getRDPConsole": ServerAction(
        "os-remote-consoles", _refuse_rdp, until=versions.REMOTE_CONSOLES
    ),
    "pause": ServerAction("os-pause-server:pause", _refuse, states=_ACTIVE),
    "unpause": ServerAction("os-pause-server:unpause", _refuse, states=_PAUSED),
    "suspend": ServerAction("os-suspend-server:suspend", _refuse, states=_ACTIVE),
    "resume": ServerAction("os-suspend-server:resume", _refuse, states=_SUSPENDED),
    "resize": ServerAction(
        "servers:resize",
        _refuse,
        object_schema(
            {
                "flavorRef": {"type": ["string", "integer"], "minLength": 1},
                "OS-DCF:diskConfig": servers.DISK_CONFIG,
            },
            "flavorRef",
        ),
        _STEADY,
    ),
    "confirmResize": ServerAction("servers:confirm_resize", _refuse, states=_RESIZED),
    "revertResize": ServerAction("servers:revert_resize", _refuse, states=_RESIZED),
    "shelve": ServerAction("os-shelve:shelve", _refuse, states=_STEADY),
    "shelveOffload": ServerAction("os-shelve:shelve_offload", _refuse, states=_SHELVED),
    "unshelve": ServerAction(
        "os-shelve:unshelve",
        _refuse,
        Since(
            versions.UNSHELVE_TO_HOST,
            parts.or_null(object_schema(_UNSHELVED)),
            before=Since(
                versions.UNSHELVE_TO_ZONE,
                parts.or_null(
                    object_schema({"availability_zone": parts.NAME}, "availability_zone")
                ),
                before={},
            ),
        ),
        _SHELVED,
    ),
    "migrate": ServerAction(
        "os-migrate-server:migrate",
        _refuse,
        Since(versions.MIGRATE_TO_HOST, parts.or_null(object_schema({"host": _HOST})), before={}),
        _STEADY,
        to_host="os-migrate-server:migrate:host",
    ),
    "os-migrateLive": ServerAction(
        "os-migrate-server:migrate_live",
        _refuse,
        Since(
            versions.AUTOMATIC_BLOCKS,
            object_schema({**_LIVE, "force": Since(versions.LIVE_FORCED, _FORCED)}, *_LIVE),
            before=object_schema(_OLD_LIVE, *_OLD_LIVE),
        ),
        _ACTIVE,
        to_host="os-migrate-server:migrate_live:host",
    ),
    "evacuate": ServerAction(
        "os-evacuate",
        _evacuate,
        Since(
            versions.SHARED_STORAGE_GONE,
            object_schema(_EVACUATED),
            before=object_schema(
                {**_EVACUATED, "onSharedStorage": parts.BOOLEAN}, "onSharedStorage"
            ),
        ),
    ),
}
