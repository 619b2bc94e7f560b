from __future__ import annotations

from uuid import uuid4

import pytest

from baremetalclient import exc
from baremetalclient.tests.functional.conftest import wait_for_power


def iqn():
    return f"iqn.2026-11.com.example:{uuid4()}"


@pytest.fixture
def connectors(client, available_node):
    return [
        client.volume_connector.create(
            node_uuid=available_node.uuid, type=kind, connector_id=f"{kind}-{uuid4()}"
        )
        for kind in ("iqn", "ip", "iqn")
    ]


@pytest.fixture
def target(client, available_node):
    return client.volume_target.create(
        node_uuid=available_node.uuid,
        volume_type="iscsi",
        volume_id=str(uuid4()),
        boot_index=0,
        properties={"target_lun": 1, "auth_password": "pw-of-chap"},
        extra={"by": "test"},
    )


def uuids(found):
    return [item.uuid for item in found]


def test_a_connector_is_created_shown_changed_and_deleted(client, available_node):
    name = iqn()
    made = client.volume_connector.create(
        node_uuid=available_node.uuid, type="iqn", connector_id=name, extra={"n": 1}
    )
    shown = client.volume_connector.get(made.uuid)
    assert (shown.type, shown.connector_id, shown.extra) == ("iqn", name, {"n": 1})
    assert client.volume_connector.get(made.uuid, fields=["type"]).to_dict().keys() == {
        "type",
        "links",
    }
    changed = client.volume_connector.update(
        made.uuid, [{"op": "replace", "path": "/type", "value": "ip"}]
    )
    assert changed.type == client.volume_connector.get(made.uuid).type == "ip"
    client.volume_connector.delete(made.uuid)
    with pytest.raises(exc.NotFound, match=made.uuid):
        client.volume_connector.get(made.uuid)


def test_connectors_by_their_own_fields(client, make_node, available_node, connectors):
    other = make_node()
    client.volume_connector.create(node_uuid=other.uuid, type="iqn", connector_id=iqn())
    mine, manager = uuids(connectors), client.volume_connector
    for ident in (available_node.uuid, available_node.name):
        assert uuids(manager.list(node=ident)) == mine
        assert uuids(client.node.list_volume_connectors(ident)) == mine
    of_node = {"node": available_node.uuid}
    for page in (1, 2):
        first = manager.list(**of_node, limit=page)
        assert uuids(first) + uuids(manager.list(**of_node, marker=first[-1].uuid)) == mine
    assert uuids(manager.iterate(**of_node)) == mine
    found = manager.list(**of_node, sort_key="connector_id", sort_dir="desc", limit=2)
    names = sorted((item.connector_id for item in connectors), reverse=True)
    assert [item.connector_id for item in found] == names[:2]
    found = manager.list(**of_node, type="iqn", fields=["uuid", "type"])
    assert uuids(found) == [mine[0], mine[2]]
    assert {*map(tuple, (item.to_dict() for item in found))} == {("uuid", "type", "links")}
    assert uuids(manager.list(**of_node, connector_id=connectors[1].connector_id)) == [mine[1]]
    assert len(manager.list(**of_node, type="iqn", limit=1)) == 1
    with pytest.raises((exc.NotFound, exc.BadRequest)):
        manager.list(node="n1&limit=1")
    with pytest.raises(exc.NotFound):
        client.node.list_volume_connectors("no-such-node")
    with pytest.raises(exc.Conflict, match="already exists"):
        manager.create(node_uuid=other.uuid, type="ip", connector_id=connectors[1].connector_id)


def test_targets_by_their_own_fields(client, available_node, target):
    for filters in (
        {"volume_type": "iscsi"},
        {"volume_id": target.volume_id},
        {"boot_index": 0},
    ):
        found = client.volume_target.list(node=available_node.uuid, **filters)
        assert uuids(found) == [target.uuid]
    assert client.volume_target.list(node=available_node.uuid, boot_index=1) == []
    assert uuids(client.node.list_volume_targets(available_node.name)) == [target.uuid]


@pytest.mark.since(115)
def test_passwords_come_back_masked(client, target):
    assert client.volume_target.get(target.uuid).properties["auth_password"] == "******"
    (listed,) = client.volume_target.list(node=target.node_uuid, detail=True)
    assert listed.properties == {"target_lun": 1, "auth_password": "******"}
    assert listed.extra == {"by": "test"}


def test_two_targets_cannot_boot_first(client, target):
    with pytest.raises(exc.Conflict, match="boot index"):
        client.volume_target.create(
            node_uuid=target.node_uuid, volume_type="iscsi", volume_id="v", boot_index=0
        )


def test_a_running_node_keeps_its_target(client, target):
    client.node.set_power_state(target.node_uuid, "on")
    wait_for_power(client, target.node_uuid, "power on")
    with pytest.raises(exc.BadRequest, match="power"):
        client.volume_target.update(
            target.uuid, [{"op": "replace", "path": "/volume_id", "value": "other"}]
        )
