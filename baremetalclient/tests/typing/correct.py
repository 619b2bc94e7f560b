"""Correct uses of the client: type checkers accept them all, in strict mode."""
# pyright: strict

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, assert_type, cast, get_args

from baremetalclient import boot_from_volume, client, exc
from baremetalclient.compute.lookup import find_flavor, find_server
from baremetalclient.compute.wait import wait_for_server
from baremetalclient.v1.types import ProvisionState, ProvisionVerb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.block_storage.objects import Mode
    from baremetalclient.v1.arguments import NodeChanges, NodeFields, NodeFilters
    from baremetalclient.v1.client import Client
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.objects import PatchOperation, RAIDConfig, Step
    from baremetalclient.v1.types import PowerState


def connect() -> Client:
    return client.get_client(1, endpoint="http://127.0.0.1:6385", os_ironic_api_version="1.80")


def fields(ironic: Client) -> None:
    node = ironic.node.get("rack-1", fields=["uuid", "provision_state"])
    assert_type(node.uuid, str)
    assert_type(node.provision_state, ProvisionState)
    assert_type(node.instance_uuid, str | None)
    assert_type(node.traits, list[str])
    power: PowerState | None = node.power_state
    if node.provision_state == "available" and power == "power off":
        print(node.name or node.uuid, node.links[0]["href"])
    assert_type(ironic.port.list()[0].address, str)
    assert_type(ironic.allocation.get("a").node_uuid, str | None)
    assert_type(ironic.deploy_template.get("CUSTOM_GOLD").steps[0]["step"], str)
    assert_type(ironic.volume_target.list()[0].boot_index, int)
    assert_type(ironic.node.vif_list("rack-1")[0].id, str)


def lists(ironic: Client, **options: Any) -> Iterator[Node]:
    ironic.node.list(provision_state="available", maintenance=False, limit=0, sort_dir="desc")
    ironic.node.list(driver="third-party", traits=["CUSTOM_GOLD"], deadline=10)
    filters: NodeFilters = {"provision_state": "active", "fields": ["uuid"]}
    yield from ironic.node.iterate(**filters)
    yield from ironic.node.iterate(**options)
    assert_type(next(ironic.volume_target.iterate(volume_id="v")).volume_id, str)


def create(ironic: Client, from_json: dict[str, Any], path: Path) -> Node:
    ironic.node.create(**from_json)
    ironic.node.create(**json.loads(path.read_text()))
    wanted: NodeFields = {"driver": "ipmi", "driver_info": {"ipmi_address": "192.0.2.1"}}
    wanted["boot_interface"] = "third-party"
    node = ironic.node.create(**wanted)
    ironic.node.create(driver="fake-hardware", name=None, os_ironic_api_version="1.50")
    ironic.port.create(address="52:54:00:00:00:01", node_uuid=node.uuid, pxe_enabled=True)
    return node


def update(ironic: Client, node: Node) -> Node:
    ironic.node.update(node.uuid, [{"op": "replace", "path": "/name", "value": "rack-1"}])
    plain = [{"op": "remove", "path": "/extra/rack"}]
    ironic.node.update(node.uuid, plain)
    collected: list[dict[str, Any]] = []
    collected.append({"op": "add", "path": "/extra/rack", "value": 1})
    ironic.port.update("p", collected)
    ironic.node.update(node, extra={"rack": 1}, name=None, deadline=5)
    changes: NodeChanges = {"maintenance": True}
    ironic.node.update(node_id=node, **changes)
    assert_type(ironic.port.update("p", pxe_enabled=False, name="eth0").name, str | None)
    ironic.volume_target.update(volume_target_id="t", boot_index=1)
    checked: list[PatchOperation] = [{"op": "add", "path": "/extra/rack", "value": {"u": 1}}]
    return ironic.node.update(node.uuid, checked, reset_interfaces=True)


def states(ironic: Client, node: Node, word: str) -> None:
    ironic.node.set_provision_state(node, "manage")
    ironic.port.list(node=node, limit=0)
    ironic.node.wait_for_provision_state([node, "rack-2"], "manageable", timeout=60)
    ironic.node.wait_for([node, "rack-2"], "provision_state=manageable", timeout=60)
    (result,) = ironic.node.wait_for(node, lambda found: found.power_state == "power on")
    assert_type(result.state, str | None)
    for event in ironic.node.watch(select=["owner=me", "lessee=me"], timeout=60):
        assert_type(event["fields"]["fault"]["old"], Any)
    steps: list[Step] = [{"interface": "raid", "step": "delete_configuration"}]
    ironic.node.set_provision_state(node.uuid, "clean", cleansteps=steps)
    ironic.node.set_provision_state(node.uuid, "active", configdrive=Path("drive"))
    if word in get_args(ProvisionVerb):
        ironic.node.set_provision_state(node.uuid, cast("ProvisionVerb", word))
    ironic.node.set_power_state(node.uuid, "reboot", soft=True, timeout=60)
    raid: RAIDConfig = {"logical_disks": [{"raid_level": "1+0", "size_gb": "MAX"}]}
    ironic.node.set_target_raid_config(node.uuid, raid)
    assert_type(ironic.node.validate(node.uuid).deploy["result"], bool | None)
    ironic.node.vmedia_attach(node, "cdrom", "http://192.0.2.1/boot.iso")


def volumes(ironic: Client, mode: Mode = "ro") -> str | None:
    storage = ironic.block_storage()
    volume = storage.volume("v")
    assert_type(volume["size"], int)
    boot_from_volume.check_sharing(volume, ["a", "b"], mode, allow_shared_write=False)
    attached = boot_from_volume.attach(ironic, storage, volume["id"], "a", mode=mode)
    assert_type(attached.mode, "Mode | None")
    return storage.attachments(volume_id="v")[0]["instance"]


def servers(ironic: Client) -> None:
    compute = ironic.compute()
    made = compute.create("web", find_flavor(compute, "gold")["id"], networks="none")
    server = wait_for_server(compute, made[0]["id"], "ACTIVE", timeout=60)
    assert_type(server["OS-EXT-STS:power_state"], int)
    if server["status"] == "ERROR" and "fault" in server:
        print(server["fault"]["message"])
    assert_type(compute.attachments(find_server(compute, "web")["id"])[0]["volumeId"], str)


def errors(ironic: Client) -> None:
    options: CallOptions = {"deadline": 5, "os_ironic_api_version": ["1.60", "1.80"]}
    try:
        ironic.node.get("rack-1", **options)
    except exc.NotFound as error:
        print(error.http_status)
