"""Process the reports of agents that inspect their nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, states
from fake_server.baremetal.conductor import failures
from fake_server.baremetal.models import hardware
from fake_server.baremetal.models.ports import PORTS
from fake_server.baremetal.rules import engine
from fake_server.common.formats import is_mac

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.conductor.task import Task

Interfaces = dict[str, dict[str, Any]]


def request_continuation(
    task: Task, inventory: dict[str, Any], plugin_data: dict[str, Any]
) -> None:
    """Plan to process a report; raise NotFound if the node doesn't wait for one."""
    if task.node["provision_state"] != states.INSPECTWAIT:
        raise errors.NotFound
    arguments = {"inventory": inventory, "plugin_data": plugin_data}
    task.process("resume", work="continue_inspection", arguments=arguments)


def continue_inspection(task: Task, inventory: dict[str, Any], plugin_data: dict[str, Any]) -> None:
    """Process a report and finish the inspection.

    :param inventory: the hardware that was found.
    :param plugin_data: the rest of the agent's report.
    """
    task.stamp("agent_last_heartbeat")
    task.save()
    task.driver.inspect.check_report(task)
    try:
        _run_hooks(task, inventory, plugin_data)
    except errors.ApiError as exc:
        failure = errors.HardwareInspectionFailure(error=f"failed to run inspection hooks: {exc}")
        _fail(task, failure)
        raise failure from exc
    task.driver.inspect.clean_up(task)
    try:
        engine.apply(task, inventory, plugin_data)
    except errors.ApiError as exc:
        _fail(task, exc)
        raise
    plugin_data.pop("logs", None)
    hardware.store_inventory(task.session, task.node, inventory, plugin_data)
    task.process("done")


def keep(task: Task, inventory: dict[str, Any], plugin_data: dict[str, Any]) -> None:
    """Process what was found without an agent; raise ApiError if that fails."""
    _run_hooks(task, inventory, plugin_data)
    hardware.store_inventory(task.session, task.node, inventory, plugin_data)
    engine.apply(task, inventory, plugin_data)


def _fail(task: Task, failure: errors.ApiError) -> None:
    failures.inspecting_error_handler(task, f"Failed to finish inspection: {failure}")
    task.process("fail")


def _run_hooks(task: Task, inventory: dict[str, Any], plugin_data: dict[str, Any]) -> None:
    """Run the equivalents of Ironic's default hooks; raise ApiError for an incomplete report."""
    uuid = task.node["uuid"]
    problems = []
    if plugin_data.get("error"):
        failure = errors.HardwareInspectionFailure(
            error=f"Ramdisk reported error: {plugin_data['error']}"
        )
        problems.append(f"Error in preprocess hook ramdisk-error: {failure}")
    found: Interfaces = {}
    try:
        found = _interfaces(inventory)
        valid = _valid_interfaces(uuid, inventory, found)
    except errors.InvalidNodeInventory as exc:
        problems.append(
            "Unexpected exception InvalidNodeInventory during preprocess hook "
            f"validate-interfaces: {exc}"
        )
    if problems:
        lines = "\n".join(problems)
        raise errors.HardwareInspectionFailure(
            error="The following failures happened while running preprocess hooks for node "
            f"{uuid}:\n{lines}"
        )
    plugin_data.update(
        all_interfaces=found,
        valid_interfaces=valid,
        macs=[item["mac_address"] for item in valid.values()],
    )
    _add_ports(task, valid)
    _update_ports(task, found)
    _note_architecture(task, inventory)


def _interfaces(inventory: Mapping[str, Any]) -> Interfaces:
    boot = _boot_address(inventory)
    found = {}
    for item in inventory["interfaces"]:
        address = item.get("mac_address")
        if item.get("name") and is_mac(address):
            ipv6 = item.get("ipv6_address")
            found[item["name"]] = {
                **item,
                "pxe_enabled": address.lower() == boot,
                "ipv6_address": ipv6.split("%")[0] if ipv6 else ipv6,
            }
    return found


def _valid_interfaces(uuid: str, inventory: Mapping[str, Any], found: Interfaces) -> Interfaces:
    if not found:
        raise errors.InvalidNodeInventory(node=uuid, reason="no valid network interfaces")
    boot = _boot_address(inventory)
    valid = {
        name: dict(item)
        for name, item in found.items()
        if name != "lo" and not _is_loopback(item) and (not boot or item["pxe_enabled"])
    }
    if not valid:
        raise errors.InvalidNodeInventory(
            node=uuid,
            reason='no network interfaces match the configuration (add_ports set to "pxe")',
        )
    return valid


def _is_loopback(interface: Mapping[str, Any]) -> bool:
    address = interface.get("ipv4_address") or interface.get("ipv6_address") or ""
    return str(address).startswith("127.") or address == "::1"


def _boot_address(inventory: Mapping[str, Any]) -> str | None:
    address = (inventory.get("boot") or {}).get("pxe_interface")
    if not address:
        return None
    if "-" in address:
        address = address.split("-", 1)[1].replace("-", ":")
    return str(address).lower()


def _add_ports(task: Task, interfaces: Interfaces) -> None:
    present = {port["address"] for port in task.ports}
    for item in interfaces.values():
        if item["mac_address"] in present:
            continue
        extra = {"client-id": item["client_id"]} if item.get("client_id") else {}
        values = {
            "address": item["mac_address"],
            "node_id": task.node["id"],
            "pxe_enabled": item["pxe_enabled"],
            "extra": extra,
        }
        try:
            PORTS.create(task.session, values)
        except errors.AlreadyExists:
            continue  # it belongs to another node, which keeps it


def _update_ports(task: Task, interfaces: Interfaces) -> None:
    booting = {item["mac_address"].lower() for item in interfaces.values() if item["pxe_enabled"]}
    clients = {item["mac_address"].lower(): item.get("client_id") for item in interfaces.values()}
    for port in task.ports:
        changes: dict[str, Any] = {}
        if port["pxe_enabled"] != (port["address"] in booting):
            changes["pxe_enabled"] = port["address"] in booting
        client, extra = clients.get(port["address"]), port["extra"] or {}
        if client and client != extra.get("client-id"):
            changes["extra"] = {**extra, "client-id": client}
        PORTS.update(task.session, port, changes)


def _note_architecture(task: Task, inventory: Mapping[str, Any]) -> None:
    cpu = inventory.get("cpu")
    if not isinstance(cpu, dict) or "architecture" not in cpu:
        uuid = task.node["uuid"]
        raise errors.HardwareInspectionFailure(
            error=f"Unexpected exception InvalidNodeInventory during processing for node: {uuid}. "
            f"Error: Inventory for node {uuid} is invalid: Inventory has malformed or missing CPU "
            f"architecture information: {cpu} for node {uuid}."
        )
    task.node["properties"]["cpu_arch"] = cpu["architecture"]
    task.save()
