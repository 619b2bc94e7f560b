"""Servers on bare metal, over the fake server's Nova."""

from __future__ import annotations

import pytest
import requests

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient.block_storage import objects as storage_objects
from baremetalclient.compute import objects, wait
from baremetalclient.tests import declared
from baremetalclient.tests.functional.cli import BOTH_PROGRAMS, Cli
from fake_server.server import FakeServer
from fake_server.settings import Settings


class Cloud:
    """A fake cloud with nodes, a flavor and volumes."""

    def __init__(self, server):
        self.url = server.url
        self.ironic = clients.get_client(1, endpoint=server.url)
        self.storage = self.ironic.block_storage(f"{server.url}/volume/v3")
        self.compute = self.ironic.compute(f"{server.url}/compute/v2.1")
        self.numbers = iter(range(1000))
        self.flavor = self.post("/compute/v2.1/flavors", "flavor", name="gold", ram=1, vcpus=1)
        specs = {"extra_specs": {"resources:CUSTOM_GOLD": "1"}}
        path = f"{server.url}/compute/v2.1/flavors/{self.flavor}/os-extra_specs"
        assert requests.post(path, json=specs, timeout=5).status_code == 200

    def post(self, path, key, **values):
        body = {key: {"disk": 1, **values} if key == "flavor" else values}
        response = requests.post(self.url + path, json=body, timeout=5)
        assert response.status_code < 300, response.text
        return response.json()[key]["id"]

    def node(self):
        """Enrol a node that can be had; return its UUID."""
        number = next(self.numbers)
        node = self.ironic.node.create(driver="fake-hardware", resource_class="gold")
        self.ironic.volume_connector.create(
            node_uuid=node.uuid, type="iqn", connector_id=f"iqn.2026-11.com.example:{number}"
        )
        for verb in ("manage", "provide"):
            self.ironic.node.set_provision_state(node.uuid, verb)
        return node.uuid

    def volume(self, name="root", *, multiattach=False):
        """Create a bootable volume; return its id."""
        kind = "multiattach" if multiattach else "__DEFAULT__"
        volume = self.post("/volume/v3/volumes", "volume", size=1, name=name, volume_type=kind)
        action = {"os-set_bootable": {"bootable": True}}
        path = f"{self.url}/volume/v3/volumes/{volume}/action"
        assert requests.post(path, json=action, timeout=5).status_code < 300
        return volume

    def mapping(self, volume, **values):
        """Return the block device of a volume to boot from."""
        return {
            "uuid": volume,
            "source_type": "volume",
            "destination_type": "volume",
            "boot_index": 0,
            **values,
        }

    def server(self, volume, **values):
        """Create a server that boots from a volume."""
        (made,) = self.compute.create(
            "s", self.flavor, block_devices=[self.mapping(volume)], networks="none", **values
        )
        return wait.wait_for_server(self.compute, made["id"], timeout=5)


@pytest.fixture
def cloud():
    with FakeServer() as server:
        yield Cloud(server)


def run(cloud, program="baremetal"):
    cli = Cli(program, cloud.url)
    cli.env["OS_VOLUME_ENDPOINT"] = f"{cloud.url}/volume/v3"
    cli.env["OS_COMPUTE_ENDPOINT"] = f"{cloud.url}/compute/v2.1"
    return cli


def test_each_value_is_of_the_type_that_the_client_declares(cloud):
    cloud.node()
    server = cloud.server(cloud.volume())
    (used,) = cloud.compute.attachments(server["id"])
    declared.check_object(server, objects.Server)
    declared.check_object(used, objects.VolumeAttachment)
    declared.check_object(cloud.compute.flavor(cloud.flavor), objects.Flavor)
    declared.check_object(cloud.compute.flavors()[0], objects.FlavorSummary)
    declared.check_object(cloud.storage.volume(used["volumeId"]), storage_objects.Volume)
    declared.check_object(cloud.storage.attachments()[0], storage_objects.Attachment)
    declared.check_object(cloud.storage.volumes_named("root")[0], storage_objects.Volume)


@BOTH_PROGRAMS
def test_servers_share_a_volume_from_the_command_line(cloud, program):
    cli = run(cloud, program)
    nodes = sorted(cloud.node() for _ in range(3))
    volume = cloud.volume("shared", multiattach=True)
    made = cli(
        *("server", "create", "--flavor", "gold", "--volume", "shared", "--attach-mode", "ro"),
        *("--count", "3", "--nic", "none", "--wait", "10", "--property", "role=web"),
        *("web", "-f", "json"),
    )
    assert "3 servers are 'ACTIVE' (" in made.err
    shown = made.json
    assert shown["name"] == ["web-1", "web-2", "web-3"]
    assert shown["status"] == ["ACTIVE"] * 3
    assert sorted(shown["node_uuid"]) == nodes
    rows = cli("server", "list", "-f", "json").json
    assert [(row["name"], row["volumes"]) for row in rows] == [
        ("web-3", [volume]),
        ("web-2", [volume]),
        ("web-1", [volume]),
    ]
    (row,) = cli("server", "volume", "list", "web-1", "-f", "json").json
    assert (row["volume_id"], row["attach_mode"]) == (volume, "ro")
    done = cli("server", "delete", "--wait", "10", "web-1", "web-2", "web-3")
    assert done.out.splitlines() == [f"Deleted server web-{number}" for number in (1, 2, 3)]
    assert cli("server", "list", "-f", "json").json == []
    assert cloud.storage.attachments() == []


