"""Ansible's collection openstack.cloud: the roles with which it tests its modules, as they are.

The roles are in the collection's repository alone. ``OPENSTACK_CLOUD_COLLECTION`` names a checkout
of it; without it, git clones one. ``OPENSTACK_CLOUD_ROLES`` names the roles to run instead of all,
separated by blanks.

Each role finds a fresh cloud with what devstack has, and nodes for its servers. As the collection's
own script does it in a cloud without Octavia, tasks for load balancers are skipped. The role
``keypair`` makes a key in ``~/.ssh`` and removes it.
"""

# packages: ["ansible==12.3.0", "openstacksdk==4.7.1", "python-openstackclient==9.0.1"]
# fake_server: {"auth": "keystone", "hardware_types": ["fake-hardware", "ipmi"]}
# own_client: true
# only_named: true

from __future__ import annotations

import json
import os
import pwd
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import openstack
import requests

ORIGIN = "https://opendev.org/openstack/ansible-collections-openstack"
COMMIT = "382a43c4613a5306bfa0db0fcd9e63fb713034ad"
URL = os.environ["FAKE_URL"]
BINARIES = Path(sys.executable).parent
ADMIN, ALT, REGION = "admin", "alt_demo", "RegionOne"
#: The cloud for the roles of bare metal, whose nodes belong to no project.
SYSTEM = "devstack-system-admin"
SEED = {
    "projects": [{"name": ALT}],
    "users": [{"name": ALT, "password": "secret", "projects": {ALT: ["member"]}}],
    "networks": [
        {
            "name": "public",
            "router:external": True,
            "subnets": [{"cidr": "172.24.4.0/24", "enable_dhcp": False}],
        },
        {
            "name": "private",
            "project_id": ADMIN,
            "subnets": [{"name": "private-subnet", "cidr": "10.0.0.0/26"}],
        },
    ],
    "routers": [
        {
            "name": "router1",
            "project_id": ADMIN,
            "external_gateway_info": {"network_id": "public"},
            "interfaces": ["private-subnet"],
        }
    ],
    "images": [{"name": "cirros-0.6.3-x86_64-disk", "disk_format": "qcow2"}],
    "flavors": [
        {
            "name": "m1.tiny",
            "ram": 512,
            "vcpus": 1,
            "disk": 1,
            "extra_specs": {"resources:CUSTOM_GOLD": "1"},
        }
    ],
    "nodes": [
        {
            "name": "node-{index}",
            "count": 4,
            "driver": "fake-hardware",
            "provision_state": "available",
            "resource_class": "gold",
            "network_interface": "flat",
            "deploy_interface": "direct",
            "storage_interface": "cinder",
            "properties": {"capabilities": "iscsi_boot:true"},
            "volume_connectors": [
                {"type": "iqn", "connector_id": "iqn.2026-11.com.example:{index}"}
            ],
            "ports": [{"address": f"52:54:0{number}:{{index:mac}}"} for number in range(3)],
        }
    ],
}
MASKS = {
    re.escape(URL): "URL",
    r"\b[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}\b": "ID",
}


def cloud(name: str, **scope: str) -> dict[str, Any]:
    """Return a cloud of ``clouds.yaml``."""
    user = {"username": name, "password": "secret", "user_domain_id": "default"}
    return {"auth": {"auth_url": f"{URL}/identity/v3", **user, **scope}, "region_name": REGION}


def project(name: str) -> dict[str, str]:
    """Return the scope of a project."""
    return {"project_name": name, "project_domain_id": "default"}


def control(path: str, body: Any = None) -> None:
    """Send a request to the controls of the fake server."""
    requests.post(f"{URL}/_fake/{path}", json=body or {}, timeout=60).raise_for_status()


