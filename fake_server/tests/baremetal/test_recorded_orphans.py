"""What is answered about a node that no living conductor is there for.

Recorded from the fake server, so that no change goes unnoticed.
"""

from __future__ import annotations

from collections import defaultdict

from fake_server.baremetal.conductor_hosts import parse
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.facts import by_fact

MAC = "52:54:00:00:00:01"
PORT = "33333333-3333-4333-8333-333333333333"
STEP = {"interface": "deploy", "step": "erase_devices"}
VIF = {"id": PORT}
REPORT = {"inventory": {"interfaces": [{"name": "eth0", "mac_address": MAC}]}}
TARGET = {"volume_type": "iscsi", "volume_id": "v", "boot_index": 0}
VERBS = ("manage", "provide", "active", "rebuild", "deleted", "inspect", "abort", "adopt", "unhold")
REQUESTS = (
    *(
        ("GET", f"/v1/nodes/n{path}")
        for path in (
            *("", "?fields=conductor", "/states", "/states/console", "/validate", "/vifs"),
            *("/vmedia", "/management/indicators/system@led"),
            *("/management/boot_device", "/management/boot_device/supported", "/bios", "/firmware"),
            *("/management/inject_nmi", "/management/indicators", "/management/indicators/system"),
            *("/management/indicators/system/led", "/vendor_passthru/methods", "/traits"),
            *("/vendor_passthru?method=x", "/history", "/inventory", "/children", "/ports"),
            *("/volume/targets", "/volume/connectors", "/portgroups", "/allocation"),
        )
    ),
    *(("PUT", "/v1/nodes/n/states/provision", {"target": verb}) for verb in VERBS),
    ("PUT", "/v1/nodes/n/states/provision", {"target": "clean", "clean_steps": [STEP]}),
    ("PUT", "/v1/nodes/n/states/provision", {"target": "service", "service_steps": [STEP]}),
    ("PUT", "/v1/nodes/n/states/provision", {"target": "rescue", "rescue_password": "p"}),
    *(
        ("PUT", "/v1/nodes/n/states/power", {"target": target})
        for target in ("power on", "power off", "rebooting", "soft power off")
    ),
    ("PUT", "/v1/nodes/n/states/boot_mode", {"target": "uefi"}),
    ("PUT", "/v1/nodes/n/states/secure_boot", {"target": True}),
    ("PUT", "/v1/nodes/n/states/console", {"enabled": True}),
    ("PUT", "/v1/nodes/n/states/raid", {"logical_disks": [{"size_gb": 1, "raid_level": "1"}]}),
    ("PUT", "/v1/nodes/n/management/boot_device", {"boot_device": "pxe"}),
    ("PUT", "/v1/nodes/n/management/inject_nmi", {}),
    ("PUT", "/v1/nodes/n/management/indicators/system/led", {"state": "ON"}),
    ("PUT", "/v1/nodes/n/maintenance", {"reason": "r"}),
    ("DELETE", "/v1/nodes/n/maintenance"),
    ("POST", "/v1/nodes/n/vmedia", {"device_type": "cdrom", "image_url": "http://i/i.iso"}),
    ("DELETE", "/v1/nodes/n/vmedia"),
    ("POST", "/v1/nodes/n/vifs", VIF),
    ("DELETE", f"/v1/nodes/n/vifs/{PORT}"),
    *((verb, "/v1/nodes/n/vendor_passthru?method=x", {}) for verb in ("POST", "PUT", "PATCH")),
    ("DELETE", "/v1/nodes/n/vendor_passthru?method=x"),
    ("PUT", "/v1/nodes/n/traits", {"traits": ["CUSTOM_A"]}),
    ("PUT", "/v1/nodes/n/traits/CUSTOM_B"),
    ("DELETE", "/v1/nodes/n/traits/CUSTOM_B"),
    ("PATCH", "/v1/nodes/n", [{"op": "add", "path": "/extra/a", "value": 1}]),
    ("PATCH", "/v1/nodes/n", [{"op": "add", "path": "/driver", "value": "fake-hardware"}]),
    ("PATCH", f"/v1/ports/{PORT}", [{"op": "add", "path": "/extra/a", "value": 1}]),
    ("DELETE", f"/v1/ports/{PORT}"),
    ("POST", "/v1/ports", {"node_uuid": "NODE", "address": "52:54:00:00:00:02"}),
    ("POST", "/v1/portgroups", {"node_uuid": "NODE", "name": "g"}),
    ("POST", "/v1/volume/targets", {"node_uuid": "NODE", **TARGET}),
    ("POST", "/v1/volume/connectors", {"node_uuid": "NODE", "type": "ip", "connector_id": "c"}),
    ("POST", "/v1/allocations", {"resource_class": "gold", "name": "a"}),
    ("POST", "/v1/allocations", {"resource_class": "gold", "node": "n"}),
    ("GET", f"/v1/lookup?addresses={MAC}"),
    ("GET", "/v1/lookup?node_uuid=NODE"),
    ("POST", "/v1/heartbeat/NODE", {"callback_url": "https://a:1", "agent_version": "9"}),
    ("POST", "/v1/continue_inspection", REPORT),
    ("POST", "/v1/nodes", {"driver": "fake-hardware"}),
    ("GET", "/v1/drivers"),
    ("GET", "/v1/drivers/fake-hardware"),
    ("GET", "/v1/drivers/fake-hardware/properties"),
    ("GET", "/v1/drivers/fake-hardware/raid/logical_disk_properties"),
    ("GET", "/v1/drivers/fake-hardware/vendor_passthru/methods"),
    ("POST", "/v1/drivers/fake-hardware/vendor_passthru?method=x", {}),
    ("GET", "/v1/conductors"),
    ("DELETE", "/v1/nodes/n"),
)
FIELDS = "/v1/nodes/n?fields=provision_state,power_state,last_error"
STATES = {
    "enroll": (),
    "available": ("manage", "provide"),
    "active": ("manage", "provide", "active"),
    "waiting": ("manage", "inspect"),
}


