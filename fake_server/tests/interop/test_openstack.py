"""Nova and Placement, as clients see them that nobody here wrote."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from baremetalclient.tests import commands
from fake_server.cli import cloud_config
from fake_server.server import FakeServer
from fake_server.settings import Settings

pytestmark = pytest.mark.slow("starts the program openstack")
PLACEMENT = ("--os-placement-api-version", "1.39")


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
        kept = {name: value for name, value in os.environ.items() if not name.startswith("OS_")}
        done = subprocess.run(
            [commands.directory() / "openstack", *words, *(["-f", "json"] if decoded else [])],
            capture_output=True,
            text=True,
            env={**kept, **variables},
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if decoded else done.stdout

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


def test_a_server_boots_from_an_image_by_its_name(openstack, sdk, make_node, tmp_path):
    make_node("image")
    flavor = sdk.compute.create_flavor(name="image", ram=1, vcpus=1, disk=1)
    sdk.compute.create_flavor_extra_specs(flavor, {"resources:CUSTOM_IMAGE": "1"})
    content = tmp_path / "disk.raw"
    content.write_text("a disk")
    words = ("--disk-format", "raw", "--container-format", "bare", "--file", str(content))
    image = openstack("image", "create", *words, "linux")
    assert (image["status"], image["size"]) == ("active", 6)
    words = ("--flavor", "image", "--image", "linux", "--nic", "none", "--wait")
    server = openstack("server", "create", *words, "three")
    assert (server["status"], server["image"]) == ("ACTIVE", f"linux ({image['id']})")
    assert [row["Image"] for row in openstack("server", "list")] == ["linux"]
    openstack("server", "delete", "--wait", "three", decoded=False)
    volume = openstack("volume", "create", "--size", "1", "--image", "linux", "copy")
    assert openstack("volume", "show", volume["id"])["bootable"] is True
    openstack("volume", "delete", "copy", decoded=False)
    openstack("image", "delete", "linux", decoded=False)
    sdk.compute.delete_flavor(flavor)


def test_servers_with_openstacksdk(sdk, make_node, volume):
    node = make_node("third")
    flavor = sdk.compute.create_flavor(name="third", ram=1, vcpus=1, disk=1)
    sdk.compute.create_flavor_extra_specs(flavor, {"resources:CUSTOM_THIRD": "1"})
    network = sdk.network.create_network(name="private")
    device = {"uuid": volume, "source_type": "volume", "destination_type": "volume"}
    server = sdk.compute.create_server(
        name="two",
        flavor_id=flavor.id,
        networks=[{"uuid": network.id}],
        block_device_mapping=[{**device, "boot_index": 0}],
    )
    server = sdk.compute.wait_for_server(server, wait=10)
    assert (server.status, server.hypervisor_hostname) == ("ACTIVE", node)
    (port,) = sdk.network.ports(device_id=server.id)
    (interface,) = sdk.compute.server_interfaces(server)
    assert interface.port_id == port.id
    (attachment,) = sdk.compute.volume_attachments(server)
    assert attachment.volume_id == volume
    sdk.compute.reboot_server(server, "HARD")
    allocations = sdk.placement.get(f"/allocations/{server.id}", microversion="1.39").json()
    assert allocations["allocations"][node]["resources"] == {"CUSTOM_THIRD": 1}
    assert sdk.compute.find_server("two").id == server.id
    assert [hypervisor.name for hypervisor in sdk.compute.hypervisors(details=True)] == [node]
    sdk.compute.delete_server(server)
    sdk.compute.wait_for_delete(server, wait=10)
    assert list(sdk.network.ports()) == []
    sdk.network.delete_network(network)
    sdk.compute.delete_flavor(flavor)