def test_servers_that_stay_are_reported_together():
    with FakeServer() as server:
        cloud = Cloud(server)
        for name in ("web-1", "web-2"):
            cloud.node()
            cloud.server(cloud.volume(name))
        ids = [found["id"] for found in cloud.compute.servers()]
        server.delays.set(transitions={"cleaning": 60, "deleting": 60})
        done = run(cloud).run("server", "delete", "--wait", "1", *ids)
    assert (done.code, done.out) == (124, "")
    message = "2 servers: not deleted after 1 seconds; they remain in 'ACTIVE': "
    assert message + ", ".join(ids) in done.err.splitlines()


def test_volumes_of_servers_from_the_command_line(cloud):
    cli = run(cloud)
    cloud.node()
    cloud.server(cloud.volume())
    data, other = cloud.volume("data"), cloud.volume("other")

    def attached():
        rows = cli("server", "volume", "list", "s", "-f", "json").json[1:]
        names = ("volume_id", "attach_mode", "delete_on_termination")
        return [tuple(row[name] for name in names) for row in rows]

    words = ("--attach-mode", "ro", "--device", "/dev/sdx")
    done = cli("server", "volume", "attach", *words, "s", "data")
    assert done.out == "Attached volume data to server s\n"
    assert attached() == [(data, "ro", False)]
    cli("server", "volume", "set", "--new-volume", "other", "s", "data")
    assert attached() == [(other, "ro", False)]
    cli("server", "volume", "set", "--delete-on-termination", "s", other)
    assert attached() == [(other, "ro", True)]
    server = cloud.compute.servers()[0]["id"]
    assert cloud.compute.attachment(server, other)["device"] == "/dev/sdx"
    assert cli("server", "volume", "detach", "s", "other").out == (
        "Detached volume other from server s\n"
    )
    done = cli("server", "volume", "set", "s", "other")
    assert "Nothing to set. Give at least one of: --new-volume" in done.err


def test_an_old_nova_from_the_command_line():
    with FakeServer(Settings(max_compute_minor=104)) as server:
        cloud = Cloud(server)
        cloud.node()
        cloud.server(cloud.volume())
        data = cloud.volume("data")
        done = run(cloud).fails("server", "volume", "attach", "--attach-mode", "ro", "s", "data")
        assert "Attach modes need version 2.105 of the Compute API" in done.err
        assert "this cloud's Nova offers 2.1 to 2.104" in done.err
        device = cloud.mapping(data, attach_mode="ro")
        with pytest.raises(exc.UnsupportedVersion, match=r"offers 2\.1 to 2\.104") as caught:
            cloud.compute.create("s", cloud.flavor, block_devices=[device])
        assert str(caught.value.required) == "2.105"
    with FakeServer(Settings(max_compute_minor=36)) as server:
        compute = clients.get_client(1, endpoint=server.url).compute(f"{server.url}/compute/v2.1")
        with pytest.raises(exc.UnsupportedVersion, match=r"2\.37 of the Compute API is needed"):
            compute.servers()


def test_an_old_compute_service_from_the_command_line():
    with FakeServer(Settings(old_compute=True)) as server:
        cloud = Cloud(server)
        cloud.node()
        cloud.server(cloud.volume())
        cloud.volume("data")
        done = run(cloud).fails("server", "volume", "attach", "--attach-mode", "ro", "s", "data")
    assert "is too old for attach modes" in done.err


def test_a_server_that_cannot_be_built_fails_the_command(cloud):
    cli = run(cloud)
    words = ("server", "create", "--flavor", "gold", "--volume", "root", "--nic", "none", "s")
    cloud.volume()
    done = cli.fails(*words, "--wait", "10")
    assert done.err.count("No valid host was found") == 1
    done = cli.fails("server", "delete", "s", "gone")
    assert "Failed to delete server gone: No server with a name or ID of 'gone' exists." in done.err
    assert done.out == "Deleted server s\n"


def test_arguments_that_are_refused_before_anything_is_sent(cloud):
    for mode in ("RO", "", "w"):
        with pytest.raises(exc.ValidationError, match="Known modes: 'ro', 'rw'"):
            cloud.compute.attach("s", "v", mode=mode)
        with pytest.raises(exc.ValidationError, match="Known modes: 'ro', 'rw'"):
            cloud.compute.create("s", "f", block_devices=[cloud.mapping("v", attach_mode=mode)])
    device = {"source_type": "blank", "destination_type": "local", "attach_mode": "ro"}
    with pytest.raises(exc.ValidationError, match="cannot have an attach mode"):
        cloud.compute.create("s", "f", block_devices=[device])
