"""Bifrost's playbooks and roles, as they are: nodes are enrolled, inspected, deployed and freed."""

# packages: ["ansible==12.3.0", "bifrost==21.1.0", "netaddr", "openstacksdk==4.7.1"]
# fake_server: {"hardware_types": ["ipmi", "redfish"], "automated_clean": true}
# own_client: true

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import requests

BINARIES = Path(sys.executable).parent
URL = os.environ["FAKE_URL"]
IMAGE = {
    "image_source": "http://192.0.2.1/image.qcow2",
    "image_checksum": "d41d8cd98f00b204e9800998ecf8427e",
    "configdrive": "http://192.0.2.1/configdrive",
}
NODES = {
    "node-1": {
        "uuid": "11111111-0000-4000-8000-000000000001",
        "driver": "ipmi",
        "driver_info": {"ipmi_address": "192.0.2.11", "ipmi_username": "ann"},
        "nics": [{"mac": "52:54:00:00:00:01"}, {"mac": "52:54:00:00:00:02"}],
        "properties": {"cpu_arch": "x86_64", "ram": "4096", "disk_size": "40", "cpus": "2"},
        "instance_info": IMAGE,
    },
    "node-2": {
        "uuid": "11111111-0000-4000-8000-000000000002",
        "driver": "redfish",
        "driver_info": {"redfish_address": "https://192.0.2.12"},
        "nics": [{"mac": "52:54:00:00:00:03"}],
        "properties": {"cpu_arch": "x86_64"},
        "instance_info": IMAGE,
    },
}
VARIABLES = {
    "ansible_become": False,
    "ansible_python_interpreter": sys.executable,
    "inspect_nodes": True,
    "inventory_dhcp": False,
    "inventory_dns": False,
    "noauth_mode": True,
    "provision_state_retry_interval": 1,
    "ssh_public_key_path": str(Path("key.pub").resolve()),
    "wait_for_node_deploy": True,
}

# The playbooks are in Bifrost's source alone.
pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
source = ("--no-deps", "--no-binary", "bifrost", "bifrost==21.1.0")
subprocess.run([*pip, "download", "-q", *source], check=True, stdout=sys.stderr)
with tarfile.open(next(Path().glob("bifrost-*.tar.gz"))) as archive:
    archive.extractall(filter="data")
playbooks = next(Path().glob("bifrost-*/playbooks")).resolve()
inventory = Path("nodes.json").resolve()
inventory.write_text(json.dumps(NODES), "utf-8")
cloud = Path("clouds.yaml").resolve()
cloud.write_text(
    json.dumps({"clouds": {"lab": {"auth_type": "none", "auth": {"endpoint": URL}}}}), "utf-8"
)
Path("key.pub").write_text("ssh-ed25519 AAAA ann\n", "utf-8")
environ = {
    **os.environ,
    "BIFROST_INVENTORY_SOURCE": str(inventory),
    "OS_CLIENT_CONFIG_FILE": str(cloud),
    "PATH": f"{BINARIES}:{os.environ['PATH']}",
}
roles = ["bifrost-cloud-config", "bifrost-unprovision-node-dynamic"]
plays = [{"hosts": "baremetal", "connection": "local", "gather_facts": False, "roles": roles}]
(playbooks / "unprovision.yaml").write_text(json.dumps(plays), "utf-8")
seen: list[Any] = []


def play(name: str) -> None:
    """Run a playbook, and note what came of its tasks and of the nodes."""
    ansible = (BINARIES / "ansible-playbook", "-i", "inventory/bifrost_inventory.py")
    done = subprocess.run(
        [*ansible, f"{name}.yaml", "-e", json.dumps(VARIABLES)],
        cwd=playbooks,
        env=environ,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    sys.stderr.write(done.stdout)
    answer = requests.get(
        f"{URL}/v1/nodes/detail?sort_key=name",
        headers={"X-OpenStack-Ironic-API-Version": "1.115"},
        timeout=60,
    )
    shown = ("provision_state", "power_state", "last_error", "properties")
    nodes = {node["name"]: {key: node[key] for key in shown} for node in answer.json()["nodes"]}
    seen.append({"playbook": name, "exit code": done.returncode, "nodes": nodes})


play("enroll-dynamic")
play("deploy-dynamic")
play("unprovision")
play("deploy-dynamic")
print(json.dumps(seen))
