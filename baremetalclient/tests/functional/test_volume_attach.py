"""Volumes brought to nodes: an Ironic, fake or real, beside the fake server's Cinder."""

from __future__ import annotations

import contextlib
import itertools
import json

import pytest
import requests

from baremetalclient import boot_from_volume, exc
from baremetalclient import client as clients
from baremetalclient._http import transport
from baremetalclient._http.response import ConnectionLost, Response
from baremetalclient.tests.functional.cli import BOTH_PROGRAMS, Cli
from baremetalclient.tests.functional.conftest import wait_for_power
from fake_server.server import FakeServer


@pytest.fixture(scope="session")
def storage_url(server_url, real_ironic):
    if real_ironic is None:
        yield f"{server_url}/volume/v3"
    else:
        with FakeServer() as server:
            yield f"{server.url}/volume/v3"


@pytest.fixture
def client(connect):
    return connect(retry_interval=0)


@pytest.fixture
def storage(storage_url):
    ironic = clients.get_client(1, endpoint=storage_url, retry_interval=0)
    return ironic.block_storage(storage_url)


@pytest.fixture
def make_volume(storage_url):
    made = []

    def make(name="boot", **values):
        wanted = {"size": 1, "name": name, **values}
        response = requests.post(f"{storage_url}/volumes", json={"volume": wanted}, timeout=5)
        made.append(response.json()["volume"]["id"])
        return made[-1]

    yield make
    for ident in made:
        action = {"os-force_delete": {}}
        requests.post(f"{storage_url}/volumes/{ident}/action", json=action, timeout=5)


@pytest.fixture
def volume(make_volume):
    return make_volume()


@pytest.fixture
def make_bootable_node(client, make_node):
    def make():
        node = make_node()
        client.volume_connector.create(
            node_uuid=node.uuid, type="iqn", connector_id=f"iqn.2026-11.com.example:{node.name}"
        )
        client.node.set_provision_state(node.uuid, "manage")
        client.node.wait_for_provision_state(node.uuid, "manageable", timeout=60, poll_interval=0.1)
        client.node.set_power_state(node.uuid, "off")
        wait_for_power(client, node.uuid, "power off")
        return node

    return make


@pytest.fixture
def node(make_bootable_node):
    return make_bootable_node()


@pytest.fixture
def cli(program, server_url, storage_url):
    cli = Cli(program, server_url)
    cli.env["OS_VOLUME_ENDPOINT"] = storage_url
    return cli


def targets(client, node):
    return client.volume_target.list(node=node.uuid, limit=0, detail=True)


def state(client, storage, node, volume):
    """What both services know of one volume at one node."""
    attachments = storage.attachments(volume_id=volume, instance=node.uuid)
    return (
        storage.volume(volume)["status"],
        [attachment["status"] for attachment in attachments],
        [target.volume_id for target in targets(client, node)],
    )


@pytest.mark.since(115)  # the first to mask passwords
def test_a_volume_is_attached_and_detached(client, storage, node, volume, caplog):
    caplog.set_level("DEBUG", "baremetalclient")
    attached = boot_from_volume.attach(client, storage, volume, node.name)
    # One node needs no look at the volume.
    assert not [text for text in caplog.messages if f"/volumes/{volume} " in text]
    assert attached.node_uuid == node.uuid
    assert (attached.boot_index, attached.mode, attached.status) == (0, "rw", "attached")
    assert state(client, storage, node, volume) == ("in-use", ["attached"], [volume])
    (target,) = targets(client, node)
    assert target.volume_type == "iscsi"
    assert target.properties["target_iqn"].endswith(volume)
    assert target.properties["target_portal"]
    assert target.properties["auth_password"] == "******"
    assert boot_from_volume.list_attached(client, storage, node=node.uuid) == [attached]
    caplog.clear()
    assert boot_from_volume.attach(client, storage, volume, node.uuid) == attached
    sent = [text.split()[1] for text in caplog.messages if text.startswith("REQ: ")]
    assert set(sent) == {"GET"}
    gone = boot_from_volume.detach(client, storage, volume, node.name)
    assert gone.attachment_id == attached.attachment_id
    assert state(client, storage, node, volume) == ("available", [], [])
    with pytest.raises(exc.NotFound, match="is not attached to node"):
        boot_from_volume.detach(client, storage, volume, node.name)


