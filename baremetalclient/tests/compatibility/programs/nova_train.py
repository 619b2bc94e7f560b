"""Claim, deploy and release a node, after Nova's wrapper of the Train release."""

# fake_server: {"auth": "keystone"}

import base64
import gzip

from _lab import GROUP, INSTANCE, NODE, PORT, caught, make_session, show, stable

import baremetalclient as ironic

DRIVE = base64.b64encode(gzip.compress(b"an image" * 100))
FIELDS = ("uuid", "power_state", "target_power_state", "provision_state", "instance_uuid")
wrapper = ironic.client.get_client(
    1,
    session=make_session(),
    max_retries=2,
    retry_interval=0.1,
    os_ironic_api_version=["1.46", "1.38"],
    endpoint=make_session().get_endpoint(service_type="baremetal"),
    interface=["internal", "public"],
)


def call(name, *arguments, **options):
    found = wrapper
    for part in name.split("."):
        found = getattr(found, part)
    try:
        return found(*arguments, **options)
    except ironic.exc.NotFound as error:
        return ["NotFound", error.http_status]
    except (ironic.exc.BadRequest, ironic.exc.Conflict) as error:
        return [type(error).__name__, error.http_status]


call("node.create", uuid=NODE, driver="fake-hardware", resource_class="gold")
call("portgroup.create", uuid=GROUP, node_uuid=NODE)
call("port.create", uuid=PORT, node_uuid=NODE, address="52:54:00:00:00:01")
for verb in ("manage", "provide"):
    call("node.set_provision_state", NODE, verb)
free = call("node.list", detail=True, limit=0)
claim = [{"op": "add", "path": "/instance_uuid", "value": INSTANCE}]
claimed = call("node.update", NODE, claim)
again = call("node.update", NODE, claim)
image = {"image_source": "http://192.0.2.1/i.qcow2", "image_checksum": "0" * 32}
info = [{"op": "add", "path": "/instance_info", "value": image}]
call("node.update", NODE, info)
validation = call("node.validate", NODE)
call("node.set_power_state", NODE, "off")
target = call(
    "volume_target.create",
    **{"node_uuid": NODE, "volume_type": "iscsi", "volume_id": "v", "boot_index": 0},
)
call("node.vif_attach", NODE, "vif-1")
call("node.set_provision_state", NODE, "active", configdrive=DRIVE)
found = call("node.get_by_instance_uuid", INSTANCE, fields=FIELDS)
call("node.set_power_state", NODE, "reboot", soft=True)
call("node.set_provision_state", NODE, "deleted")
absent = call("node.get_by_instance_uuid", INSTANCE.replace("5e", "6e"), fields=FIELDS)

show(
    free=[[node.uuid, node.resource_class, node.provision_state] for node in free],
    claimed=claimed.instance_uuid,
    again=again if isinstance(again, list) else again.instance_uuid,
    validation={name: getattr(validation, name)["result"] for name in ("power", "deploy")},
    target=stable({**target.to_dict(), "uuid": None}),
    vifs=call("node.vif_list", NODE),
    found={name: getattr(found, name) for name in FIELDS},
    absent=absent,
    ports=[port.address for port in call("port.list", node=NODE, detail=True)],
    groups=[group.uuid for group in call("portgroup.list", node=NODE, detail=True)],
    deployed=call("node.get", NODE, fields=FIELDS).provision_state,
    missing=call("node.get", "nope"),
    wrong_state=call("node.set_provision_state", NODE, "rebuild"),
    version=wrapper.current_api_version,
    negotiated=wrapper.is_api_version_negotiated,
    too_old=caught(wrapper.allocation.create, resource_class="gold")[1],
)
