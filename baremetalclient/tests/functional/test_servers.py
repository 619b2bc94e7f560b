"""Servers on bare metal, over the fake server's Nova."""

from __future__ import annotations

import pytest
import requests

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient.block_storage import objects as storage_objects
from baremetalclient.compute import lookup, objects, waiting
from baremetalclient.tests import declared
from baremetalclient.tests.functional.cli import BOTH_PROGRAMS, Cli
from fake_server.server import FakeServer
from fake_server.settings import Settings


class Cloud:
    """A fake cloud with nodes, a flavor and volumes.

    :param options: those of the server's settings.
    """

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
        return waiting.wait_for_server(self.compute, made["id"], timeout=5)


@pytest.fixture
def cloud():
    with FakeServer() as server:
        yield Cloud(server)


@pytest.fixture
def old_cloud():
    with FakeServer(Settings(max_compute_minor=104)) as server:
        yield Cloud(server)


def run(cloud, program="baremetal"):
    cli = Cli(program, cloud.url)
    cli.env["OS_VOLUME_ENDPOINT"] = f"{cloud.url}/volume/v3"
    cli.env["OS_COMPUTE_ENDPOINT"] = f"{cloud.url}/compute/v2.1"
    return cli


def test_servers_are_created_found_and_deleted(cloud):
    nodes = {cloud.node() for _ in range(2)}
    volume = cloud.volume(multiattach=True)
    device = cloud.mapping(volume, attach_mode="ro")
    made = cloud.compute.create(
        "web", cloud.flavor, block_devices=[device], networks="none", count=2
    )
    assert [server["name"] for server in made] == ["web-1", "web-2"]
    for server in made:
        found = waiting.wait_for_server(cloud.compute, server["id"], timeout=5)
        assert found["OS-EXT-SRV-ATTR:hypervisor_hostname"] in nodes
        (attachment,) = cloud.compute.attachments(server["id"])
        assert (attachment["volumeId"], attachment["attach_mode"]) == (volume, "ro")
    assert lookup.find_server(cloud.compute, "web-2")["id"] == made[1]["id"]
    for server in made:
        cloud.compute.delete(server["id"])
        waiting.wait_until_gone(cloud.compute, server["id"], timeout=5)
    assert cloud.storage.attachments() == []
    assert cloud.ironic.volume_target.list(limit=0) == []


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


def test_names_that_are_not_there_or_not_unique(cloud):
    for _ in range(2):
        cloud.node()
        cloud.server(cloud.volume())
    with pytest.raises(exc.NotFound, match="No server with a name or ID of 'x'"):
        lookup.find_server(cloud.compute, "x")
    with pytest.raises(exc.NoUniqueMatch, match="More than one server exists with the name 's'"):
        lookup.find_server(cloud.compute, "s")
    with pytest.raises(exc.NotFound, match="No flavor with a name or ID of 'x'"):
        lookup.find_flavor(cloud.compute, "x")
    assert lookup.find_flavor(cloud.compute, "gold")["id"] == cloud.flavor


def test_a_server_that_fails_says_why(cloud):
    (made,) = cloud.compute.create(
        "s", cloud.flavor, block_devices=[cloud.mapping(cloud.volume())], networks="none"
    )
    with pytest.raises(exc.StateTransitionFailed, match="No valid host was found"):
        waiting.wait_for_server(cloud.compute, made["id"], timeout=5)


def test_volumes_are_attached_and_detached(cloud):
    cloud.node()
    server = cloud.server(cloud.volume())["id"]
    data, other = cloud.volume("data"), cloud.volume("other")
    cloud.compute.attach(server, data, mode="ro", device="/dev/sdx")
    found = cloud.compute.attachment(server, data)
    assert (found["attach_mode"], found["device"]) == ("ro", "/dev/sdx")
    cloud.compute.swap(server, data, other)
    found = cloud.compute.attachment(server, other)
    assert (found["attach_mode"], found["device"]) == ("ro", "/dev/sdx")
    cloud.compute.keep_volume(server, other, keep=False)
    assert cloud.compute.attachment(server, other)["delete_on_termination"] is True
    cloud.compute.detach(server, other)
    with pytest.raises(exc.NotFound):
        cloud.compute.attachment(server, other)


def test_a_nova_that_is_too_old_for_attach_modes(old_cloud):
    cloud = old_cloud
    cloud.node()
    server, volume = cloud.server(cloud.volume())["id"], cloud.volume()
    for act in (
        lambda: cloud.compute.attach(server, volume, mode="ro"),
        lambda: cloud.compute.create(
            "s", cloud.flavor, block_devices=[cloud.mapping(volume, attach_mode="ro")]
        ),
    ):
        with pytest.raises(exc.UnsupportedVersion, match=r"offers 2\.1 to 2\.104") as caught:
            act()
        assert str(caught.value.required) == "2.105"
    cloud.compute.attach(server, volume)
    assert "attach_mode" not in cloud.compute.attachment(server, volume)


def test_a_nova_that_is_too_old_for_anything():
    with FakeServer(Settings(max_compute_minor=36)) as server:
        compute = clients.get_client(1, endpoint=server.url).compute(f"{server.url}/compute/v2.1")
        with pytest.raises(exc.UnsupportedVersion, match=r"2\.37 of the Compute API is needed"):
            compute.servers()


def test_an_unknown_mode_is_refused_before_it_is_sent(cloud):
    for mode in ("RO", "", "w"):
        with pytest.raises(exc.ValidationError, match="Known modes: 'ro', 'rw'"):
            cloud.compute.attach("s", "v", mode=mode)
        with pytest.raises(exc.ValidationError, match="Known modes: 'ro', 'rw'"):
            cloud.compute.create("s", "f", block_devices=[cloud.mapping("v", attach_mode=mode)])