def test_attaching_can_be_repeated_once_the_node_has_an_instance(client, storage, node, volume):
    attached = boot_from_volume.attach(client, storage, volume, node.uuid)
    instance = "11111111-2222-4333-8444-555555555555"
    client.node.update(node.uuid, [{"op": "add", "path": "/instance_uuid", "value": instance}])
    assert boot_from_volume.attach(client, storage, volume, node.uuid) == attached
    assert len(storage.attachments(volume_id=volume)) == 1
    boot_from_volume.detach(client, storage, volume, node.uuid)
    # The attachment of a node with an instance names that.
    again = boot_from_volume.attach(client, storage, volume, node.uuid)
    (attachment,) = storage.attachments(volume_id=volume)
    assert (attachment["id"], attachment["instance"]) == (again.attachment_id, instance)
    boot_from_volume.detach(client, storage, volume, node.uuid)
    client.node.update(node.uuid, [{"op": "remove", "path": "/instance_uuid"}])


def test_a_target_that_is_there_gets_the_connection(client, storage, node, volume):
    own = {"node_uuid": node.uuid, "volume_id": volume, "volume_type": "x", "boot_index": 3}
    target = client.volume_target.create(**own, properties={"a": "b"})
    attached = boot_from_volume.attach(client, storage, volume, node.uuid)
    assert attached.boot_index == 3
    (found,) = targets(client, node)
    assert (found.uuid, found.volume_type) == (target.uuid, "iscsi")
    assert found.properties["target_iqn"].endswith(volume)
    assert "a" not in found.properties


def test_a_second_volume_is_next_in_the_boot_order(client, storage, node, make_volume):
    boot, data = make_volume("boot"), make_volume("data")
    assert boot_from_volume.attach(client, storage, boot, node.uuid).boot_index == 0
    with pytest.raises(exc.Conflict):
        boot_from_volume.attach(client, storage, data, node.uuid, boot_index=0)
    assert storage.attachments(volume_id=data) == []
    assert storage.volume(data)["status"] == "available"
    assert [target.volume_id for target in targets(client, node)] == [boot]
    assert boot_from_volume.attach(client, storage, data, node.uuid).boot_index == 1


def test_a_node_without_connectors(client, storage, make_node, volume):
    node = make_node()
    with pytest.raises(exc.ValidationError, match="has no volume connector for the storage"):
        boot_from_volume.attach(client, storage, volume, node.uuid)
    assert state(client, storage, node, volume) == ("available", [], [])


def test_the_ports_of_fibre_channel_are_told(client, make_node):
    node = make_node()
    ports = {"wwpn": ("21:00:00:24:ff:00:00:01", "21:00:00:24:ff:00:00:02")}
    ports["wwnn"] = ("20:00:00:24:ff:00:00:01", "20:00:00:24:ff:00:00:02")
    for kind, names in ports.items():
        for name in names:
            client.volume_connector.create(node_uuid=node.uuid, type=kind, connector_id=name)
    found = boot_from_volume.connector_of(client, node.uuid)
    assert {kind: sorted(found[f"{kind}s"]) for kind in ports} == {
        kind: sorted(names) for kind, names in ports.items()
    }
    assert (found["host"], found["multipath"]) == (node.uuid, True)


def test_many_nodes_read_one_volume(client, storage, make_bootable_node, make_volume):
    shared = make_volume(volume_type="multiattach")
    nodes = [make_bootable_node() for _ in range(3)]
    names = [node.name for node in nodes]
    boot_from_volume.check_sharing(storage.volume(shared), names, "ro", allow_shared_write=False)
    for name in names:
        boot_from_volume.attach(client, storage, shared, name, mode="ro")
    with pytest.raises(exc.NotFound):
        boot_from_volume.attach(client, storage, shared, "nowhere", mode="ro")
    attachments = storage.attachments(volume_id=shared)
    assert {attachment["attach_mode"] for attachment in attachments} == {"ro"}
    for node in nodes:
        (target,) = targets(client, node)
        assert target.properties["access_mode"] == "ro"
    rows = boot_from_volume.list_attached(client, storage, volume_id=shared)
    assert {row.node_uuid for row in rows} == {node.uuid for node in nodes}
    for name in names:
        boot_from_volume.detach(client, storage, shared, name)
    assert storage.volume(shared)["status"] == "available"
    assert [target for node in nodes for target in targets(client, node)] == []