def named(method, path, body):
    """Return a short name of a request."""
    path = path.removeprefix("/v1/nodes/n").removeprefix("/v1") or "node"
    ones = body[0] if body and isinstance(body[0], list) else body
    values = " ".join(str(value) for one in ones for value in one.values())
    return f"{method} {path} {values}".rstrip()


def answers(state):
    """Yield requests about a node in a state, and what is answered."""
    api = Api(
        agent="external",
        conductors=(parse("a"), parse("b:group")),
        interfaces={"inspect": ("fake", "agent"), "boot": ("fake", "ipxe")},
    )
    images = dict.fromkeys(("deploy_kernel", "deploy_ramdisk"), "http://192.0.2.1/x")
    fields = {"inspect_interface": "agent", "boot_interface": "ipxe", "driver_info": images}
    uuid = api.enrol(resource_class="gold", **fields)
    assert api("POST", "/v1/ports", {"node_uuid": uuid, "address": MAC, "uuid": PORT})[0] == 201
    for verb in STATES[state]:
        api.provision(verb)
    assert api("PATCH", "/_fake/conductors/a", {"alive": False})[0] == 200
    api.app.control.snapshots.take("orphaned")
    before = api("GET", FIELDS)[1]
    for method, path, *body in REQUESTS:
        sent = [{**one, "node_uuid": uuid} if "node_uuid" in one else one for one in body]
        answer = api(method, path.replace("NODE", uuid), *sent)
        after = api("GET", FIELDS)[1] if path != "/v1/nodes/n" or answer[0] != 204 else {}
        said = answer[1] if answer[0] >= 400 else "" if answer[1] is None else "something"
        became = [f"{name}={after[name]}" for name in after if after[name] != before[name]]
        text = " ".join([str(answer[0]), str(said), *became])
        yield named(method, path, body), text.replace(uuid, "NODE")
        api.app.control.snapshots.restore("orphaned")
        api("PATCH", "/_fake/conductors/a", {"alive": False})


def test_a_node_without_a_conductor_is_answered_for_as_recorded(recorded):
    found = defaultdict(lambda: defaultdict(list))
    for state in STATES:
        for asked, said in answers(state):
            found[asked.strip()][said].append(state)
    recorded(
        by_fact(
            {
                asked: [
                    said if len(found[asked]) == 1 else f"{', '.join(states)}: {said}"
                    for said, states in found[asked].items()
                ]
                for asked in found
            }
        )
    )
