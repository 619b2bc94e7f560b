"""Kayobe's playbooks for bare metal, as they are.

Nodes get their names, are registered, and have their serial consoles enabled and disabled. The
playbooks install OpenStackClient and python-ironicclient themselves. The others need roles that are
not on PyPI.
"""

# packages: ["kayobe==18.6.0", "virtualenv"]
# fake_server: {"auth": "keystone", "hardware_types": ["ipmi"]}
# own_client: true

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import requests

ENVIRONMENT = Path(sys.prefix)
PLAYBOOKS = ENVIRONMENT / "share/kayobe/ansible"
HERE = Path.cwd()
URL = os.environ["FAKE_URL"]
SHOWN = ("provision_state", "resource_class", "driver_info", "properties", "console_enabled")
NODES = [f"node-{number}" for number in range(1, 4)]
#: An inspection has found this one before.
SEED = {
    "nodes": [
        {
            "name": "found",
            "owner": "admin",
            "driver_info": {"ipmi_address": "192.0.2.13", "ipmi_username": "ann"},
            "provision_state": "manageable",
        }
    ]
}


def node(number: int) -> dict[str, Any]:
    """Return the variables of a node in the inventory."""
    address = f"192.0.2.1{number}"
    return {
        "ipmi_address": address,
        "ironic_driver": "ipmi",
        "ironic_driver_info": {"ipmi_address": address, "ipmi_username": "ann"},
        "ironic_properties": {"capabilities": "boot_mode:uefi"},
        "ironic_resource_class": "gold",
    }


#: Those of its OpenStack, 2025.1. Later commands write other keys in JSON than it reads.
CONSTRAINTS = """
cliff==4.9.1
python-ironicclient==5.10.1
python-openstackclient==7.4.0
"""
INVENTORY = {
    "controllers": {"hosts": {"controller": {"ansible_connection": "local"}}},
    "baremetal-compute": {"hosts": {name: node(int(name[-1])) for name in NODES}},
}
VARIABLES = {
    "ansible_become": False,
    "ansible_python_interpreter": sys.executable,
    "virtualenv_path": str(HERE / "venvs"),
    "kayobe_config_path": str(HERE),
    "pip_upper_constraints_file": str(HERE / "constraints.txt"),
    "openstack_interface": "public",
}
seen: list[Any] = []


def play(name: str, **variables: Any) -> None:
    """Run a playbook, and note what came of it and of the nodes."""
    ansible = (
        ENVIRONMENT / "bin/ansible-playbook",
        "-i",
        PLAYBOOKS / "inventory",
        "-i",
        "nodes.json",
    )
    done = subprocess.run(
        [*ansible, "-e", json.dumps({**VARIABLES, **variables}), PLAYBOOKS / f"{name}.yml"],
        env={
            **os.environ,
            "ANSIBLE_HOME": str(HERE / "home"),
            "ANSIBLE_ROLES_PATH": str(PLAYBOOKS / "roles"),
            "ANSIBLE_FILTER_PLUGINS": str(PLAYBOOKS / "filter_plugins"),
            "ANSIBLE_LOOKUP_PLUGINS": str(PLAYBOOKS / "lookup_plugins"),
            "PATH": f"{ENVIRONMENT / 'bin'}:{os.environ['PATH']}",
        },
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    sys.stderr.write(done.stdout)
    nodes = {}
    for one in ("found", *NODES):
        answer = requests.get(f"{URL}/_fake/nodes/{one}", timeout=60)
        if answer.ok:
            nodes[one] = {key: answer.json()["node"][key] for key in SHOWN}
    seen.append({"playbook": name, **variables, "exit code": done.returncode, "nodes": nodes})


requests.post(f"{URL}/_fake/seed", json=SEED, timeout=60).raise_for_status()
Path("constraints.txt").write_text(CONSTRAINTS, "utf-8")
Path("nodes.json").write_text(json.dumps(INVENTORY), "utf-8")
play("baremetal-compute-rename")
play("baremetal-compute-register")
play("baremetal-compute-serial-console", cmd="enable")
play("baremetal-compute-serial-console", cmd="disable")
print(json.dumps(seen))
