"""Nova and Placement, as clients see them that nobody here wrote."""

from __future__ import annotations

import pytest

from fake_server import cloud_config
from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.tests.interop import conftest

pytestmark = pytest.mark.slow("starts the program openstack")


@pytest.fixture(scope="module")
def variables(tmp_path_factory):
    """The variables that lead to a cloud of its own."""
    settings = Settings(auth="keystone")
    with FakeServer(settings) as server:
        directory = tmp_path_factory.mktemp("cloud")
        yield cloud_config.environment(server.url, settings, directory, "admin")


@pytest.fixture(scope="module")
def sdk(variables):
    """An openstacksdk that is connected to the cloud."""
    openstack = pytest.importorskip("openstack")
    cloud = openstack.connect(
        auth_url=variables["OS_AUTH_URL"],
        username=variables["OS_USERNAME"],
        password=variables["OS_PASSWORD"],
        project_name=variables["OS_PROJECT_NAME"],
        user_domain_name="Default",
        project_domain_name="Default",
        region_name="RegionOne",
        baremetal_default_microversion="1.94",
        compute_default_microversion="2.96",
        placement_default_microversion="1.39",
        load_yaml_config=False,
        load_envvars=False,
    )
    yield cloud
    cloud.close()


@pytest.fixture
def openstack(variables):
    """Run a command that has to succeed; return what it prints, decoded where that is JSON."""

    def run(*words, decoded=True):
        words = (*words, "-f", "json") if decoded else words
        status, printed, errors = conftest.openstack(variables, *words)
        assert status == 0, errors
        return printed

    return run


@pytest.fixture
def make_node(sdk):
    """Enrol nodes that can be had, and are gone after the test."""
    made = []

    def make(resource_class, *traits):
        node = sdk.baremetal.create_node(driver="fake-hardware", resource_class=resource_class)
        made.append(node.id)
        for verb in ("manage", "provide"):
            sdk.baremetal.set_node_provision_state(node.id, verb, wait=True)
        ident = f"iqn.2026-11.com.example:{node.id}"
        sdk.baremetal.create_volume_connector(node_id=node.id, type="iqn", connector_id=ident)
        if traits:
            sdk.baremetal.set_node_traits(node.id, list(traits))
        return node.id

    yield make
    for ident in made:
        sdk.baremetal.delete_node(ident)


@pytest.fixture
def volume(sdk):
    made = sdk.block_storage.create_volume(size=1, name="root")
    sdk.block_storage.set_volume_bootable_status(made, bootable=True)
    yield made.id
    sdk.block_storage.delete_volume(made.id, force=True)


def test_a_server_lives_and_dies_from_the_command_line(openstack, sdk, make_node, volume):
    node = make_node("first", "CUSTOM_FAST")
    properties = ("resources:CUSTOM_FIRST=1", "trait:CUSTOM_FAST=required")
    words = [word for text in properties for word in ("--property", text)]
    flavor = openstack("flavor", "create", "--ram", "1", "--vcpus", "1", *words, "first")
    assert openstack("flavor", "show", "first")["id"] == flavor["id"]
    words = ("--flavor", "first", "--volume", "root", "--nic", "none", "--wait")
    server = openstack("server", "create", *words, "one")
    assert (server["status"], server["OS-EXT-SRV-ATTR:hypervisor_hostname"]) == ("ACTIVE", node)
    (listed,) = openstack("server", "list")
    assert (listed["Name"], listed["Status"], listed["Flavor"]) == ("one", "ACTIVE", "first")
    data = sdk.block_storage.create_volume(size=1, name="data").id
    assert openstack("server", "add", "volume", "one", "data")["Volume ID"] == data
    attached = openstack("server", "volume", "list", "one")
    assert [row["Volume ID"] for row in attached] == [volume, data]
    assert openstack("volume", "show", "data")["status"] == "in-use"
    openstack("server", "remove", "volume", "one", "data", decoded=False)
    sdk.block_storage.delete_volume(data)
    openstack("server", "stop", "one", decoded=False)
    assert openstack("server", "show", "one")["status"] == "SHUTOFF"
    openstack("server", "delete", "--wait", "one", decoded=False)
    assert openstack("server", "list") == []
    assert openstack("volume", "show", "root")["status"] == "available"
    assert openstack("baremetal", "volume", "target", "list") == []
    openstack("flavor", "delete", "first", decoded=False)


def test_a_port_moves_between_its_bindings(sdk):
    network = sdk.network.create_network(name="of a server that moves")
    nova = sdk.connect_as(username="nova", project_name="service").network
    owner = {"device_owner": "compute:nova", "project_id": sdk.current_project_id}
    port = nova.create_port(network_id=network.id, binding_host_id="here", **owner)
    assert nova.create_port_binding(port, host="there").status == "INACTIVE"
    nova.activate_port_binding(port, host="there")
    nova.delete_port_binding(port, host="here")
    assert [(one.host, one.status) for one in nova.port_bindings(port)] == [("there", "ACTIVE")]
    assert sdk.network.get_port(port).binding_host_id == "there"


def test_a_rule_is_for_an_address_group(sdk):
    network = sdk.network
    group = network.create_address_group(name="g", addresses=["10.0.0.0/24"])
    network.add_addresses_to_address_group(group, ["10.1.0.0/24"])
    network.remove_addresses_from_address_group(group, ["10.0.0.0/24"])
    found = network.find_address_group("g")
    assert (found.id, found.addresses) == (group.id, ["10.1.0.0/24"])
    of = network.create_security_group(name="of g")
    rule = network.create_security_group_rule(
        security_group_id=of.id, direction="ingress", remote_address_group_id=group.id
    )
    assert network.get_security_group_rule(rule).remote_address_group_id == group.id
