"""The examples within the guides to the fake server, run as they stand there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sysconfig
import textwrap
from pathlib import Path

import pytest
import yaml

from baremetalclient import client
from fake_server.server import FakeServer
from fake_server.settings import ConductorHost, Settings

GUIDES = Path(__file__).parents[2] / "doc" / "source" / "guides"
LAB = {"nodes": [{"name": "node-1", "provision_state": "available"}]}
BLOCK = re.compile(r"^\.\. code-block:: (\w+)\n\n((?:(?:    ?.*)?\n)+)", re.MULTILINE)


def blocks(guide, language):
    text = (GUIDES / f"{guide}.rst").read_text()
    found = [body for kind, body in BLOCK.findall(text) if kind == language]
    assert found
    return [textwrap.dedent(body) for body in found]


@pytest.mark.parametrize("block", blocks("time-and-faults", "python"))
def test_python_of_time_and_faults(block):
    with FakeServer(seed=LAB) as server:
        ironic = client.get_client(1, endpoint=server.url)
        exec(compile(block, "time-and-faults.rst", "exec"), {"server": server, "ironic": ironic})


@pytest.mark.parametrize("block", blocks("conductors", "python"))
def test_python_of_conductors(block):
    hosts = (ConductorHost("host1", "rack1"), ConductorHost("host2", "rack1"))
    with FakeServer(Settings(conductors=hosts)) as server:
        exec(compile(block, "conductors.rst", "exec"), {"server": server})


def commands(guide):
    """Return the command lines of a guide, those that go on with a backslash in one."""
    text = "\n".join(blocks(guide, "console")).replace("\\\n", " ")
    return [line[2:] for line in text.splitlines() if line.startswith("$ ")]


def test_commands_of_time_and_faults(tmp_path):
    lines = commands("time-and-faults")
    assert len(lines) > 10
    (tmp_path / "lab.yaml").write_text("nodes: [{name: node-9}]")
    scripts = sysconfig.get_path("scripts")
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    with FakeServer(seed=LAB) as server:
        environment["BAREMETAL_FAKE_SERVER_URL"] = server.url
        for line in lines:
            line = line.replace("http://127.0.0.1:6385", server.url)
            done = subprocess.run(
                ["bash", "-c", line],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, (line, done.stderr)
            assert '"error"' not in done.stdout, line
    assert "har" in "".join(lines)
    assert (tmp_path / "requests.har").read_text().startswith("{")


def test_the_lab_of_seeds():
    lab, cloud = map(yaml.safe_load, blocks("seeds", "yaml"))
    with FakeServer(seed=lab | cloud) as server:
        ironic = client.get_client(1, endpoint=server.url)
        assert ironic.node.get("node-00042").traits == ["CUSTOM_GOLD", "HW_CPU_X86_VMX"]
        assert ironic.node.get("workbench").maintenance is True
        assert [kind for kind in cloud if kind not in server.export_seed()] == []


def test_commands_of_seeds_are_known():
    known = {"--seed", "capture"}
    for line in commands("seeds"):
        assert known & set(shlex.split(line))
