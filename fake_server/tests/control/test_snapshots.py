"""Going back to a state, whatever has become of it, on each database."""

from __future__ import annotations

from contextlib import suppress

import pytest
import requests

from fake_server.baremetal.tables import chassis, nodes, portgroups, ports
from fake_server.server import FakeServer
from fake_server.tests import databases

RACK = "00000000-0000-4000-8000-00000000c00{}"
LAB = {
    "chassis": [{"uuid": RACK.format("{index}"), "count": 2}],
    "nodes": [
        {
            "name": "n{index}",
            "count": 6,
            "chassis_uuid": RACK.format(0),
            "traits": ["CUSTOM_A"],
            "extra": {"a": [1, None, {}]},
            "portgroups": [{"name": "g{index}"}],
            "ports": [{"address": "52:54:00:{index:mac}", "portgroup": "g{index}"}],
        }
    ],
}


@pytest.fixture(scope="module", params=databases.params())
def server(request):
    server = FakeServer(seed=LAB, db=databases.new(request.param))
    server.clock.switch("manual")
    yield server
    server.stop()


def swap_names(tx):
    for ident, name in ((1, "tmp"), (2, "n0"), (1, "n1")):
        tx.update(nodes, [nodes.c.id == ident], {"name": name})


def new_chassis(tx):
    ident = tx.insert(chassis, {"uuid": RACK.format(9)})
    tx.update(nodes, [], {"chassis_id": ident})
    tx.delete(chassis, chassis.c.id != ident)


def new_groups(tx):
    ident = tx.insert(portgroups, {"uuid": RACK.format(8), "node_id": 2, "name": "new"})
    tx.update(ports, [], {"portgroup_id": ident})
    tx.delete(portgroups, portgroups.c.id != ident)


CHANGES = {
    "nothing": lambda tx: None,
    "other texts": lambda tx: tx.update(nodes, [], {"last_error": "x", "extra": {"b": 1}}),
    "nothing left": lambda tx: (tx.delete(ports), tx.delete(nodes)),
    "some left": lambda tx: (
        tx.delete(ports, ports.c.node_id > 3),
        tx.delete(nodes, nodes.c.id > 3),
    ),
    "swapped names": swap_names,
    "another chassis": new_chassis,
    "another group": new_groups,
    "moved ports": lambda tx: tx.update(ports, [], {"node_id": 1, "portgroup_id": None}),
    "a name taken": lambda tx: (
        tx.update(nodes, [nodes.c.id == 1], {"name": "old"}),
        tx.insert(nodes, {"uuid": RACK.format(7), "name": "n0"}),
    ),
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_after_each_change(server, name):
    before = server.export_seed()
    with server.app.store.transaction() as tx:
        CHANGES[name](tx)
    assert (server.export_seed() == before) == (name == "nothing")
    server.reset()
    assert server.export_seed() == before


def test_a_node_goes_with_its_ports_and_their_groups(server):
    with requests.Session() as session:
        session.mount("http://ironic.test", server.adapter())
        url = "http://ironic.test/v1/nodes"
        session.headers["X-OpenStack-Ironic-API-Version"] = "1.80"
        assert session.delete(f"{url}/n0").status_code == 204
        assert session.get(f"{url}/n0").status_code == 404
    server.reset()


def test_what_comes_after_gets_numbers_of_its_own(server):
    server.seed({"nodes": [{"name": "late"}]})
    server.reset()
    server.seed({"nodes": [{"name": "later", "ports": [{"address": "52:54:00:ff:ff:ff"}]}]})
    with server.app.store.transaction() as tx:
        tx.insert(nodes, {"uuid": RACK.format(6), "name": "last"})
    assert [node["name"] for node in server.export_seed()["nodes"]][-2:] == ["later", "last"]
    server.reset()


@pytest.mark.parametrize("ended", [True, False], ids=["done", "rolled back"])
def test_one_snapshot_after_another(server, ended):
    first = server.export_seed()
    server.snapshots.take("first")
    with server.app.store.transaction() as tx:
        CHANGES["swapped names"](tx)
    second = server.export_seed()
    server.snapshots.take("second")
    with suppress(ZeroDivisionError), server.app.store.transaction() as tx:
        CHANGES["nothing left"](tx)
        assert ended or 1 / 0
    for name, expected in (("first", first), ("second", second), ("second", second)):
        server.snapshots.restore(name)
        assert server.export_seed() == expected
    server.reset()
    assert server.export_seed() == first
