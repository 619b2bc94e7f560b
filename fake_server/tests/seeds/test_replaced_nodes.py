"""Seeds that replace nodes."""

from __future__ import annotations

import pytest

from fake_server.cli import ctl
from fake_server.seeds.parsing import SeedError
from fake_server.server import FakeServer

ADDRESS = "52:54:00:00:00:01"
PORTS = [{"address": ADDRESS}]
FIRST = {"nodes": [{"name": "n", "ports": PORTS, "portgroups": [{"name": "g"}]}, {"name": "m"}]}
SECOND = {"nodes": [{"name": "n", "provision_state": "active", "ports": PORTS}, {"name": "k"}]}


@pytest.fixture
def server():
    with FakeServer(seed=FIRST) as server:
        yield server


def check(server, before):
    assert {node.name: node.provision_state for node in server.nodes} == {
        "m": "enroll",
        "n": "active",
        "k": "enroll",
    }
    assert server.nodes["n"].uuid != before
    assert (len(server.ports), len(server.portgroups)) == (1, 0)


def test_nodes_of_the_same_name(server):
    before = server.nodes["n"].uuid
    with pytest.raises(SeedError, match="already in the server"):
        server.seed(SECOND)
    server.seed(SECOND, replace=True)
    check(server, before)
    server.seed({"nodes": [{"name": "n", "uuid": before}]}, replace=True)
    assert server.nodes["n"].uuid == before


def test_a_seed_that_is_refused_removes_nothing(server):
    before = server.nodes["n"].uuid
    with pytest.raises(SeedError):
        server.seed({"nodes": [{"name": "n"}, {"name": "x", "driver": "nope"}]}, replace=True)
    assert server.nodes["n"].uuid == before


def test_the_command(server, tmp_path, capsys):
    before = server.nodes["n"].uuid
    path = tmp_path / "seed.yaml"
    path.write_text(
        f"nodes: [{{name: n, provision_state: active, ports: [{{address: '{ADDRESS}'}}], "
        "provision_updated_at: 2026-01-01T00:00:00Z}, {name: k}]"
    )
    assert ctl.main(["ctl", "--url", server.url, "seed", "add", str(path)]) == 1
    assert ctl.main(["ctl", "--url", server.url, "seed", "add", "--replace", str(path)]) == 0
    check(server, before)
    assert server.nodes["n"].provision_updated_at == "2026-01-01T00:00:00+00:00"
    capsys.readouterr()
