"""The fixtures for the tests of others."""

from __future__ import annotations

import re
import subprocess
import sys
import time

import pytest
import requests

from baremetalclient.exc import StateTransitionTimeout

SEED = {"nodes": [{"name": "n"}]}


@pytest.fixture
def run_tests(tmp_path, monkeypatch, capsys):
    """Run a file of tests as another run of pytest in this process; return what it prints."""
    monkeypatch.chdir(tmp_path)

    def run(text, *options):
        (tmp_path / "test_it.py").write_text(text)
        monkeypatch.delitem(sys.modules, "test_it", raising=False)
        # What has been imported can't be rewritten for its assertions any more.
        quiet = ("-q", "-W", "ignore::pytest.PytestAssertRewriteWarning", "--import-mode=importlib")
        without = ("-p", "no:cacheprovider", "-p", "no:faulthandler")
        pytest.main([*quiet, *without, *options, "test_it.py"])
        return capsys.readouterr().out

    return run


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


@pytest.mark.rows
@pytest.mark.baremetal_server(seed={"nodes": [{"name": f"n-{n}"} for n in (1, 2, 3)]}, delay=600)
@pytest.mark.parametrize("clock", ["auto", "manual"])
def test_its_waits_take_no_real_time(baremetal_server, baremetal_client, monkeypatch, clock):
    baremetal_server.clock.switch(clock)
    monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail(f"{seconds} seconds"))
    nodes = baremetal_client.node
    with baremetal_server.fault("PUT", "/v1/nodes/*", status=503, times=2) as fault:
        nodes.set_provision_state("n-1", "manage")
    assert fault.met == 2
    nodes.wait_for_provision_state("n-1", "manageable", timeout=3600)
    nodes.act_on(["n-2", "n-3"], "manage", wait=True, timeout=3600).raise_for_failures()
    with pytest.raises(StateTransitionTimeout):
        nodes.wait_for_provision_state(
            "n-1", "active", timeout=1800, fail_on_unexpected_state=False
        )


WRONG = {
    "'x'": " The marker baremetal_server takes options by name only.",
    "colour='red'": "colour",
    "seed={'nodes': [{'name': 5}]}": "nodes[0].name",
}


def test_what_can_not_be(run_tests):
    lines = ["import pytest"]
    for number, options in enumerate(WRONG):
        lines.append(f"@pytest.mark.baremetal_server({options})")
        lines.append(f"def test_{number}(baremetal_server): pass")
    printed = run_tests("\n".join(lines))
    assert "3 errors" in printed
    assert [text for text in WRONG.values() if text not in printed] == []


def test_the_marker_is_described(pytestconfig):
    (described,) = [line for line in pytestconfig.getini("markers") if "baremetal_server" in line]
    assert described.startswith("baremetal_server(seed, clock, db, strict, **settings): options of")


SHARED = """
import os, pytest, requests

@pytest.fixture(scope="session")
def baremetal_shared_options():
    return {"seed": {"nodes": [{"name": "n"}]}, "max_minor": 80}

@pytest.mark.parametrize("number", [1, 2])
def test_each_finds_the_first_state(baremetal_shared_server, baremetal_client, number):
    assert [node.name for node in baremetal_client.node.list()] == ["n"]
    assert os.environ["OS_ENDPOINT"] == baremetal_shared_server.url
    baremetal_client.node.delete("n")

def test_a_wrong_path(baremetal_shared_server):
    requests.get(baremetal_shared_server.url + "/v1/nods")

def test_a_failure_is_reported_alone(baremetal_server):
    baremetal_server.faults.add({"path": "/v1/nodes/*"}, {"status": 503})
    requests.get(baremetal_server.url + "/v1/nodes")
    assert False

@pytest.mark.baremetal_server(strict=False)
def test_not_strict(baremetal_server):
    baremetal_server.faults.add({"path": "/v1/nodes"}, {"status": 503})
"""


def test_a_server_of_the_session(tmp_path, run_tests):
    printed = run_tests(SHARED, "--baremetal-report", "reports/failed")
    assert "1 failed, 4 passed, 1 warning, 1 error" in printed, printed
    told = 'No request or step met the fault 1 ({"path": "/v1/nodes"}: {"status": 503}).'
    assert f"FaultWarning: {told}" in printed
    reports = sorted((tmp_path / "reports" / "failed").iterdir())
    for report, *shown in zip(
        reports,
        ("test_a_failure_is_reported_alone", "test_a_wrong_path"),
        ("assert False", "No service has GET /v1/nods"),
        ("GET /v1/nodes", "/v1/nods"),
        strict=True,
    ):
        assert report.name.startswith(f"test_it.py-{shown[0]}-")
        assert f"reports/failed/{report.name}" in printed
        text = report.read_text()
        assert [each for each in shown if each not in text] == []


HIDDEN = """
def test_a_fault_is_hidden(baremetal_server, baremetal_client):
    node = baremetal_client.node.create(driver="fake-hardware", name="n")
    baremetal_server.faults.add({"method": "PATCH"}, {"locked": True}, 1)
    baremetal_server.faults.add({"method": "DELETE"}, {"status": 503})
    baremetal_client.node.update("n", [{"op": "add", "path": "/extra/a", "value": "b"}])
    assert False, "no Conflict"
"""


def test_the_report_of_a_failed_test_tells_of_faults_that_it_did_not_see(run_tests):
    printed = run_tests(HIDDEN)
    assert "- Faults of the fake Ironic -" in printed
    assert "No request or step met the fault 2 (" in printed
    assert re.search(
        r"Fault 1 refused PATCH /v1/nodes/n \(409\), but the client sent it again and got 200\. "
        "To see the error, give the client max_retries=0",
        printed,
    )


SWEPT = """
import pytest, requests

def enrol(server):
    session = requests.Session()
    session.mount("http://127.0.0.1", server.adapter())
    session.headers["X-OpenStack-Ironic-API-Version"] = "1.115"
    body = {"name": "rack1", "driver": "fake-hardware"}
    try:
        session.post("http://127.0.0.1/v1/nodes", json=body)
    except requests.ConnectionError:
        pass
    assert "rack1" in server.nodes

@pytest.mark.baremetal_sweep(kinds=["refused", "lost-answer"])
def test_one_way_is_a_finding(baremetal_server):
    enrol(baremetal_server)

@pytest.mark.baremetal_sweep(kinds=["refused", "lost-answer"], allow=["said-so"])
def test_it_may_say_so(baremetal_server):
    enrol(baremetal_server)

@pytest.mark.baremetal_sweep(kinds=["lost-anser"])
def test_a_kind_that_there_is_not(baremetal_server):
    enrol(baremetal_server)

@pytest.mark.baremetal_sweep
def test_it_needs_a_server():
    pass
"""


def test_a_test_is_swept(run_tests):
    printed = run_tests(SWEPT)
    for line in (
        "FAILED test_it.py::test_one_way_is_a_finding[POST/v1/nodes.1:refused]",
        "FAILED test_it.py::test_one_way_is_a_finding - Failed: 1 of 2 cases",
        "Unknown kind of fault 'lost-anser'",
        "baremetal_sweep needs one of the fixtures",
        "1 passed",
    ):
        assert line in printed, printed


def test_it_costs_those_nothing_who_do_not_use_it():
    script = "import sys, fake_server.pytest_plugin; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert not {"sqlalchemy", "requests", "fake_server.app"} & set(done.stdout.split())
