"""Sweeps over the controls, for programs in any language."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from fake_server.cli.remote_sweeps import operations
from fake_server.server import FakeServer

VERSION = {"X-OpenStack-Ironic-API-Version": "1.90"}


@pytest.fixture
def server():
    with FakeServer(clock="auto") as server:
        server.app.control.add(operations(server))
        yield server


def begin(server, **options):
    return requests.post(f"{server.url}/_fake/sweeps", json=options, timeout=30)


def swept(server, program, **options):
    """Do all runs of a sweep, and return its last answer."""
    answer = begin(server, name="test", **options).json()
    while answer["run"]:
        ended = {"exit": program(server.url), "output": "what it printed"}
        address = f"{server.url}/_fake/sweeps/runs"
        answer = requests.post(address, json=ended, timeout=30).json()
    return answer


def careful(url, name="m"):
    """Make a node that isn't there yet."""
    try:
        found = requests.get(f"{url}/v1/nodes/m", headers=VERSION, timeout=5)
        if found.status_code == 404:
            new = {"driver": "fake-hardware", "name": name}
            found = requests.post(f"{url}/v1/nodes", json=new, headers=VERSION, timeout=5)
    except requests.RequestException:
        return 1
    return 0 if found.ok else 1


def careless(url):
    """Make a node without a name, and make it again where there is no answer."""
    return 0 if careful(url, name=None) == 0 else careful(url, name=None)


def test_clients_that_go_on_at_once_take_turns(server):
    """One goes on, the others are told how it is; nobody waits for ever, and nothing fails."""
    asked = [("POST", "/_fake/sweeps/runs", {"exit": 0})] * 6
    asked += [("POST", "/_fake/sweeps", {"kinds": ["error"]})] * 4
    asked += [("DELETE", "/_fake/sweeps", None)] * 2

    def send(one):
        method, path, body = one
        return requests.request(method, f"{server.url}{path}", json=body, timeout=20).status_code

    with ThreadPoolExecutor(len(asked)) as pool:
        for _ in range(3):
            assert set(pool.map(send, asked)) <= {200, 201, 204, 400, 404}
    assert send(("DELETE", "/_fake/sweeps", None)) == 204


KINDS = ["lost-answer", "unavailable", "locked", "error"]


def test_a_right_program_has_no_findings(server):
    done = swept(server, careful, kinds=KINDS, allow=["said-so"])
    assert done["findings"] == []
    assert done["results"]["command"] == ["test"]
    assert done["results"]["counts"] == {"said-so": 5}
    assert not server.nodes


def test_a_wrong_one_has(server):
    done = swept(server, careless, kinds=KINDS, allow=["said-so"])
    found = {(case["id"], case["verdict"]) for case in done["findings"]}
    assert found == {("POST/v1/nodes.1:lost-answer", "left-behind")}
    assert done["findings"][0]["output_tail"] == "what it printed"


def test_runs_begin_anew_or_go_on(server):
    answer = begin(server, kinds=["unavailable"], routes=["POST /v1/nodes"]).json()
    fresh = []
    while answer["run"]:
        fresh.append(answer["run"]["fresh"])
        ended = {"exit": careful(server.url)}
        answer = requests.post(f"{server.url}/_fake/sweeps/runs", json=ended, timeout=30).json()
    # Two clean runs, one with the fault, and one more after it.
    assert fresh == [True, True, True, False]


def test_what_took_too_long_hangs(server):
    def hanging(url):
        code = careful(url)
        return None if code else 0

    done = swept(server, hanging, kinds=["unavailable"], routes=["POST /v1/nodes"])
    assert [case["verdict"] for case in done["findings"]] == ["hung"]


def test_a_program_that_fails_by_itself_is_not_swept(server):
    begin(server)
    ended = {"exit": 3, "output": "boom"}
    answer = requests.post(f"{server.url}/_fake/sweeps/runs", json=ended, timeout=30)
    assert answer.status_code == 400
    assert "Without any fault, the program ended with exit code 3" in answer.json()["error"]
    assert "boom" in answer.json()["error"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"kinds": ["killed"]}, "Unknown kind of fault 'killed'. There are refused,"),
        ({"allow": ["fine"]}, "Unknown verdict 'fine'. There are lied,"),
        ({"limit": "5"}, "limit has to be a number, not '5'."),
        ({"speed": 1}, "Unknown name speed. Did you mean seed?"),
    ],
)
def test_what_can_not_be(server, options, told):
    answer = begin(server, **options)
    assert (answer.status_code, answer.json()["error"][: len(told)]) == (400, told)


def test_an_end_in_the_middle_brings_the_first_state_back(server):
    begin(server)
    assert careful(server.url) == 0
    assert requests.delete(f"{server.url}/_fake/sweeps", timeout=30).status_code == 204
    assert not server.nodes
    ended = {"exit": 0}
    answer = requests.post(f"{server.url}/_fake/sweeps/runs", json=ended, timeout=30)
    assert answer.status_code == 404
