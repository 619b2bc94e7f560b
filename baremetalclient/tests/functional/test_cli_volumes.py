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


def test_targets(cli, node, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("s3cret\n")
    uuids = [
        cli(
            *("volume", "target", "create", "--node", node, "--type", "iscsi"),
            *("--volume-id", f"vol-{index}", "--boot-index", str(index), "--property"),
            *(f"auth_password=@{secret}", "-f", "value", "-c", "uuid"),
        ).out.strip()
        for index in (1, 0)
    ]
    words = ("volume", "target", "list", "--node", node, "-f", "value", "-c", "uuid")
    assert cli(*words, "--sort", "boot_index").out.split() == uuids[::-1]
    assert cli(*words, "--sort", "boot_index:desc", "--limit", "1").out.split() == uuids[:1]
    assert cli(*words, "--limit", "1", "--marker", uuids[0]).out.split() == uuids[1:]
    assert cli(*words, "--boot-index", "0").out.split() == uuids[1:]
    shown = cli("volume", "target", "show", uuids[0]).out
    assert '"auth_password": "***' in shown
    assert "s3cret" not in shown
    taken = cli.fails("volume", "target", "set", uuids[0], "--boot-index", "0")
    assert "boot index" in taken.err
    cli("volume", "target", "set", uuids[0], "--boot-index", "7", "--property", "k=v")
    fields = cli("volume", "target", "show", uuids[0], "--fields", "boot_index", "-f", "json").json
    assert fields == {"boot_index": 7}
    cli("volume", "target", "delete", *uuids)