def test_shared_writing_has_to_be_allowed(client, storage, make_bootable_node, make_volume):
    shared, single = make_volume(volume_type="multiattach"), make_volume()
    one, two = make_bootable_node(), make_bootable_node()
    for volume, mode, text in (
        (single, "ro", "one node, not to 2"),
        (shared, "rw", "-shared-write"),
    ):
        given = (storage.volume(volume), [one.uuid, two.uuid], mode)
        with pytest.raises(exc.ValidationError, match=text):
            boot_from_volume.check_sharing(*given, allow_shared_write=False)
    assert storage.attachments(volume_id=shared) == []
    boot_from_volume.attach(client, storage, shared, one.uuid)
    with pytest.raises(exc.ValidationError, match="allow-shared-write"):
        boot_from_volume.attach(client, storage, shared, two.uuid)
    boot_from_volume.attach(client, storage, shared, two.uuid, allow_shared_write=True)
    for node in (one, two):
        boot_from_volume.detach(client, storage, shared, node.uuid)


@pytest.mark.rows
@pytest.mark.parametrize("after", [False, True], ids=["refused", "lost"])
@pytest.mark.parametrize("work", ["attach", "detach"])
def test_it_goes_on_after_a_failure_at_any_step(
    client, storage, node, volume, monkeypatch, work, after
):
    exchange = transport.exchange
    final = {"attach": ("in-use", ["attached"], [volume]), "detach": ("available", [], [])}[work]
    for number in range(1, 30):
        if work == "detach":
            boot_from_volume.attach(client, storage, volume, node.uuid)
        sent = itertools.count(1)

        def failing(session, method, url, number=number, sent=sent, **options):
            this = next(sent)
            if this == number and not after:
                return Response(500, {"Content-Type": "text/plain"}, b"failed by the test", "")
            response = exchange(session, method, url, **options)
            if this == number:
                raise ConnectionLost("cut by the test")
            return response

        monkeypatch.setattr(transport, "exchange", failing)
        act = getattr(boot_from_volume, work)
        failed = False
        try:
            act(client, storage, volume, node.uuid)
        except exc.ClientException:
            failed = True
        monkeypatch.setattr(transport, "exchange", exchange)
        if failed:
            # A detached volume, of which only the last response was lost, is not there any more.
            done_already = (exc.NotFound,) if work == "detach" else ()
            with contextlib.suppress(*done_already):
                act(client, storage, volume, node.uuid)
        assert state(client, storage, node, volume) == final, number
        if next(sent) <= number:
            assert number > 4
            return
        if work == "attach":
            boot_from_volume.detach(client, storage, volume, node.uuid)
    pytest.fail("There were more requests than expected.")


@BOTH_PROGRAMS
def test_commands(cli, client, storage, make_bootable_node, make_volume):
    shared = make_volume(name="shared-root", volume_type="multiattach")
    one, two = make_bootable_node(), make_bootable_node()
    words = ("volume", "attach", "--attach-mode", "ro", "--wait", "10", shared, one.name, two.name)
    done = cli("--debug", *words)
    assert f"Attached volume {shared} to node {one.name}\n" in done.out
    secrets = {
        attachment["connection_info"]["auth_password"]
        for attachment in storage.attachments(volume_id=shared)
    }
    assert len(secrets) == 2
    assert not [secret for secret in secrets if secret in done.err + done.out]
    rows = json.loads(cli("volume", "attachment", "list", "--volume", shared, "-f", "json").out)
    assert {(row["node_uuid"], row["mode"], row["status"]) for row in rows} == {
        (one.uuid, "ro", "attached"),
        (two.uuid, "ro", "attached"),
    }
    done = cli.run("volume", "detach", shared, one.name, "nowhere", two.name)
    assert done.code == 1
    assert f"Failed to detach volume {shared} from node nowhere" in done.err
    assert storage.volume(shared)["status"] == "available"
