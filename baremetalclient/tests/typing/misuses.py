"""Misuses of the client: type checkers report each marked line, and no other."""
# pyright: strict

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient import boot_from_volume
from baremetalclient.compute.wait import wait_for_server

if TYPE_CHECKING:
    from baremetalclient.v1.arguments import NodeFields, NodeFilters
    from baremetalclient.v1.client import Client
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.objects import PatchOperation, RAIDConfig, Step
    from baremetalclient.v1.types import ProvisionState


def fields(ironic: Client, node: Node) -> None:
    print(node.provison_state)  # error
    print(ironic.nodes)  # error
    print(node.instance_uuid.lower())  # error
    print(node.traits.items())  # error
    print(ironic.port.list()[0].provision_state)  # error
    print(ironic.shard.list()[0].uuid)  # error
    state: ProvisionState = "availabel"  # error
    print(node.provision_state == state, node.links[0]["url"])  # error
    node.maintenance = "yes"  # error


def lists(ironic: Client) -> None:
    ironic.node.list(provision_state="availabel")  # error
    ironic.node.list(provison_state="available")  # error
    ironic.node.list(sort_dir="down")  # error
    ironic.node.list(fault="power")  # error
    ironic.node.iterate(provision_state="availabel")  # error
    ironic.node.iterate(colour="red")  # error
    ironic.driver.list(driver_type="static")  # error
    filters: NodeFilters = {"chasis": "c"}  # error
    ironic.node.iterate(**filters)


def create(ironic: Client, texts: dict[str, str]) -> None:
    ironic.node.create(drivr="ipmi", driver="ipmi")  # error
    ironic.node.create(name="rack-1")  # error
    ironic.node.create(driver="ipmi", properties="cpus=4")  # error
    ironic.node.create(driver="ipmi", deadine=5)  # error
    ironic.port.create(address="52:54:00:00:00:01")  # error
    ironic.node.create({"driver": "ipmi"})  # error
    ironic.allocation.create(resource_class="gold", traits="CUSTOM_GOLD")  # error
    ironic.chassis.create(**texts)  # error
    wanted: NodeFields = {"name": "rack-1"}  # error
    ironic.node.create(**wanted)


def update(ironic: Client) -> None:
    ironic.node.update("rack-1", {"op": "remove", "path": "/name"})  # error
    ironic.node.update("rack-1", "/name=rack-1")  # error
    ironic.node.update("rack-1", extra="rack")  # error
    ironic.node.update("rack-1", nmae="rack-2")  # error
    ironic.port.update("p", uuid="q")  # error
    ironic.port.update("p", is_smartnic="yes")  # error
    ironic.conductor.update("c", alive=True)  # error
    patch: list[PatchOperation] = [{"op": "set", "path": "/name"}]  # error
    patch += [{"op": "remove"}]  # error


def states(ironic: Client, node: Node, word: str) -> None:
    ironic.node.set_provision_state(node.uuid, "mange")  # error
    ironic.node.set_provision_state(node.uuid, word)  # error
    ironic.node.set_provision_state(ironic.port.get("p"), "manage")  # error
    ironic.node.wait_for_provision_state(node, "manage")  # error
    ironic.node.set_power_state(node.uuid, "onn")  # error
    ironic.node.set_boot_mode(node.uuid, "efi")  # error
    raid: RAIDConfig = {"logical_disks": [{"raid_level": "3", "size_gb": 1}]}  # error
    ironic.node.set_target_raid_config(node.uuid, raid)
    steps: list[Step] = [{"interface": "bois", "step": "reset"}]  # error
    ironic.node.set_provision_state(node.uuid, "clean", cleansteps=steps)
    print(ironic.node.validate(node.uuid).deply)  # error
    print(ironic.node.get_inventory(node.uuid).inventory)  # error
    ironic.node.vmedia_attach(node, "tape", "http://192.0.2.1/boot.iso")  # error
    print(ironic.node.vmedia_list(node)[0]["media"])  # error
    ironic.node.set_indicator_state(node, "led@system", "red")  # error
    ironic.node.vendor_passthru(node.uuid, "blink", http_method="SEND")  # error


def volumes(ironic: Client) -> None:
    storage = ironic.block_storage()
    print(storage.volume("v")["siez"])  # error
    boot_from_volume.attach(ironic, storage, "v", "rack-1", mode="w")  # error
    found = boot_from_volume.detach(ironic, storage, "v", "rack-1")
    print(found.volume)  # error


def servers(ironic: Client) -> None:
    compute = ironic.compute()
    print(compute.server("s")["state"])  # error
    wait_for_server(compute, "s", "active")  # error
    compute.create("web", "gold", networks="some")  # error
    compute.attach("s", "v", mode="w")  # error
