"""What metal3's baremetal-operator asks for, from a host's registration to its deletion.

The operator is written in Go; these are its requests and its order of them. It patches, and polls
one node at a time; it uses HTTP basic authentication over HTTPS where it is told to.
"""

import os
import sys
import time

import requests

ENDPOINT = os.environ["OS_ENDPOINT"].rstrip("/")
NAME, MAC = "metal3~host-0", "52:54:00:10:00:01"

session = requests.Session()
session.headers["X-OpenStack-Ironic-API-Version"] = "1.93"
session.verify = os.environ.get("OS_CACERT", True)
if "OS_USERNAME" in os.environ:
    session.auth = (os.environ["OS_USERNAME"], os.environ["OS_PASSWORD"])


def call(method, path, body=None):
    """Send a request and return its answer; end with the error that it was refused with."""
    answer = session.request(method, ENDPOINT + path, json=body, timeout=60)
    if not answer.ok:
        sys.exit(f"{method} {path}: {answer.status_code} {answer.text}")
    return answer.json() if answer.content else None


def wait(node, *states):
    """Poll until the node is in one of some states and nobody works on it."""
    for _ in range(600):
        found = call("GET", f"/v1/nodes/{node}")
        if found["provision_state"] in states and not found["reservation"]:
            print(found["provision_state"], found["power_state"], found["last_error"])
            return found
        time.sleep(0.1)
    sys.exit(f"{node} did not get to {states}: {found['provision_state']} {found['last_error']}")


def provision(node, target, *states, **more):
    call("PUT", f"/v1/nodes/{node}/states/provision", {"target": target, **more})
    return wait(node, *states)


def look_at_boot(node):
    """Print what the machine boots from, and which of its devices hold images."""
    print(call("GET", f"/v1/nodes/{node}/management/boot_device"))
    print([device["inserted"] for device in call("GET", f"/v1/nodes/{node}/vmedia")])


drivers = call("GET", "/v1/drivers")["drivers"]
print("redfish" in [driver["name"] for driver in drivers], call("GET", "/")["name"])

print(session.get(f"{ENDPOINT}/v1/nodes/{NAME}", timeout=60).status_code)
node = call(
    "POST",
    "/v1/nodes",
    {
        "driver": "redfish",
        "name": NAME,
        "boot_interface": "redfish-virtual-media",
        "deploy_interface": "ramdisk",
        "inspect_interface": "redfish",
        "network_interface": "noop",
        "automated_clean": False,
        "conductor_group": os.environ["CONDUCTOR_GROUP"],
        "driver_info": {
            "deploy_kernel": "http://images/kernel",
            "deploy_ramdisk": "http://images/ramdisk",
            "redfish_address": os.environ["REDFISH_ADDRESS"],
            "redfish_system_id": os.environ["REDFISH_SYSTEM"],
            "redfish_verify_ca": False,
            "force_persistent_boot_device": "Default",
        },
        "properties": {"capabilities": "boot_mode:uefi"},
    },
)
uuid = node["uuid"]
try:
    print(node["provision_state"], node["bios_interface"], node["power_interface"])
    call("POST", "/v1/ports", {"node_uuid": uuid, "address": MAC, "pxe_enabled": True})
    print([port["address"] for port in call("GET", f"/v1/ports?node_uuid={uuid}")["ports"]])

    provision(uuid, "manage", "manageable", "enroll")
    provision(uuid, "inspect", "manageable", "inspect failed")
    data = call("GET", f"/v1/nodes/{uuid}/inventory")
    print(sorted(data["inventory"]), data["inventory"]["memory"]["physical_mb"])
    properties = call("GET", f"/v1/nodes/{uuid}")["properties"]
    print(properties["cpu_arch"], properties["memory_mb"], properties["local_gb"])
    settings = call("GET", f"/v1/nodes/{uuid}/bios?detail=True")["bios"]
    print([(setting["name"], setting["value"]) for setting in settings])
    components = call("GET", f"/v1/nodes/{uuid}/firmware")["firmware"]
    print([component["component"] for component in components])

    image = os.environ["BOOT_ISO"]
    change = [
        {"op": "add", "path": "/instance_info", "value": {"boot_iso": image}},
        {"op": "add", "path": "/instance_uuid", "value": "6f1d6b4e-8f43-4a60-a4dd-3d6ca53a0b2a"},
    ]
    call("PATCH", f"/v1/nodes/{uuid}", change)
    validation = call("GET", f"/v1/nodes/{uuid}/validate")
    print({kind: validation[kind]["result"] for kind in ("boot", "deploy", "power")})
    provision(uuid, "provide", "available")
    provision(uuid, "active", "active", "deploy failed")
    look_at_boot(uuid)

    for target in ("power off", "power on", "soft power off"):
        call("PUT", f"/v1/nodes/{uuid}/states/power", {"target": target, "timeout": 30})
        print(wait(uuid, "active")["power_state"])
    provision(uuid, "deleted", "available")
    look_at_boot(uuid)
finally:
    maintenance = [{"op": "replace", "path": "/maintenance", "value": True}]
    call("PATCH", f"/v1/nodes/{uuid}", maintenance)
    call("DELETE", f"/v1/nodes/{uuid}")
print(session.get(f"{ENDPOINT}/v1/nodes/{uuid}", timeout=60).status_code)
