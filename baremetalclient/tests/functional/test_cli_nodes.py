"""Nodes and what belongs to them from the command line, under both commands."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest

from baremetalclient.tests.functional.cli import BOTH_PROGRAMS


@BOTH_PROGRAMS
def test_create_show_set_and_unset(cli, cli_node):
    shown = cli("node", "show", cli_node, "-f", "json").json
    assert shown["name"] == cli_node
    assert shown["provision_state"] == "enroll"
    cli("node", "set", cli_node, "--property", "cpus=8", "--extra", "a:={}", "--owner", "me")
    words = ("node", "show", cli_node, "--fields", "properties", "extra", "owner", "-f", "json")
    assert cli(*words).json == {"properties": {"cpus": 8}, "extra": {"a": {}}, "owner": "me"}
    cli("node", "unset", cli_node, "--property", "cpus", "--extra", "a", "--owner")
    assert cli(*words).json == {"properties": {}, "extra": {}, "owner": None}


def test_traits(cli, cli_node):
    added = cli("node", "add", "trait", cli_node, "CUSTOM_RED", "CUSTOM_BLUE")
    assert added.out == "Added trait CUSTOM_RED\nAdded trait CUSTOM_BLUE\n"
    assert cli("node", "trait", "list", cli_node, "-f", "value").out.split() == [
        *("CUSTOM_BLUE", "CUSTOM_RED")
    ]
    refused = cli.fails("node", "trait", "add", cli_node, "NO_SUCH_TRAIT", "CUSTOM_GREEN")
    assert "NO_SUCH_TRAIT" in refused.err
    assert refused.out == "Added trait CUSTOM_GREEN\n"

    def listed(*words):
        out = cli("node", "list", "--limit", "0", *words, "-f", "value", "-c", "name").out
        return cli_node in out.split()

    assert listed("--trait", "CUSTOM_RED", "--trait", "CUSTOM_BLUE")
    assert not listed("--trait", "CUSTOM_RED", "--trait", "CUSTOM_ABSENT")
    assert listed("--trait-any", "CUSTOM_RED", "CUSTOM_ABSENT")
    assert not listed("--not-trait", "CUSTOM_RED")
    assert listed("--not-trait", "CUSTOM_RED", "--not-trait", "CUSTOM_ABSENT")
    assert not listed("--not-trait-any", "CUSTOM_RED", "CUSTOM_ABSENT")
    cells = cli("node", "show", cli_node, "--fields", "traits").out
    assert '["CUSTOM_' in cells
    cli("node", "remove", "trait", cli_node, "CUSTOM_RED")
    cli("node", "remove", "trait", "--all", cli_node)
    assert cli("node", "trait", "list", cli_node).out == ""


def test_states_with_progress(cli, cli_node):
    managed = cli("node", "manage", cli_node, "--wait", "60")
    assert managed.out == ""
    assert f"{cli_node} is 'manageable'" in managed.err
    cli("node", "inspect", cli_node, "--wait", "60")
    cli("node", "provide", cli_node, "--wait", "60")
    refused = cli.fails("node", "manage", f"absent-{uuid4()}", cli_node, "--wait", "60")
    assert refused.err.count("Failed") == 1
    state = cli("node", "show", cli_node, "-f", "value", "-c", "provision_state")
    assert state.out == "manageable\n"


def test_vifs_of_noop(cli, cli_node):
    cli("node", "vif", "attach", cli_node, str(uuid4()))
    assert cli("node", "vif", "list", cli_node).out == ""
    cli("node", "vif", "detach", cli_node, str(uuid4()))


def test_a_missing_node_is_named(cli):
    name = f"absent-{uuid4()}"
    done = cli.fails("node", "show", name)
    assert name in done.err
    assert (done.out, done.err.count("\n")) == ("", 1)
    done = cli.fails("node", "show", "--instance", (instance := str(uuid4())))
    assert instance in done.err


@pytest.fixture
def off_node(cli, cli_node):
    """A node that is off, so that its volumes can be changed."""
    cli("node", "manage", cli_node, "--wait", "60")
    cli("node", "provide", cli_node, "--wait", "60")
    cli("node", "power", "off", cli_node)
    cli.until("power off", "node", "show", cli_node, "-f", "value", "-c", "power_state")
    return cli_node


@BOTH_PROGRAMS
def test_a_connector_from_start_to_end(cli, off_node):
    ident = f"iqn.{uuid4()}"
    made = json.loads(
        cli(
            *("volume", "connector", "create", "--node", off_node, "--type", "iqn"),
            *("--connector-id", ident, "--extra", "a=1", "-f", "json"),
        ).out
    )
    uuid = made["uuid"]
    assert (made["type"], made["connector_id"], made["extra"]) == ("iqn", ident, {"a": 1})
    listed = cli("volume", "connector", "list", "--node", off_node, "-f", "value", "-c", "uuid")
    assert listed.out == f"{uuid}\n"
    found = cli("volume", "connector", "list", "--connector-id", ident, "-f", "json").json
    assert [item["uuid"] for item in found] == [uuid]
    cli("volume", "connector", "set", uuid, "--type", "mac", "--extra", "b:=[1]")
    cli("volume", "connector", "unset", uuid, "--extra", "a")
    shown = cli("volume", "connector", "show", uuid, "-f", "json").json
    assert (shown["type"], shown["extra"]) == ("mac", {"b": [1]})
    again = cli.fails(
        *("volume", "connector", "create", "--node", off_node, "--type", "mac"),
        *("--connector-id", ident),
    )
    assert ident in again.err or "exists" in again.err
    gone = cli.fails("volume", "connector", "delete", uuid, str(uuid4()))
    assert gone.out == f"Deleted volume connector {uuid}\n"
    assert cli("volume", "connector", "list", "--node", off_node).out == ""
