"""``openstack baremetal`` in an environment in which python-ironicclient is installed too."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from fake_server.server import FakeServer


@pytest.fixture(scope="module")
def both(request):
    directory = request.config.getoption("--both")
    if directory is None:
        pytest.skip("needs --both")
    return Path(directory)


@pytest.fixture(params=["baremetalclient", "python_ironicclient"])
def openstack(request, both, tmp_path):
    """``openstack``, which finds the plugin of one of the packages first."""
    [found] = both.glob(f"lib/python*/site-packages/{request.param}-*.dist-info")
    (tmp_path / found.name).symlink_to(found)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OS_")}

    def run(*words):
        env = {**kept, "PYTHONPATH": str(tmp_path), "OS_AUTH_TYPE": "none", "OS_ENDPOINT": url}
        return subprocess.run(
            [both / "bin" / "openstack", *words], capture_output=True, text=True, env=env
        )

    with FakeServer() as server:
        url = server.url
        yield run


def test_the_commands_are_ours_and_one_warning_says_so(openstack):
    created = openstack("baremetal", "node", "create", "--driver", "fake-hardware", "-f", "json")
    assert created.returncode == 0, created.stderr
    shown = json.loads(created.stdout)
    assert "owner" in shown
    listed = openstack("baremetal", "node", "list", "--trait", "CUSTOM_GOLD", "-f", "json")
    assert (listed.returncode, listed.stdout.strip()) == (0, "[]")
    for done, notes in ((created, []), (listed, ["No nodes match traits=CUSTOM_GOLD."])):
        line, *others = done.stderr.splitlines()
        assert others == notes
        assert "baremetalclient is used" in line
        assert "pip uninstall python-ironicclient" in line


def test_the_version_can_be_chosen(openstack):
    version = ("--os-baremetal-api-version", "1.30")
    created = openstack(
        *version, "baremetal", "node", "create", "--driver", "fake-hardware", "-f", "json"
    )
    assert created.returncode == 0, created.stderr
    assert "traits" not in json.loads(created.stdout)


def test_help_and_commands_of_others_have_no_warning(openstack):
    for words in (["help", "baremetal", "node", "list"], ["module", "list"]):
        done = openstack(*words)
        assert (done.returncode, done.stderr) == (0, "")
