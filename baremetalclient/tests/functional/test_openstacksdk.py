"""openstacksdk as a client of the Ironic under test: what it gets is the same, fake or real."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from uuid import uuid4

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import openstack
    from openstack import exceptions


@pytest.fixture(scope="module")
def baremetal(request, server_url):
    if request.config.getoption("--dialect") == "spec":
        pytest.skip("openstacksdk knows the API as it was released, and no other.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cloud = openstack.connect(
            auth_type="none", endpoint=server_url, baremetal_endpoint_override=f"{server_url}/v1"
        )
        yield cloud.baremetal


@pytest.fixture
def node(baremetal):
    node = baremetal.create_node(
        driver="fake-hardware",
        name=f"sdk-{uuid4().hex[:8]}",
        resource_class="gold",
        properties={"cpus": 4},
        extra={"rack": 7},
    )
    yield node
    node = baremetal.find_node(node.id)
    if node is not None:
        if node.provision_state not in ("enroll", "manageable", "available"):
            baremetal.set_node_provision_state(node, "deleted", wait=True, timeout=60)
        baremetal.delete_node(node)


@pytest.fixture
def available(baremetal, node):
    baremetal.set_node_provision_state(node, "manage", wait=True, timeout=60)
    return baremetal.set_node_provision_state(node, "provide", wait=True, timeout=60)


@contextmanager
def conflict(baremetal):
    """Expect a conflict, which openstacksdk would try again for 15 seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(baremetal, "status_code_retries", 0)
        with pytest.raises(exceptions.ConflictException):
            yield


def test_nodes(baremetal, node):
    assert (node.driver, node.provision_state, node.resource_class) == (
        "fake-hardware",
        "enroll",
        "gold",
    )
    found = baremetal.get_node(node.id)
    assert (found.name, found.extra, found.properties) == (node.name, {"rack": 7}, {"cpus": 4})
    assert baremetal.find_node(node.name).id == node.id
    assert node.id in [one.id for one in baremetal.nodes(provision_state="enroll")]
    assert node.id in [one.id for one in baremetal.nodes(details=True, resource_class="gold")]
    assert [one.id for one in baremetal.nodes(fields=["uuid", "name"]) if one.name == node.name]
    changed = baremetal.update_node(node, extra={"rack": 8}, description="moved")
    assert (changed.extra, changed.description) == ({"rack": 8}, "moved")
    patch = [{"op": "remove", "path": "/extra/rack"}]
    assert baremetal.patch_node(node, patch).extra == {}
    with pytest.raises(exceptions.NotFoundException):
        baremetal.get_node(str(uuid4()))
    with conflict(baremetal):
        baremetal.create_node(driver="fake-hardware", name=node.name)


def test_states(baremetal, available):
    assert available.provision_state == "available"
    assert baremetal.set_node_power_state(available, "power off", wait=True, timeout=60) is None
    assert baremetal.get_node(available.id).power_state == "power off"
    baremetal.set_node_maintenance(available, reason="dust")
    found = baremetal.get_node(available.id)
    assert (found.is_maintenance, found.maintenance_reason) == (True, "dust")
    baremetal.unset_node_maintenance(available)
    assert not baremetal.get_node(available.id).is_maintenance
    active = baremetal.set_node_provision_state(available, "active", wait=True, timeout=60)
    assert active.provision_state == "active"
    with pytest.raises(exceptions.BadRequestException):
        baremetal.set_node_provision_state(available, "provide")
    again = baremetal.set_node_provision_state(available, "deleted", wait=True, timeout=60)
    assert again.provision_state == "available"


def test_management(baremetal, available):
    results = baremetal.validate_node(available, required=None)
    assert results["power"].result
    assert "boot" in results
    baremetal.set_node_boot_device(available, "pxe", persistent=True)
    assert baremetal.get_node_boot_device(available)["boot_device"] == "pxe"
    devices = baremetal.get_node_supported_boot_devices(available)
    assert "pxe" in devices["supported_boot_devices"]
    assert baremetal.list_node_vendor_passthru(available)
    baremetal.set_node_traits(available, ["CUSTOM_A", "HW_CPU_X86_VMX"])
    baremetal.add_node_trait(available, "CUSTOM_B")
    baremetal.remove_node_trait(available, "CUSTOM_A")
    assert sorted(baremetal.get_node(available.id).traits) == ["CUSTOM_B", "HW_CPU_X86_VMX"]
    vif = str(uuid4())
    baremetal.attach_vif_to_node(available, vif)
    assert baremetal.list_node_vifs(available) == []  # the network interface is noop
    assert baremetal.detach_vif_from_node(available, vif)


