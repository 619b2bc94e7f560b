"""The package ``ironicclient`` of ``compat/``, for programs without a changed line."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from baremetalclient.tests.compatibility import sides
from baremetalclient.tests.compatibility.test_names import LEFT_OUT, NAMES, reason

OWN = {"ironicclient", "ironicclient.client", "ironicclient.v1.client"}
"""The modules that differ from those of this client: in the default version."""
PACKAGES = {"ironicclient.common", "ironicclient.common.apiclient", "ironicclient.v1"}
COMMANDS = {"ironicclient.osc", "ironicclient.osc.v1", "ironicclient.shell"}
"""The command line is that of this client alone."""
OTHERS = """
import importlib, sys

for name in sys.stdin.read().split():
    module, _, attributes = name.partition(":")
    found = importlib.import_module(module)
    if attributes:
        for attribute in attributes.split("."):
            found = getattr(found, attribute)
    elif found is not importlib.import_module(name.replace("ironicclient", "baremetalclient", 1)):
        print(name)
"""
DEFAULTS = """
import ironicclient
from keystoneauth1 import noauth, session

url = sys.argv[1]
session = session.Session(noauth.NoAuth())
for ironic in (
    ironicclient.client.get_client(1, endpoint=url),
    ironicclient.client.get_client("1", "none", None, endpoint=url),
    ironicclient.client.Client(1, url, session),
    ironicclient.v1.client.Client(url, session=session),
    ironicclient.client.get_client(1, endpoint=url, os_ironic_api_version="1.50"),
    ironicclient.v1.client.Client(url, session=session, os_ironic_api_version="latest"),
):
    print(ironic.node.create(driver="fake-hardware").provision_state)
"""


def run(program, *words, paths=(), given=""):
    """Run a program that may import the package."""
    path = os.pathsep.join(map(str, (*paths, sides.COMPAT)))
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        env={**os.environ, "PYTHONPATH": path},
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )


def test_all_names_are_here_and_all_modules_but_three_are_those_of_this_client():
    names = [
        name
        for name in NAMES
        if name.startswith("ironicclient") and not reason(name, LEFT_OUT) and name not in COMMANDS
    ]
    done = run(OTHERS, given="\n".join(names))
    assert done.returncode == 0, done.stderr
    assert {*done.stdout.split()} == OWN | PACKAGES


def test_the_default_version_is_that_of_python_ironicclient():
    with sides.FakeServer() as server:
        done = run(f"import sys\n{DEFAULTS}", server.url)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [*["available"] * 4, *["enroll"] * 2]


def test_nothing_is_imported_before_it_is_used():
    done = run("import sys, ironicclient; print('baremetalclient' in sys.modules)")
    assert done.stdout == "False\n", done.stderr
    done = run("import ironicclient; ironicclient.nothing")
    assert "AttributeError: module 'ironicclient' has no attribute 'nothing'" in done.stderr


def test_it_refuses_to_be_installed_beside_python_ironicclient(tmp_path):
    found = tmp_path / "python_ironicclient-6.3.0.dist-info"
    found.mkdir()
    (found / "METADATA").write_text("Metadata-Version: 2.1\nName: python-ironicclient\n")
    done = run("import ironicclient", paths=[tmp_path])
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ImportError: python-ironicclient and baremetalclient-as-ironicclient are both installed, "
        "and both have the package ironicclient: uninstall both, then install one of them again."
    )


@pytest.mark.slow("a process for each program, as in test_programs.py")
@pytest.mark.parametrize("program", sides.PROGRAMS, ids=lambda file: file.stem)
def test_a_program_sees_the_same(program, tmp_path):
    seen = sides.UNCHANGED.run_program(program, tmp_path)
    assert seen == json.loads(program.with_suffix(".json").read_text())
