"""``--report FILE.html``: what a command did, as a page with a timeline."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest

from baremetalclient.osc.report.page import ReportPage
from baremetalclient.tests.unit.osc.everything import run_here
from fake_server.server import FakeServer

EVIL = "</script><img src=x onerror=alert(1)>"
NODES = [
    *({"name": f"n-{number}", "provision_state": "available"} for number in range(4)),
    {"name": "unready"},
]


@pytest.fixture
def server():
    with FakeServer(seed={"nodes": NODES}) as server:
        server.clock.switch("auto")
        server.delays.set(transitions={"deploying": 60})
        yield server


@pytest.fixture
def page(server, capsys, tmp_path):
    """Run a command with a report; return its exit code, stderr, and the data of the page."""

    def run(*words):
        path = tmp_path / "report.HTML"
        done = run_here(["--os-endpoint", server.url, *words, "--report", str(path)], capsys)
        text = path.read_text()
        assert text.count("</script>") == 2
        assert "<img" not in text
        (data,) = re.findall(r'<script id="data" type="application/json">(.*?)</script>', text)
        return done[0], done[2], json.loads(data)

    return run


def states(data):
    return {lane["name"]: [one[2] for one in lane["states"]] for lane in data["lanes"]}


def notes(data, name):
    number = [lane["name"] for lane in data["lanes"]].index(name)
    return [(tick[3], tick[4]) for tick in data["ticks"] if tick[2] == number]


def test_states_failures_and_who_failed(server, page):
    for name in ("n-1", "n-2"):
        server.faults.add({"step": "deploy.deploy", "node": name}, {"last_error": EVIL})
    code, err, data = page("node", "deploy", "--all", "--yes", "--wait", "600")
    assert code == 1
    assert data["title"] == "baremetal node deploy"
    about = dict(data["about"])
    assert about["Results"] == "3 failed, 2 done"
    assert "typically" in about["Of those done"]
    alike, single = sorted(data["failures"], key=lambda one: -len(one["names"]))
    assert alike["names"] == ["n-1", "n-2"]
    assert alike["text"] + ": n-1, n-2" in err
    assert EVIL in alike["text"]
    assert single["names"] == ["unready"]
    found = states(data)
    assert found["n-0"] == ["available", "deploying", "active"]
    assert found["n-1"] == ["available", "deploying", "deploy failed"]
    assert notes(data, "n-0") == [("requested", 0)]
    assert notes(data, "n-1") == [("requested", 0), ("failed", 2)]
    assert notes(data, "unready") == [("refused", 2)]
    failed = {lane["name"] for lane in data["lanes"] if lane["failed"]}
    assert failed == {"n-1", "n-2", "unready"}
    assert {lane["uuid"] for lane in data["lanes"]} == {
        server.nodes[lane["name"]].uuid for lane in data["lanes"]
    }


def test_what_was_not_started(server, page):
    words = ("node", "deploy", "--all", "--yes", "--on-error", "stop", "--parallel", "1")
    server.faults.add({"method": "PUT"}, {"status": 400, "message": "No."}, times=1)
    code, _, data = page(*words)
    assert code == 1
    assert dict(data["about"])["Results"] == "4 skipped, 1 failed"
    assert notes(data, "n-3") == [("skipped", 1)]


def test_a_wait(server, page):
    code, _, data = page("node", "wait", "n-0", "n-1", "--for", "state=available")
    assert code == 0
    assert states(data) == {"n-0": ["available"], "n-1": ["available"]}
    assert data["failures"] == []
    code, _, data = page("node", "wait", "n-0", "gone", "--for", "state=available")
    assert code == 1
    assert states(data)["gone"] == [None]
    assert notes(data, "gone") == [("failed", 2)]


def test_a_dry_run(page):
    code, _, data = page("node", "deploy", "--all", "--dry-run")
    assert code == 0
    assert dict(data["about"])["Results"] == "4 would, 1 would be refused"
    assert [one["names"] for one in data["failures"]] == [["unready"]]


def test_deleted_ports(server, page):
    server.seed({"nodes": [{"name": "with-port", "ports": [{"address": "52:54:00:00:00:01"}]}]})
    code, _, data = page("port", "delete", "--all", "--yes")
    assert code == 0
    assert [(lane["states"], lane["failed"]) for lane in data["lanes"]] == [([], False)]


def test_a_lab_that_is_applied(page, tmp_path):
    path = tmp_path / "lab.json"
    port = {"address": "52:54:00:00:00:01"}
    new = {"name": "new", "driver": "fake-hardware", "provision_state": "active", "ports": [port]}
    path.write_text(json.dumps({"nodes": [new, {"name": "other", "driver": EVIL}]}))
    code, _, data = page("apply", str(path), "--wait", "600")
    assert code == 1
    assert dict(data["about"])["Results"] == "2 done, 1 failed"
    assert states(data)["new"][-2:] == ["deploying", "active"]
    assert notes(data, "new") == [
        *(("+ node new", 0), ("+ port 52:54:00:00:00:01 of node new", 0)),
    ]
    (failure,) = data["failures"]
    assert failure["names"] == ["other"]
    assert EVIL in failure["text"]


def test_names_of_placeholders_stay():
    page = ReportPage()
    page.timeline.note("@script@", "requested")
    text = page.text("@data@", "node", [])
    assert "<title>baremetal @data@</title>" in text
    assert '"name":"@script@"' in text


@pytest.mark.parametrize("name", ["timeline.js", "timeline.css", "report.html"])
def test_both_packages_have_the_same_page(name):
    """Neither package may import the other, so that each has a copy; change both."""
    ours = files("baremetalclient.osc").joinpath("report", name).read_text()
    assert ours == files("fake_server.control").joinpath("page", name).read_text()