def test_ports_and_port_groups(baremetal, node):
    group = baremetal.create_port_group(node_id=node.id, name=f"{node.name}-bond")
    address = f"52:54:00:{node.id[:2]}:{node.id[2:4]}:{node.id[4:6]}"
    port = baremetal.create_port(
        node_id=node.id, address=address, port_group_id=group.id, physical_network="rack"
    )
    assert [one.id for one in baremetal.ports(node=node.id)] == [port.id]
    assert [one.id for one in baremetal.ports(address=address, details=True)] == [port.id]
    assert baremetal.update_port(port, extra={"a": 1}).extra == {"a": 1}
    assert baremetal.get_port(port.id).physical_network == "rack"
    assert [one.id for one in baremetal.port_groups(node=node.id)] == [group.id]
    with conflict(baremetal):
        baremetal.create_port(node_id=node.id, address=address)
    baremetal.delete_port(port)
    baremetal.delete_port_group(group)
    assert baremetal.find_port(port.id) is None


@pytest.mark.since(115)  # the first to mask passwords
def test_volumes(baremetal, available):
    baremetal.set_node_power_state(available, "power off", wait=True, timeout=60)
    name = f"iqn.2026-11.com.example:{available.name}"
    connector = baremetal.create_volume_connector(
        node_id=available.id, type="iqn", connector_id=name
    )
    target = baremetal.create_volume_target(
        node_id=available.id,
        volume_type="iscsi",
        boot_index=0,
        volume_id=str(uuid4()),
        properties={"auth_password": "hidden"},
    )
    assert target.properties == {"auth_password": "******"}
    assert [one.id for one in baremetal.volume_connectors(node=available.id)] == [connector.id]
    assert [one.id for one in baremetal.volume_targets(node=available.id)] == [target.id]
    assert baremetal.update_volume_connector(connector, extra={"a": 1}).extra == {"a": 1}
    assert baremetal.get_volume_target(target.id).boot_index == 0
    with conflict(baremetal):
        baremetal.create_volume_connector(node_id=available.id, type="iqn", connector_id=name)
    baremetal.delete_volume_connector(connector)
    baremetal.delete_volume_target(target)
    assert baremetal.find_volume_target(target.id) is None


def test_drivers_and_conductors(baremetal):
    assert "fake-hardware" in [one.name for one in baremetal.drivers()]
    assert baremetal.get_driver("fake-hardware").default_deploy_interface == "fake"
    (conductor,) = baremetal.conductors()
    assert baremetal.get_conductor(conductor.hostname).alive


def test_allocations(baremetal, available):
    baremetal.set_node_power_state(available, "power off", wait=True, timeout=60)
    name = f"sdk-{uuid4().hex[:8]}"
    baremetal.add_node_trait(available, "CUSTOM_SDK")
    allocation = baremetal.create_allocation(
        resource_class="gold",
        name=name,
        traits=["CUSTOM_SDK"],
        candidate_nodes=[available.name],
    )
    allocation = baremetal.wait_for_allocation(allocation, timeout=60)
    assert (allocation.state, allocation.node_id) == ("active", available.id)
    found = baremetal.get_node(available.id)
    assert (found.allocation_id, found.instance_id) == (allocation.id, allocation.id)
    assert allocation.id in [one.id for one in baremetal.allocations(state="active")]
    updated = baremetal.update_allocation(allocation, extra={"a": 1})
    assert (updated.name, updated.extra) == (name, {"a": 1})
    baremetal.delete_allocation(allocation)
    assert baremetal.get_node(available.id).instance_id is None
    failed = baremetal.create_allocation(resource_class=name)
    with pytest.raises(exceptions.ResourceFailure, match="no available nodes match"):
        baremetal.wait_for_allocation(failed, timeout=60)
    baremetal.delete_allocation(failed)


@pytest.mark.parametrize("kind", ["chassis", "deploy_template", "runbook"])
def test_what_belongs_to_no_node(baremetal, newest, kind):
    if not hasattr(baremetal, f"create_{kind}"):
        pytest.skip(f"This openstacksdk is too old to know {kind}.")
    if kind == "runbook" and newest.minor < 92:
        pytest.skip("This Ironic doesn't know runbooks.")
    step = {"interface": "bios", "step": "factory_reset", "args": {}}
    step |= {"order": 1} if kind == "runbook" else {"priority": 10}
    fields = {"name": f"CUSTOM_SDK_{uuid4().hex[:8].upper()}", "steps": [step]}
    fields = {"description": "a rack"} if kind == "chassis" else fields
    made = getattr(baremetal, f"create_{kind}")(**fields)
    assert {name: getattr(made, name) for name in fields} == fields
    changed = getattr(baremetal, f"update_{kind}")(made, extra={"a": 1})
    assert getattr(baremetal, f"get_{kind}")(made.id).extra == changed.extra == {"a": 1}
    listed = getattr(baremetal, "chassis" if kind == "chassis" else f"{kind}s")
    assert made.id in [one.id for one in listed()]
    getattr(baremetal, f"delete_{kind}")(made)
