"""Suites of other projects: their time passes when they wait, whatever a transition takes.

The Go program of the tutorial is run as all pages are.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv

import pytest

from fake_server.identity.roles import identify

pytestmark = pytest.mark.night("makes an environment with the tests of other projects")

NEEDED = ["openstacksdk", "oslotest", "fixtures", "testtools", "requests-mock", "pytest"]
FLAVOR = {"name": "m1.small", "ram": 64, "vcpus": 1, "disk": 1}
IMAGE = {"name": "cirros-disk", "disk_format": "qcow2", "visibility": "public"}
NODE = {
    "name": "node-1",
    "owner": identify("project", "admin"),
    "network_interface": "flat",
    "resource_class": "baremetal",
    "provision_state": "available",
    "properties": {"cpu_arch": "x86_64", "local_gb": 100, "memory_mb": 1024},
    "ports": [{"address": "52:54:00:00:00:01"}],
}
LAB = {"name": "lab", "subnets": [{"cidr": "192.0.2.0/24"}]}
#: The clouds of openstacksdk's tests, and how long one may take in real time.
CLOUDS = {
    "OPENSTACKSDK_SYSTEM_ADMIN_CLOUD": "fake-system",
    "OPENSTACKSDK_OPERATOR_CLOUD": "fake-system",
    "OPENSTACKSDK_DEMO_CLOUD": "fake-project-member",
    "OPENSTACKSDK_DEMO_CLOUD_ALT": "fake-other-member",
    "OS_CLOUD": "fake-system",
    "OS_TEST_TIMEOUT": "120",
}
#: Ironic 39 ignores the node in a list of allocations if the whole system is asked.
LEFT_OUT = "not test_allocation_list"
#: Their own pauses between two polls would be the rest of the real time.
WITHOUT_PAUSES = "import time\ntime.sleep = lambda seconds: None\n"


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The directory of the programs of an environment with the projects."""
    directory = tmp_path_factory.mktemp("venv")
    venv.create(directory, with_pip=True)
    command = [directory / "bin" / "python", "-m", "pip", "install", "-q", *NEEDED, "metalsmith"]
    subprocess.run(command, check=True)
    return directory / "bin"


@pytest.fixture
def against(tmp_path):
    """Return a function that runs commands against a server whose transitions take ten minutes."""

    def run(seed, script, *options):
        (tmp_path / "lab.yaml").write_text(json.dumps(seed))
        (tmp_path / "script").write_text(script)
        (tmp_path / "sitecustomize.py").write_text(WITHOUT_PAUSES)
        variables = {**os.environ, "PYTHONPATH": str(tmp_path)}
        command = [sys.executable, "-m", "fake_server.cli", "exec", "--auth", "keystone", *options]
        command += ["--seed", "lab.yaml", "--clock", "auto", "--delay", "10m", "--", "sh", "script"]
        done = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=False, env=variables
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_functional_tests_of_openstacksdk(programs, against):
    exports = "".join(f"export {name}={value}\n" for name, value in CLOUDS.items())
    pytest_of_theirs = f"{programs}/python -m pytest -q -p no:cacheprovider --pyargs"
    # A client that tries a change again waits for nothing that the clock could jump to.
    control = f"{sys.executable} -m fake_server.cli ctl delays set 'virtual media=0'"
    theirs = f"openstack.tests.functional.baremetal -k '{LEFT_OUT}'"
    script = f"{control}\n{exports}{pytest_of_theirs} {theirs}\n"
    printed = against({"flavors": [FLAVOR], "images": [IMAGE]}, script)
    assert " failed" not in printed


def test_metalsmith_deploys(programs, against):
    image = "--image http://192.0.2.9/image.qcow2 --image-checksum 900150983cd24fb0d6963f7d28e17f72"
    words = f"--resource-class baremetal {image} --network lab --hostname host-1 --wait 3600"
    script = f"""set -e
    {programs}/metalsmith deploy {words}
    {programs}/metalsmith -f value -c State -c 'IP Addresses' show host-1
    {programs}/metalsmith undeploy host-1 --wait 3600
    """
    printed = against({"nodes": [NODE], "networks": [LAB]}, script, "--account", "admin")
    assert "ACTIVE lab=192.0.2.2" in printed
