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


def test_a_connector_is_unique(client, available_node, connectors):
    with pytest.raises(exc.Conflict, match="already exists") as caught:
        client.volume_connector.create(
            node_uuid=available_node.uuid,
            type=connectors[0].type,
            connector_id=connectors[0].connector_id,
        )
    assert type(caught.value) is exc.Conflict


def test_connectors_of_a_node_by_uuid_and_name(client, available_node, connectors):
    wanted = set(uuids(connectors))
    for ident in (available_node.uuid, available_node.name):
        assert set(uuids(client.volume_connector.list(node=ident))) == wanted
        assert set(uuids(client.node.list_volume_connectors(ident))) == wanted
    with pytest.raises(exc.NotFound):
        client.node.list_volume_connectors("no-such-node")


def test_filters_and_pages_together(client, make_node, available_node, connectors):
    other = make_node()
    client.volume_connector.create(node_uuid=other.uuid, type="iqn", connector_id=iqn())
    mine = uuids(connectors)
    for page in (1, 2):
        first = client.volume_connector.list(node=available_node.uuid, limit=page)
        rest = client.volume_connector.list(
            node=available_node.uuid, limit=0, marker=first[-1].uuid
        )
        assert uuids(first) + uuids(rest) == mine
    assert uuids(client.volume_connector.iterate(node=available_node.uuid)) == mine


def test_an_odd_filter_is_one_value(client):
    with pytest.raises((exc.NotFound, exc.BadRequest)):
        client.volume_connector.list(node="n1&limit=1")


@pytest.mark.parametrize("fields", [None, ["uuid"], ["uuid", "type"]])
def test_connectors_by_their_own_fields(client, available_node, connectors, fields):
    of_node = {"node": available_node.uuid, "fields": fields}
    found = client.volume_connector.list(type="iqn", **of_node)
    assert uuids(found) == [connectors[0].uuid, connectors[2].uuid]
    assert all(fields is None or item.to_dict().keys() == {*fields, "links"} for item in found)
    (found,) = client.volume_connector.list(connector_id=connectors[1].connector_id, **of_node)
    assert found.uuid == connectors[1].uuid
    assert len(client.volume_connector.list(type="iqn", limit=1, **of_node)) == 1


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


def test_sorting_is_the_servers(client, available_node, connectors):
    found = client.volume_connector.list(
        node=available_node.uuid, sort_key="connector_id", sort_dir="desc", limit=2
    )
    expected = sorted((item.connector_id for item in connectors), reverse=True)[:2]
    assert [item.connector_id for item in found] == expected
