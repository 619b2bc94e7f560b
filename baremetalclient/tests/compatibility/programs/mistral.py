"""Find the calls of the client and make some by name, after mistral-extra's actions."""

# fake_server: {"auth": "keystone"}

import functools
import inspect
import os

from _lab import NODE, caught, make_session, show
from keystoneauth1 import session as ks_session

from baremetalclient.v1 import client as ironicclient

ACTIONS = {
    "node_create": "node.create",
    "node_get": "node.get",
    "node_list": "node.list",
    "node_set_maintenance": "node.set_maintenance",
    "node_update": "node.update",
    "node_wait": "node.wait_for_provision_state",
    "port_get_by_address": "port.get_by_address",
    "driver_get_vendor_passthru_methods": "driver.get_vendor_passthru_methods",
}


def method(ironic, name):
    return functools.reduce(getattr, name.split("."), ironic)


fake = ironicclient.Client(endpoint_override="http://127.0.0.1:6385/", session=ks_session.Session())
signatures = {
    action: [next(iter(inspect.signature(method(fake, name)).parameters), "")]
    for action, name in ACTIONS.items()
    if action != "node_create"
}
ironic = ironicclient.Client(
    os_ironic_api_version="1.34",
    endpoint_override=os.environ["OS_AUTH_URL"].removesuffix("identity/v3"),
    session=make_session(),
)
made = method(ironic, ACTIONS["node_create"])(uuid=NODE, name="n", driver="fake-hardware")
method(ironic, ACTIONS["node_set_maintenance"])(node_id="n", state=True, maint_reason="why")
patch = [{"op": "replace", "path": "/name", "value": "m"}]
renamed = method(ironic, ACTIONS["node_update"])(node_id=NODE, patch=patch)
listed = method(ironic, ACTIONS["node_list"])(maintenance=True, fields=["name", "uuid"])

show(
    signatures=signatures,
    made=made.to_dict()["name"],
    renamed=[renamed.name, renamed.maintenance_reason],
    listed=[[node.name, node.uuid] for node in listed],
    vendor=caught(method(ironic, "driver.get_vendor_passthru_methods"), "fake-hardware"),
)
