"""The fixtures for the tests of others."""

from __future__ import annotations

import subprocess
import sys

import pytest
import requests

SEED = {"nodes": [{"name": "n"}]}


def test_a_server_of_its_own(baremetal_server, baremetal_client):
    baremetal_client.node.create(driver="fake-hardware", name="n")
    answer = requests.get(f"{baremetal_server.url}/v1/nodes", timeout=5)
    assert len(answer.json()["nodes"]) == 1


@pytest.mark.baremetal_server(seed=SEED, clock="manual", delay=5, auth="keystone")
class TestMarked:
    def test_of_a_class(self, baremetal_server, baremetal_client):
        assert baremetal_server.clock.mode == "manual"
        assert baremetal_server.app.settings.delay == 5
        assert baremetal_client.node.get("n").name == "n"

    @pytest.mark.baremetal_server(delay=7)
    def test_the_nearest_marker_wins(self, baremetal_server):
        assert baremetal_server.app.settings.delay == 7
        assert baremetal_server.clock.mode == "manual"


@pytest.mark.baremetal_server(auth="http_basic", seed=SEED)
def test_with_a_password(baremetal_client):
    assert [node.name for node in baremetal_client.node.list()] == ["n"]


WRONG = {
    "'x'": " The marker baremetal_server takes options by name only.",
    "colour='red'": "colour",
    "seed={'nodes': [{'name': 5}]}": "nodes[0].name",
}


def test_what_can_not_be(tmp_path):
    test = tmp_path / "test_it.py"
    lines = ["import pytest"]
    for number, options in enumerate(WRONG):
        lines.append(f"@pytest.mark.baremetal_server({options})")
        lines.append(f"def test_{number}(baremetal_server): pass")
    test.write_text("\n".join(lines))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "3 errors" in done.stdout
    assert [text for text in WRONG.values() if text not in done.stdout] == []


def test_the_marker_is_described(pytestconfig):
    described = [line for line in pytestconfig.getini("markers") if "baremetal_server" in line]
    assert described == [
        "baremetal_server(seed, clock, db, **settings): options of the test's fake Ironic: its "
        "lab, its clock, its database, and those of fake_server.settings.Settings."
    ]


def test_it_costs_those_nothing_who_do_not_use_it():
    script = "import sys, fake_server.pytest_plugin; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert not {"sqlalchemy", "requests", "fake_server.app"} & set(done.stdout.split())
