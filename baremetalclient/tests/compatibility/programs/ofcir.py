"""Reinstall a machine for continuous integration, after ofcir's provider."""

import os

from _lab import NODE, caught, show

import baremetalclient

DRIVE = {"meta_data": {"public_keys": {"0": "ssh-rsa AAAA ofcirkey"}}}
IMAGE = {"image_source": "http://192.0.2.1/i.qcow2", "image_checksum": "http://192.0.2.1/i.md5"}
ironic = baremetalclient.client.get_client(
    1,
    os_ironic_api_version="1.78",
    endpoint=os.environ["OS_ENDPOINT"],
    name="user",
    password="secret",
)
ironic.node.create(uuid=NODE, driver="fake-hardware", name="cir-1", extra={"ip": "192.0.2.7"})
for verb in ("manage", "provide"):
    ironic.node.set_provision_state(NODE, verb)
states = []
for node in ironic.node.list():
    if node.name == "cir-1" and node.provision_state in ("available", "active"):
        ironic.node.update(node.uuid, [{"op": "add", "path": "/instance_info", "value": IMAGE}])
        ironic.node.set_provision_state(node.uuid, "active", configdrive=DRIVE)
        states.append(ironic.node.get(node.uuid).provision_state)
ironic.node.set_provision_state(NODE, "rebuild", configdrive=DRIVE)
states.append(ironic.node.get(NODE).provision_state)

show(
    states=states,
    ip=ironic.node.get(NODE).extra["ip"],
    image=ironic.node.get("cir-1").instance_info["image_source"],
    release=caught(ironic.node.set_provision_state, NODE, "clean"),
    version=baremetalclient.__version__.count(".") >= 2,
)
