"""Volume connectors and targets from the command line, under both commands."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest

from baremetalclient.tests.functional.cli import BOTH_PROGRAMS


@pytest.fixture
def node(cli, cli_node):
    """A node that is off, so that its volumes can be changed."""
    cli("node", "manage", cli_node, "--wait", "60")
    cli("node", "provide", cli_node, "--wait", "60")
    cli("node", "power", "off", cli_node)
    cli.until("power off", "node", "show", cli_node, "-f", "value", "-c", "power_state")
    return cli_node


@BOTH_PROGRAMS
def test_a_connector_from_start_to_end(cli, node):
    ident = f"iqn.{uuid4()}"
    made = json.loads(
        cli(
            *("volume", "connector", "create", "--node", node, "--type", "iqn"),
            *("--connector-id", ident, "--extra", "a=1", "-f", "json"),
        ).out
    )
    uuid = made["uuid"]
    assert (made["type"], made["connector_id"], made["extra"]) == ("iqn", ident, {"a": 1})
    listed = cli("volume", "connector", "list", "--node", node, "-f", "value", "-c", "uuid")
    assert listed.out == f"{uuid}\n"
    found = cli("volume", "connector", "list", "--connector-id", ident, "-f", "json").json
    assert [item["uuid"] for item in found] == [uuid]
    cli("volume", "connector", "set", uuid, "--type", "mac", "--extra", "b:=[1]")
    cli("volume", "connector", "unset", uuid, "--extra", "a")
    shown = cli("volume", "connector", "show", uuid, "-f", "json").json
    assert (shown["type"], shown["extra"]) == ("mac", {"b": [1]})
    again = cli.fails(
        *("volume", "connector", "create", "--node", node, "--type", "mac"),
        *("--connector-id", ident),
    )
    assert ident in again.err or "exists" in again.err
    gone = cli.fails("volume", "connector", "delete", uuid, str(uuid4()))
    assert gone.out == f"Deleted volume connector {uuid}\n"
    assert cli("volume", "connector", "list", "--node", node).out == ""
