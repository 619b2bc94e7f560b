"""Mistral's actions with Ironic: their inputs, and some of them run as its executor does."""

# packages: ["mistral-extra==17.0.0", "setuptools<81"]
# fake_server: {"auth": "keystone", "hardware_types": ["fake-hardware"]}

from __future__ import annotations

import json
import os
from types import SimpleNamespace
from typing import Any

import mistral_extra.config  # noqa: F401
from keystoneauth1 import loading, session
from mistral_extra.actions.generator_factory import all_generators
from mistral_extra.actions.openstack.utils import context

NODE = "3f0e6f4e-0000-4000-8000-000000000001"
OPTIONS = ("os_ironic_api_version", "global_request_id")

[generator] = [one for one in all_generators() if one.action_namespace == "ironic"]
actions = {one["name"].removeprefix("ironic."): one for one in generator.create_actions()}
auth = loading.get_plugin_loader("password").load_from_options(
    auth_url=os.environ["OS_AUTH_URL"],
    username=os.environ["OS_USERNAME"],
    password=os.environ["OS_PASSWORD"],
    project_name=os.environ["OS_PROJECT_NAME"],
    user_domain_name="Default",
    project_domain_name="Default",
)
access = auth.get_access(session.Session())
security = SimpleNamespace(
    auth_uri=os.environ["OS_AUTH_URL"],
    auth_token=access.auth_token,
    auth_cacert=None,
    user_id=access.user_id,
    project_id=access.project_id,
    region_name=os.environ["OS_REGION_NAME"],
    service_catalog=None,
    is_trust_scoped=False,
    insecure=False,
)
context.set_ctx(security)
seen: dict[str, Any] = {}


def inputs(action: dict[str, Any]) -> list[str]:
    """Return which options of every call an action has among its inputs."""
    names = [one.partition("=")[0] for one in action["arg_list"].split(", ")]
    return [name for name in OPTIONS if name in names]


def run(name: str, /, *fields: str, **arguments: Any) -> None:
    """Run an action, and note some fields of its result."""
    result = actions[name]["class"](**arguments).run(security)
    found = result if isinstance(result, list) else [result]
    seen[f"{len(seen)} {name}"] = [
        {field: getattr(one, field) for field in fields} if fields else repr(one) for one in found
    ]


run("node_create", "uuid", "name", "provision_state", uuid=NODE, name="n", driver="fake-hardware")
run("node_list", "uuid", "name", fields=["uuid", "name"])
run("node_get", "uuid", "driver", node_id="n")
run("node_get", "name", node_id="n", fields=["name"], os_ironic_api_version="1.8")
run(
    "node_update",
    "name",
    "extra",
    node_id=NODE,
    patch=[
        {"op": "replace", "path": "/name", "value": "m"},
        {"op": "add", "path": "/extra/rack", "value": 1},
    ],
)
run("node_set_maintenance", node_id="m", state=True, maint_reason="disk")
run("node_list", "name", "maintenance", maintenance=True, detail=True)
run("node_set_maintenance", node_id="m", state=False)
run("port_create", "address", node_uuid=NODE, address="52:54:00:00:00:01")
run("port_get_by_address", "address", "node_uuid", address="52:54:00:00:00:01")
run("port_list", "address", node="m")
run("node_vif_list", node_ident="m")
run("node_validate", "power", "deploy", node_uuid=NODE)
run("node_set_provision_state", node_uuid="m", state="manage")
run(
    "node_wait_for_provision_state",
    node_ident="m",
    expected_state="manageable",
    poll_interval=1,
    timeout=20,
)
run("node_states", "provision_state", "power_state", node_uuid="m")
run("node_set_boot_device", node_uuid="m", boot_device="pxe")
run("node_delete", node_id="m")
run("node_list")
print(json.dumps({"inputs": {name: inputs(one) for name, one in actions.items()}, **seen}))
