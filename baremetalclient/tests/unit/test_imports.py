"""What the library may load, and when: time is a budget, and modules are what it is spent on."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "requests",
    "urllib3",
    "keystoneauth1",
    "openstack",
    "osc_lib",
    "cliff",
    "stevedore",
    "yaml",
)


MODULES = (
    "client",
    "exc",
    "_resource.schema",
    "common.apiclient.exceptions",
    "common.http",
    "common.utils",
    "microversion",
    "v1.client",
    "v1.node",
    "v1.volume_connector",
)


def test_importing_loads_nothing_heavy():
    modules = ", ".join(f"baremetalclient.{name}" for name in MODULES)
    code = f"import sys, {modules}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert loaded.isdisjoint(HEAVY)


def test_the_package_alone_loads_no_module_of_its_own():
    code = "import sys, baremetalclient; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not [name for name in done.stdout.split() if name.startswith("baremetalclient.")]


def test_a_client_without_authentication_loads_no_plugins():
    code = (
        "import sys, baremetalclient.client as c; c.get_client(1, endpoint='http://localhost:1');"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert loaded.isdisjoint({"openstack", "osc_lib", "cliff", "stevedore", "yaml"})
