"""The network provider of the guide, as a package beside the server."""

from __future__ import annotations

import configparser
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "doc" / "source" / "examples" / "network_provider"
SCRIPT = """
import json
from fake_server.server import FakeServer
from fake_server.settings import ENABLED_INTERFACES, Settings
from baremetalclient.client import get_client

interfaces = {**ENABLED_INTERFACES, "network": ("noop", "lab")}
with FakeServer(Settings(dialect="spec", interfaces=interfaces)) as server:
    ironic = get_client(1, endpoint=server.url, token="none")
    node = ironic.node.create(driver="fake-hardware", network_provider="lab")
    ironic.port.create(node_uuid=node.uuid, address="52:54:00:00:00:01")
    for verb in ("manage", "provide"):
        ironic.node.set_provision_state(node.uuid, verb)
    ironic.node.vif_attach(node.uuid, "vif-1")
    for verb in ("active", "deleted"):
        ironic.node.set_provision_state(node.uuid, verb)
    print(json.dumps(ironic.node.get(node.uuid).extra))
"""


@pytest.fixture
def installed(tmp_path):
    """Return a folder in which the package is installed."""
    metadata = configparser.ConfigParser()
    metadata.read(EXAMPLE / "setup.cfg")
    (tmp_path / "lab_networks.py").write_text((EXAMPLE / "lab_networks.py").read_text())
    about = tmp_path / "lab_networks-1.0.dist-info"
    about.mkdir()
    name, version = metadata["metadata"]["name"], metadata["metadata"]["version"]
    text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (about / "METADATA").write_text(text)
    groups = metadata["options.entry_points"]
    lines = [f"[{group}]\n{entries.strip()}\n" for group, entries in groups.items()]
    (about / "entry_points.txt").write_text("".join(lines))
    return tmp_path


def test_the_provider_of_the_guide_is_asked_for_networks(installed):
    path = os.pathsep.join([str(installed), str(EXAMPLE.parents[3])])
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["diary"] == [
        "provisioning",
        "no provisioning",
        "tenant vif-1",
        "no tenant",
    ]


def test_a_provider_that_is_not_installed_is_refused():
    words = ["--enabled-network-interfaces", "noop,lab", "--port", "0"]
    done = subprocess.run(
        [sys.executable, "-m", "fake_server.cli", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "There is no network interface lab: use some of flat, neutron, noop." in done.stderr