def test_local_block_devices_have_no_mode(cloud):
    device = {"source_type": "blank", "destination_type": "local", "attach_mode": "ro"}
    with pytest.raises(exc.ValidationError, match="cannot have an attach mode"):
        cloud.compute.create("s", "f", block_devices=[device])


def test_an_endpoint_that_is_no_nova(cloud):
    wrong = cloud.ironic.compute(f"{cloud.url}/volume/v3/v2.1")
    with pytest.raises(exc.ClientException):
        wrong.servers()


# The command line


@BOTH_PROGRAMS
def test_servers_share_a_volume_from_the_command_line(cloud, program):
    cli = run(cloud, program)
    nodes = sorted(cloud.node() for _ in range(3))
    volume = cloud.volume("shared", multiattach=True)
    made = cli(
        *("server", "create", "--flavor", "gold", "--volume", "shared", "--attach-mode", "ro"),
        *("--count", "3", "--nic", "none", "--wait", "10", "web", "-f", "json"),
    )
    for number in (1, 2, 3):
        assert f"web-{number} is 'ACTIVE' (" in made.err
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
        done = run(cloud).fails("server", "delete", "--wait", "1", *ids)
    assert done.out == ""
    message = "2 servers: not deleted after 1 seconds; they remain in 'ACTIVE': "
    assert message + ", ".join(ids) in done.err.splitlines()


def test_block_devices_from_the_command_line(cloud):
    cli = run(cloud)
    cloud.node()
    volume = cloud.volume()
    mapping = "source_type=volume,destination_type=volume,boot_index=0,attach_mode=ro"
    shown = cli(
        *("server", "create", "--flavor", cloud.flavor, "--nic", "none", "--wait", "10"),
        *("--block-device", f"uuid={volume},{mapping}", "--property", "role=web"),
        *("one", "-f", "json"),
    ).json
    assert (shown["name"], shown["status"], shown["metadata"]) == ("one", "ACTIVE", {"role": "web"})
    assert [(one["volume_id"], one["attach_mode"]) for one in shown["volumes"]] == [(volume, "ro")]
    again = cli("server", "show", "one", "-f", "json").json
    assert again["id"] == shown["id"]


def test_volumes_of_servers_from_the_command_line(cloud):
    cli = run(cloud)
    cloud.node()
    cloud.server(cloud.volume())
    data, other = cloud.volume("data"), cloud.volume("other")
    done = cli("server", "volume", "attach", "--attach-mode", "ro", "s", "data")
    assert done.out == "Attached volume data to server s\n"
    rows = cli("server", "volume", "list", "s", "-f", "json").json
    assert [(row["volume_id"], row["attach_mode"]) for row in rows][1:] == [(data, "ro")]
    cli("server", "volume", "set", "--new-volume", "other", "s", "data")
    rows = cli("server", "volume", "list", "s", "-f", "json").json
    assert [(row["volume_id"], row["attach_mode"]) for row in rows][1:] == [(other, "ro")]
    cli("server", "volume", "set", "--delete-on-termination", "s", other)
    rows = cli("server", "volume", "list", "s", "-f", "json").json
    assert rows[1]["delete_on_termination"] is True
    assert cli("server", "volume", "detach", "s", "other").out == (
        "Detached volume other from server s\n"
    )
    done = cli.fails("server", "volume", "set", "s", "other")
    assert "Nothing to set. Give at least one of: --new-volume" in done.err


def test_an_old_nova_from_the_command_line(old_cloud):
    cli = run(old_cloud)
    old_cloud.node()
    old_cloud.server(old_cloud.volume())
    old_cloud.volume("data")
    done = cli.fails("server", "volume", "attach", "--attach-mode", "ro", "s", "data")
    assert "Attach modes need version 2.105 of the Compute API" in done.err
    assert "this cloud's Nova offers 2.1 to 2.104" in done.err


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
    assert "No valid host was found" in done.err
    done = cli.fails("server", "delete", "s", "gone")
    assert "Failed to delete server gone: No server with a name or ID of 'gone' exists." in done.err
    assert done.out == "Deleted server s\n"


INVALID = [
    ((), "Nothing to boot from"),
    (("--attach-mode", "ro", "--image", "i"), "--attach-mode needs --volume"),
    (("--block-device", "uuid=v,colour=red"), "unknown key 'colour'"),
    (("--block-device", "boot_index=0"), "uuid is required for source_type volume"),
    (
        ("--block-device", "uuid=v,attach_mode=x"),
        "attach_mode has to be one of ro, rw, not 'x'",
    ),
    (("--block-device", "uuid=v,boot_index=x"), "boot_index has to be a number, not 'x'"),
    (
        ("--block-device", "source_type=blank,attach_mode=ro"),
        "attach_mode cannot be used with destination_type local",
    ),
    (("--image", "i", "--nic", "private"), "expected key=value, got 'private'"),
    (("--image", "i", "--nic", "tag=x"), "expected auto, none, net-id=<id> or port-id=<id>"),
    (("--image", "i", "--nic", "none", "--nic", "auto"), "--nic none cannot be combined"),
]


def test_invalid_arguments(cloud):
    cli = run(cloud)
    for words, text in INVALID:
        assert text in cli.fails("server", "create", "--flavor", "gold", *words, "s").err


def test_without_a_catalog_the_endpoint_is_asked_for(cloud):
    done = Cli("baremetal", cloud.url).fails("server", "list")
    assert "--compute-endpoint or OS_COMPUTE_ENDPOINT" in done.err
