"""Waiting and watching from the command line, under both commands."""

from __future__ import annotations

import json
import signal

from baremetalclient.tests.functional.cli import BOTH_PROGRAMS
from baremetalclient.tests.functional.test_servers import Cloud, run
from fake_server.server import FakeServer


@BOTH_PROGRAMS
def test_conditions_of_nodes(cli, cli_node):
    cli("node", "manage", cli_node)
    words = ("node", "wait", "--timeout", "1m", cli_node, "--for")
    report = cli(*words, "provision_state=manageable and name!=", "-f", "json").json
    assert [(one["name"], one["result"], one["state"]) for one in report["nodes"]] == [
        (cli_node, "done", "manageable")
    ]
    assert cli.run(*words[:2], "--timeout", "1", *words[4:], "provision_state=active").code == 124
    refused = cli.run(*words, "no_field=active")
    assert refused.code == 2
    assert "Unknown field 'no_field'" in refused.err


def test_a_watch_is_ended_by_ctrl_c(cli, cli_node, client):
    process = cli.start("node", "watch", "-f", "json", cli_node)
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["event"] == "present"
    client.node.set_maintenance(cli_node, True)
    changed = json.loads(process.stdout.readline())
    assert changed["fields"] == {"maintenance": {"old": False, "new": True}}
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err


def test_a_wait_that_is_interrupted_is_reported(cli, cli_node, tmp_path):
    file = tmp_path / "report.json"
    words = ("--for", "provision_state=active", "--report", str(file), cli_node)
    process = cli.start("node", "wait", *words)
    assert process.stderr is not None
    assert "is 'enroll'" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    (node,) = json.loads(file.read_text())["nodes"]
    assert (node["name"], node["result"]) == (cli_node, "timeout")


def test_servers_are_polled_with_one_list():
    with FakeServer() as server:
        cloud = Cloud(server)
        for _ in range(5):
            cloud.node()
        device = cloud.mapping(cloud.volume(multiattach=True), attach_mode="ro")
        options = {"block_devices": [device], "networks": "none", "count": 5}
        made = cloud.compute.create("web", cloud.flavor, **options)
        names, cli = [one["name"] for one in made], run(cloud)

        def polled(*words):
            server.requests.clear()
            done = cli(*words)
            asked = {request.path for request in server.requests.find(method="GET")}
            return done, {path for path in asked if path.startswith("/compute/v2.1/servers")}

        words = ("server", "wait", "--for", "status=ACTIVE", "--timeout", "1m", "-f", "json")
        done, paths = polled(*words, *names)
        assert [(one["name"], one["state"]) for one in done.json["nodes"]] == [
            (name, "ACTIVE") for name in names
        ]
        assert paths == {"/compute/v2.1/servers/detail"}
        ids = [found["id"] for found in cloud.storage.attachments()]
        cli("volume", "attachment", "wait", "--for", "status=attached and mode=ro", *ids)
        _, paths = polled("server", "delete", "--wait", "60", *names)
        assert "/compute/v2.1/servers/detail" in paths
        cli("volume", "attachment", "wait", "--for", "deleted", *ids)
        cli("server", "wait", "--for", "deleted", *names)
