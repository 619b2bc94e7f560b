"""How understack enrols a server: by the address of its controller, BIOS settings and all."""

import os

from baremetalclient import client, exc

ironic = client.get_client(
    1, session=None, endpoint=os.environ["OS_ENDPOINT"], os_ironic_api_version="1.93"
)
NAME = "Dell-0123ABC"


def change(state, verb, **options):
    ironic.node.set_provision_state(NAME, verb, **options)
    ironic.node.wait_for_provision_state(NAME, state, timeout=60, poll_interval=0.2)
    print(verb, ironic.node.get(NAME).provision_state)


try:
    ironic.node.get(NAME)
except exc.NotFound:
    print("new")
info = {
    "redfish_address": os.environ["REDFISH_ADDRESS"],
    "redfish_system_id": os.environ["REDFISH_SYSTEM"],
    "redfish_verify_ca": False,
    "redfish_username": "root",
    "redfish_password": "secret",
}
node = ironic.node.create(
    name=NAME,
    driver="redfish",
    driver_info=info,
    boot_interface="http-ipxe",
    conductor_group=os.environ["CONDUCTOR_GROUP"],
)
try:
    print(node.driver_info["redfish_password"], node.inspect_interface, node.raid_interface)
    change("manageable", "manage")
    settings = {row["name"]: row["value"] for row in ironic.node.list_bios_settings(NAME)}
    print(sorted(settings))
    wanted = {name: value for name, value in settings.items() if name.startswith("Boot")}
    step = {
        "interface": "bios",
        "step": "apply_configuration",
        "args": {"settings": [{"name": k, "value": v} for k, v in sorted(wanted.items())]},
    }
    change("manageable", "clean", cleansteps=[step], disable_ramdisk=True)
    change("manageable", "inspect")
    found = ironic.node.get(NAME)
    print(found.properties["cpu_arch"], found.properties["memory_mb"])
    patch = [
        {"op": "add", "path": "/resource_class", "value": "m1.small"},
        {"op": "add", "path": "/extra/external_cmdb_id", "value": "1234"},
    ]
    print(ironic.node.update(NAME, patch).resource_class)
    ironic.node.set_traits(NAME, ["CUSTOM_NETWORK_SWITCH"])
    for port in ironic.port.list(node=NAME, detail=True):
        ironic.port.update(port.uuid, [{"op": "replace", "path": "/pxe_enabled", "value": True}])
        print(ironic.port.get(port.uuid).pxe_enabled)
    change("available", "provide")
finally:
    ironic.node.set_maintenance(NAME, True)
    ironic.node.delete(NAME)
