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
    found = baremetal.get_node(node.id)
    assert (node.provision_state, found.name, found.driver, found.extra, found.properties) == (
        *("enroll", node.name, "fake-hardware", {"rack": 7}, {"cpus": 4}),
    )
    assert baremetal.find_node(node.name).id == node.id
    for filters in (
        {"provision_state": "enroll"},
        {"details": True, "resource_class": "gold"},
        {"fields": ["uuid", "name"]},
    ):
        assert node.id in [one.id for one in baremetal.nodes(**filters)]
    changed = baremetal.update_node(node, extra={"rack": 8}, description="moved")
    assert (changed.extra, changed.description) == ({"rack": 8}, "moved")
    assert baremetal.patch_node(node, [{"op": "remove", "path": "/extra/rack"}]).extra == {}
    with pytest.raises(exceptions.NotFoundException):
        baremetal.get_node(str(uuid4()))
    with conflict(baremetal):
        baremetal.create_node(driver="fake-hardware", name=node.name)


def test_states_and_management(baremetal, available):
    assert available.provision_state == "available"
    baremetal.set_node_power_state(available, "power off", wait=True, timeout=60)
    assert baremetal.get_node(available.id).power_state == "power off"
    baremetal.set_node_maintenance(available, reason="dust")
    found = baremetal.get_node(available.id)
    assert (found.is_maintenance, found.maintenance_reason) == (True, "dust")
    baremetal.unset_node_maintenance(available)
    assert not baremetal.get_node(available.id).is_maintenance
    with pytest.raises(exceptions.BadRequestException):
        baremetal.set_node_provision_state(available, "rebuild")
    for verb, state in (("active", "active"), ("deleted", "available")):
        found = baremetal.set_node_provision_state(available, verb, wait=True, timeout=60)
        assert found.provision_state == state
    assert baremetal.validate_node(available, required=None)["power"].result
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
