"""Heat's engine: a stack with a port of Ironic is created, changed and deleted."""

# packages: ["openstack-heat==27.0.1", "setuptools<81"]
# fake_server: {"auth": "keystone", "hardware_types": ["fake-hardware"]}

from __future__ import annotations

import json
import os
import re
from typing import Any

from heat.common import messaging
from heat.common.context import RequestContext
from heat.db import api, models
from heat.engine import resources
from heat.engine.stack import Stack
from heat.engine.template import Template
from ironicclient import client
from keystoneauth1.identity import v3
from keystoneauth1.session import Session
from oslo_config import cfg

MAC, OTHER_MAC = "52:54:00:00:00:01", "52:54:00:00:00:02"
UUIDS = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"

password = v3.Password(
    auth_url=os.environ["OS_AUTH_URL"],
    username=os.environ["OS_USERNAME"],
    password=os.environ["OS_PASSWORD"],
    user_domain_id="default",
    project_name=os.environ["OS_PROJECT_NAME"],
    project_domain_id="default",
)
session = Session(auth=password)
ironic = client.get_client(1, session=session, os_ironic_api_version="1.53")
node = ironic.node.create(driver="fake-hardware", name="node-1")
group = ironic.portgroup.create(node_uuid=node.uuid, name="bond-1")

cfg.CONF([], project="heat")
cfg.CONF.set_override("deferred_auth_method", "password")
cfg.CONF.set_override("connection", "sqlite:///heat.db", group="database")
messaging.setup("fake:/", optional=True)
models.BASE.metadata.create_all(api.get_engine())
resources.initialise()
context = RequestContext(
    auth_plugin=password,
    auth_token=session.get_token(),
    auth_url=os.environ["OS_AUTH_URL"],
    is_admin=False,
    project_id=session.get_project_id(),
    user_id=session.get_user_id(),
    username=os.environ["OS_USERNAME"],
    password=os.environ["OS_PASSWORD"],
)
seen: list[Any] = []


def template(**properties: Any) -> Template:
    """Return a template with one port of the node."""
    port = {"type": "OS::Ironic::Port", "properties": {"node": "node-1", **properties}}
    return Template({"heat_template_version": "2021-04-16", "resources": {"port": port}})


def note(stack: Stack) -> None:
    """Note what a stack says of itself, and what Ironic says of the port."""
    shown = ("address", "extra", "pxe_enabled", "portgroup_uuid", "physical_network")
    ports = [{key: getattr(port, key) for key in shown} for port in ironic.port.list(detail=True)]
    seen.append([*stack.state, stack.status_reason, ports])


stack = Stack(context, "lab", template(address=MAC, extra={"rack": "a"}, pxe_enabled=False))
stack.validate()
stack.store()
stack.create()
note(stack)
stack.update(Stack(context, "lab", template(address=OTHER_MAC, pxe_enabled=True)))
note(stack)
stack.update(
    Stack(context, "lab", template(address=OTHER_MAC, pxe_enabled=True, portgroup="bond-1"))
)
note(stack)
second = Stack(context, "second", template(address=OTHER_MAC, pxe_enabled=True))
second.store()
second.create()
note(second)
try:
    Stack(context, "third", template(address=MAC, portgroup="nowhere")).validate()
except Exception as error:
    seen.append(str(error))
stack.delete()
note(stack)
print(re.sub(UUIDS, "UUID", json.dumps(seen)))
