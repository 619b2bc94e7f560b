"""The examples, as the documentation has them run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from baremetalclient.tests import commands
from fake_server import cli

pytestmark = pytest.mark.usefixtures("own_server")

EXAMPLES = Path(__file__).parents[3] / "examples"


def run(example, *words, options=()):
    """Run an example beside a server of its own; return what it prints."""
    command = [commands.INSTALLED / "baremetal-fake-server", "exec"]
    interfaces = ["--enabled-deploy-interfaces", "fake,direct"]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OS_")}
    done = subprocess.run(
        [*command, *interfaces, *options, "--", EXAMPLES / example, *words],
        capture_output=True,
        text=True,
        env={**kept, "PATH": commands.search_path()},
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow("a process for each of many commands")
def test_a_node_boots_from_a_volume_and_is_removed():
    assert "was enrolled, booted from volume" in run("boot-from-volume")


@pytest.mark.night("20 nodes, with a process for each of many commands")
def test_twenty_nodes_boot_read_only_from_one_volume_with_nova_and_without():
    shown = run("shared-root", "20", options=["--auth", "keystone", "--account", "admin"])
    for what in ("servers", "nodes", "volumes"):
        assert f"They agree on the {what}: 20 of them." in shown
    for what in ("servers", "attachments", "targets", "nodes"):
        assert f"There are no {what} left." in shown
    assert "Done: 20 nodes booted from one volume, with Nova and without." in shown


def test_commands_find_the_services_beside_ironic(capfd):
    baremetal = str(commands.directory() / "baremetal")
    for words in (["server", "list"], ["volume", "attachment", "list"]):
        assert cli.main(["exec", "--", baremetal, *words, "-f", "json"]) == 0
        assert capfd.readouterr().out == "[]\n"