def checkout() -> Path:
    """Return a checkout of the collection where Ansible finds it."""
    place = Path("ansible_collections/openstack/cloud").absolute()
    place.parent.mkdir(parents=True)
    if given := os.environ.get("OPENSTACK_CLOUD_COLLECTION"):
        place.symlink_to(given)
    else:
        subprocess.run(["git", "clone", "-q", ORIGIN, place], check=True)
        subprocess.run(["git", "checkout", "-q", COMMIT], cwd=place, check=True)
    return place


def came_of(role: str) -> Any:
    """Run a role, and return how many tasks were done, or where it stopped."""
    playbook = COLLECTION / "ci/run-collection.yml"
    if f"role: {role}," not in playbook.read_text("utf-8"):
        playbook = Path("play.json")
        plays = [{"hosts": "localhost", "roles": [{"role": role, "tags": role}]}]
        playbook.write_text(json.dumps(plays), "utf-8")
    variables = {**VARIABLES, "cloud": SYSTEM} if role.startswith("baremetal_") else VARIABLES
    tags = ["--tags", role, "--skip-tags", "loadbalancer"]
    done = subprocess.run(
        [BINARIES / "ansible-playbook", *tags, "-e", json.dumps(variables), playbook],
        env=ENVIRON,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    text = done.stdout[done.stdout.index("{") :]
    tasks = [task for play in json.loads(text)["plays"] for task in play["tasks"]]
    if not done.returncode:
        return f"passes: {len(tasks)} tasks"
    results = [(task["task"]["name"], task["hosts"]["localhost"]) for task in tasks]
    *_, (name, result) = (one for one in results if one[1].get("failed"))
    reason = result.get("assertion") or result["msg"]
    return {"stops at": name.removeprefix(f"{role} : "), "tasks": len(tasks), "reason": reason}


COLLECTION = checkout()
ROLES = COLLECTION / "ci/roles"
CLOUDS = {
    "devstack-admin": cloud(ADMIN, **project(ADMIN)),
    "devstack-alt": cloud(ALT, **project(ALT)),
    SYSTEM: cloud(ADMIN, system_scope="all"),
}
Path("clouds.yaml").write_text(json.dumps({"clouds": CLOUDS}), "utf-8")
VARIABLES = {
    "ansible_connection": "local",
    # Devstack has its compute service on the host of the tests.
    "ansible_hostname": "localhost-ironic",
    "ansible_python_interpreter": sys.executable,
    "cloud": "devstack-admin",
    "cloud_alt": "devstack-alt",
    "sdk_version": openstack.version.__version__,
}
USER = pwd.getpwuid(os.getuid())
ENVIRON = {
    **{name: value for name, value in os.environ.items() if not name.startswith("OS_")},
    "ANSIBLE_COLLECTIONS_PATH": str(Path.cwd()),
    "ANSIBLE_HOME": str(Path("home").absolute()),
    "ANSIBLE_LOCALHOST_WARNING": "false",
    "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
    "ANSIBLE_ROLES_PATH": str(ROLES),
    "ANSIBLE_STDOUT_CALLBACK": "ansible.posix.json",
    "HOME": USER.pw_dir,
    "OS_CLIENT_CONFIG_FILE": str(Path("clouds.yaml").absolute()),
    "PATH": f"{BINARIES}:{os.environ['PATH']}",
    "USER": USER.pw_name,
}
control("seed", SEED)
with openstack.connect("devstack-admin", load_envvars=False, config_files=["clouds.yaml"]) as admin:
    admin.identity.create_group(name="nonadmins")
    admin.identity.create_role(name="anotherrole")
control("snapshots", {"id": "devstack"})
seen: dict[str, Any] = {}
named = os.environ.get("OPENSTACK_CLOUD_ROLES", "").split()
for role in named or sorted(path.name for path in ROLES.iterdir()):
    if role == "loadbalancer":
        continue
    control("snapshots/devstack/restore")
    seen[role] = came_of(role)
    print(role, seen[role], file=sys.stderr, flush=True)
found = json.dumps(seen)
for pattern, word in MASKS.items():
    found = re.sub(pattern, word, found)
print(found)
