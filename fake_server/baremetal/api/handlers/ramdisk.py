"""``/v1/lookup``, ``/v1/heartbeat`` and ``/v1/continue_inspection``: the requests of agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlparse

from fake_server.baremetal import arguments, errors, microversions, states
from fake_server.baremetal.agents import commands
from fake_server.baremetal.api import node_rendering
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.lookup import find_addressed_node
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.arguments import checked, not_null
from fake_server.baremetal.conductor import heartbeats, inspection
from fake_server.baremetal.conductor.work import node_task
from fake_server.baremetal.models import agent_lookup
from fake_server.baremetal.models.node_properties import fast_track
from fake_server.baremetal.models.nodes import NODES
from fake_server.common.formats import is_mac
from fake_server.common.masking import MASK

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

_FIELDS = ("uuid", "properties", "instance_info", "driver_internal_info")
_STATUSES = ("start", "end", "error")
#: What the agent is told besides its token: the service's options.
_CONFIG: Mapping[str, Any] = {
    "metrics": {
        "backend": "noop",
        "prepend_host": False,
        "prepend_uuid": False,
        "prepend_host_reverse": True,
        "global_prefix": None,
    },
    "metrics_statsd": {"statsd_host": "localhost", "statsd_port": 8125},
    "heartbeat_timeout": 300,
    "agent_containers": {
        "allow_arbitrary_containers": False,
        "allowed_containers": [],
        "container_steps_file": "/etc/ironic-python-agent.d/mysteps.yaml",
        "runner": "podman",
        "pull_options": [],
        "run_options": ["--rm", "--network=host"],
    },
    "agent_token_required": True,
    "agent_md5_checksum_enable": True,
    "disable_deep_image_inspection": False,
    "permitted_image_formats": ["raw", "gpt", "qcow2", "iso"],
    "enable_bios_bootloader_install": False,
    "tls_min_version": "1.3",
    "tls_cipher_suites": None,
}
#: Management interfaces of controllers whose address the agent needn't find out.
_BY_REDFISH = ("redfish", "idrac-redfish")
_REPORT = checked(
    {
        "type": "object",
        "properties": {
            "inventory": {
                "type": "object",
                "properties": {
                    "bmc_address": {"type": ["string", "null"]},
                    "bmc_v6address": {"type": ["string", "null"]},
                    "interfaces": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {"mac_address": {"type": "string"}},
                            "required": ["mac_address"],
                            "additionalProperties": True,
                        },
                        "minItems": 1,
                    },
                },
                "required": ["interfaces"],
                "additionalProperties": True,
            }
        },
        "required": ["inventory"],
        "additionalProperties": True,
    }
)


class LookupController(Controller):
    """The endpoint by which an agent finds its node."""

    @expose(policy=None, addresses=arguments.string_list, node_uuid=arguments.uuid)
    def get_all(
        self, ctx: Context, addresses: list[str] | None = None, node_uuid: str | None = None
    ) -> dict[str, Any]:
        """Show the node with a UUID, or with one of the MAC addresses."""
        _check_version(ctx)
        valid = _valid_addresses(addresses or ())
        if not valid and not node_uuid:
            raise errors.Invalid(
                "At least one of 'addresses' and 'node_uuid' parameters is required"
            )
        try:
            if node_uuid:
                node = NODES.get_by_uuid(ctx.session, node_uuid)
            else:
                node = agent_lookup.by_addresses(ctx.session, valid)
        except errors.NotFound:
            raise errors.NotFound from None
        allowed = states.FAST_TRACK_LOOKUP if fast_track(node) else states.LOOKUP
        if node["provision_state"] not in allowed:
            raise errors.NotFound
        if ctx.minor >= microversions.AGENT_TOKEN:
            node = _with_token(ctx, node)
        return _show(ctx, node)


class HeartbeatController(Controller):
    """The endpoint for heartbeats of agents."""

    @expose(
        202,
        policy=None,
        callback_url=arguments.string,
        agent_version=arguments.string,
        agent_token=arguments.string,
        agent_verify_ca=arguments.string,
        agent_status=arguments.string,
        agent_status_message=arguments.string,
    )
    def post(
        self,
        ctx: Context,
        node_ident: str,
        callback_url: str,
        agent_version: str | None = None,
        agent_token: str | None = None,
        agent_verify_ca: str | None = None,
        agent_status: str | None = None,
        agent_status_message: str | None = None,
    ) -> None:
        """Take a heartbeat, and go on with what waited for it."""
        _check_version(ctx)
        if agent_version and ctx.minor < microversions.AGENT_VERSION:
            raise errors.InvalidParameterValue('Field "agent_version" not recognised')
        if (agent_status or agent_status_message) and ctx.minor < microversions.AGENT_STATUS:
            raise errors.InvalidParameterValue(
                'Fields "agent_status" and "agent_status_message" not recognised.'
            )
        if agent_verify_ca is not None and ctx.minor < microversions.AGENT_CERTIFICATE:
            raise errors.InvalidParameterValue(
                'Field "agent_verify_ca" not recognised in this version'
            )
        node = find_addressed_node(ctx, node_ident)
        callback_url = _callback_url(callback_url)
        known = (node["driver_internal_info"] or {}).get("agent_url")
        if known is not None and known != callback_url:
            raise errors.Invalid('Detected change in ramdisk provided "callback_url"')
        if agent_token is None:
            raise errors.InvalidParameterValue("Agent token is required for heartbeat processing.")
        if agent_status is not None and agent_status not in _STATUSES:
            raise errors.InvalidParameterValue(
                f"Agent status is invalid. Valid states are {','.join(_STATUSES)}."
            )
        beat = heartbeats.Heartbeat(
            callback_url,
            agent_version,
            agent_token,
            agent_verify_ca,
            agent_status,
            agent_status_message,
        )
        heartbeats.check_version(beat)
        with node_task(ctx.session, node, shared=True, no_host_status=400) as task:
            heartbeats.request(task, beat)


class ContinueInspectionController(Controller):
    """The endpoint for inspection reports of agents."""

    @expose(202, policy=None, body="data", data=_REPORT, node_uuid=arguments.uuid)
    def post(
        self, ctx: Context, data: dict[str, Any] | None = None, node_uuid: str | None = None
    ) -> dict[str, Any]:
        """Take a report, and finish the inspection that waited for it."""
        _check_enabled(ctx)
        since = microversions.CONTINUE_INSPECTION
        is_new = ctx.minor >= since
        if not is_new and (ctx.minor != microversions.MINIMUM or node_uuid):
            raise errors.NotFound(f"API version 1.{since} or newer is required")
        data = not_null(data)
        inventory = data.pop("inventory")
        addresses = _valid_addresses(item["mac_address"] for item in inventory["interfaces"])
        bmc = [inventory[key] for key in ("bmc_address", "bmc_v6address") if inventory.get(key)]
        if not addresses and not bmc and not node_uuid:
            raise errors.ApiError("No lookup information provided")
        node = agent_lookup.for_inspection(ctx.session, addresses, bmc, node_uuid)
        if is_new:
            node = _with_token(ctx, node)
        with node_task(
            ctx.session, NODES.get_by_id(ctx.session, node["id"]), no_host_status=400
        ) as task:
            inspection.request_continuation(task, inventory, data)
        return _show(ctx, node) if is_new else {"uuid": node["uuid"]}


def _check_enabled(ctx: Context) -> None:
    if not ctx.session.settings.ramdisk_endpoints:
        raise errors.HTTPForbidden(resource=ctx.request.path)


def _check_version(ctx: Context) -> None:
    _check_enabled(ctx)
    if ctx.minor < microversions.LOOKUP_AND_HEARTBEAT:
        raise errors.NotFound


def _valid_addresses(addresses: Iterable[str]) -> list[str]:
    return [address.lower() for address in addresses if is_mac(address)]


def _callback_url(text: str | None) -> str:
    try:
        parsed = urlparse(text or "")
        if "http" not in parsed.scheme:
            raise ValueError
        return parsed.geturl()
    except ValueError:
        if text == "":
            return ""
        raise errors.InvalidParameterValue(
            'An issue with the supplied "callback_url" has been detected.'
        ) from None


def _with_token(ctx: Context, node: Record) -> Record:
    with node_task(ctx.session, node, shared=True, no_host_status=400) as task:
        if not commands.give_token(task):
            # It was given out already.
            hidden = {**task.internal, "agent_secret_token": MASK}
            return {**node, "driver_internal_info": hidden}
    return NODES.get_by_id(ctx.session, node["id"])


def _show(ctx: Context, node: Record) -> dict[str, Any]:
    token = (node["driver_internal_info"] or {}).get("agent_secret_token")
    return {
        "node": node_rendering.show(ctx, node, list(_FIELDS)),
        "config": {
            **_CONFIG,
            "agent_token": token,
            "agent_skip_bmc_detect": node["management_interface"] in _BY_REDFISH,
        },
    }
