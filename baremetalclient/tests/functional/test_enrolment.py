"""Programs that enrol real labs, on the fake server and on a real Ironic with all hardware types.

They are written after those of metal3, kayobe, understack and bifrost. What they print was printed
with a real Ironic 39 and the emulators that go with it: ``--real-ironic`` has to name one with a
Redfish controller at its port + 1, images at its port + 2, an IPMI controller at its port + 3, and
the conductor group ``rack1``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from baremetalclient import client as clients
from baremetalclient.tests import commands
from fake_server import cli

PROGRAMS = Path(__file__).with_name("enrolment")
BASIC = ("--tls", "auto", "--auth", "http_basic")
_SYSTEM = "/redfish/v1/Systems/27946b59-9e44-4fa7-8e91-f3527a1ef094"
_GROUP = "rack1"


@pytest.mark.parametrize(
    ("program", "options"),
    [
        ("metal3.py", BASIC),
        pytest.param("kayobe.sh", BASIC, marks=pytest.mark.slow("many processes")),
        pytest.param("understack.py", (), marks=pytest.mark.slow("a process for a lab")),
        pytest.param("bifrost.py", (), marks=pytest.mark.slow("a process for a lab")),
    ],
)
def test_a_program_enrols_its_nodes(program, options, real_ironic, monkeypatch, capfd):
    file, search_path = PROGRAMS / program, commands.search_path()
    command = [sys.executable if file.suffix == ".py" else "bash", str(file)]
    lab = _controllers(9)
    if real_ironic is not None:
        _check(real_ironic)
        port = urlsplit(real_ironic).port or 0
        lab = {"OS_AUTH_TYPE": "none", "OS_ENDPOINT": real_ironic, **_controllers(port)}
    for name in list(os.environ):
        monkeypatch.delenv(name)
    for name, value in {"PATH": search_path, **lab}.items():
        monkeypatch.setenv(name, value)
    if real_ironic is None:
        code = cli.main(["exec", "--conductors", f"a:{_GROUP}", *options, "--", *command])
    else:
        code = subprocess.call(command)
    printed, told = capfd.readouterr()
    assert code == 0, told
    assert printed == file.with_suffix(".out").read_text()


def _controllers(port):
    return {
        "REDFISH_ADDRESS": f"http://127.0.0.1:{port + 1}",
        "REDFISH_SYSTEM": _SYSTEM,
        "IPMI_ADDRESS": "127.0.0.1",
        "IPMI_PORT": str(port + 3),
        "BOOT_ISO": f"http://127.0.0.1:{port + 2}/x.iso",
        "CONDUCTOR_GROUP": _GROUP,
    }


def _check(url):
    ironic = clients.get_client(1, endpoint=url)
    groups = {one.conductor_group for one in ironic.conductor.list()}
    drivers = {one.name for one in ironic.driver.list()}
    if groups != {_GROUP} or not {"redfish", "ipmi"} <= drivers:
        pytest.skip("This Ironic hasn't got all hardware types and the conductor group rack1.")
