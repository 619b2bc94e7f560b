"""``baremetal node explain`` on a terminal and in a pipe."""

import pytest

from baremetalclient.tests.unit.osc.pseudo_terminal import run_on_terminal
from fake_server.server import FakeServer

LONG = (
    "The disk has failed in a way that needs a text of more than eighty columns to be told, it is"
)
NODES = [
    {"name": "failed", "provision_state": "clean failed", "last_error": LONG},
    {"name": "locked", "provision_state": "active", "reservation": "localhost", "ports": []},
    {"name": "fresh", "provision_state": "available", "resource_class": "gold"},
    {"name": "used", "provision_state": "active", "resource_class": "gold"},
    {"name": "misspelt", "driver": "redfish", "driver_info": {"redfish_adress": "bmc"}},
]


@pytest.fixture
def explain():
    for number, node in enumerate(NODES):
        node.setdefault("ports", [{"address": f"52:54:00:00:00:0{number}"}])
    with FakeServer(seed={"nodes": NODES}) as server:
        yield lambda *words, **how: run_on_terminal(
            "node", "explain", *words, OS_ENDPOINT=server.url, **how
        )[1]


def test_it_is_as_wide_as_the_terminal_and_coloured(explain):
    shown = explain("failed", columns=60)
    assert "\x1b[31merror\x1b[0m: last-error\n" in shown
    plain = shown.replace("\x1b[31m", "").replace("\x1b[33m", "").replace("\x1b[0m", "")
    commands = ("    $ ", "Next: ", "    More: ")
    long = [line for line in plain.splitlines() if len(line) > 60 and not line.startswith(commands)]
    assert long == []
    assert LONG in plain.replace("\n   ", "")
    assert "\x1b" not in explain("failed", columns=60, NO_COLOR="1")


def test_there_is_always_something_next(explain):
    follows = {
        "failed": "baremetal node manage failed",
        "locked": "baremetal node wait locked --for 'not reservation' --timeout 30m",
        "fresh": "baremetal node deploy fresh (once the node is to be used)",
        "used": "no need to act: it is in use",
        "misspelt": "baremetal node set misspelt --driver-info redfish_address=bmc",
    }
    for name, wanted in follows.items():
        assert explain(name).splitlines()[-1] == f"Next: {wanted}"


def test_what_most_can_do_without_is_shown_on_request(explain):
    assert "console" not in explain("misspelt")
    assert "console" in explain("misspelt", "--all-findings")


def test_several_are_a_table_with_failures_and_their_causes_first(explain):
    lines = explain("--all", columns=100, NO_COLOR="1").splitlines()
    assert max(map(len, lines)) <= 100
    rows = [line for line in lines if line.startswith("|")]
    order = [line[1:].split("|")[0].strip() for line in rows[1:]]
    assert [name for name in order if name] == ["failed", "misspelt", "locked", "fresh", "used"]
    assert "The disk has failed" in next(line for line in rows if "failed " in line)
