"""Rally's scenarios with nodes, with projects and users that its context makes."""

# packages: ["rally==5.1.1", "rally-openstack==4.1.0", "setuptools<81"]
# fake_server: {"auth": "keystone", "hardware_types": ["fake-hardware"]}

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from keystoneauth1 import identity, session

SCENARIOS = ("IronicNodes.create_and_list_node", "IronicNodes.create_and_delete_node")
ADMIN = {
    "username": os.environ["OS_USERNAME"],
    "password": os.environ["OS_PASSWORD"],
    "project_name": os.environ["OS_PROJECT_NAME"],
    "user_domain_name": "Default",
    "project_domain_name": "Default",
}


def rally(*arguments: str) -> None:
    """Run Rally's command; what it prints goes to standard error."""
    command = [Path(sys.executable).with_name("rally"), "--config-file", "rally.conf", *arguments]
    subprocess.run(command, stdout=sys.stderr, check=True)


def subtask(scenario: str) -> dict[str, Any]:
    """Return a part of a task, with two projects of two users each."""
    return {
        "title": scenario,
        "scenario": {scenario: {"driver": "fake-hardware", "properties": {"cpus": 4}}},
        "runner": {"constant": {"times": 4, "concurrency": 2}},
        "contexts": {"users": {"tenants": 2, "users_per_tenant": 2}},
    }


def left() -> dict[str, list[str]]:
    """Return the names of what Rally made and did not delete."""
    auth = identity.Password(os.environ["OS_AUTH_URL"], **ADMIN)
    cloud = session.Session(auth)
    found = {}
    for kind, service in (("projects", "identity"), ("users", "identity"), ("nodes", "baremetal")):
        path = f"/v1/{kind}" if service == "baremetal" else f"/{kind}"
        answer = cloud.get(path, endpoint_filter={"service_type": service}).json()
        names = [one["name"] or "" for one in answer[kind]]
        found[kind] = [name for name in names if "rally" in name or name.startswith("c_")]
    return found


Path("rally.conf").write_text("[database]\nconnection = sqlite:///rally.sqlite\n")
Path("cloud.json").write_text(
    json.dumps(
        {
            "existing@openstack": {
                "auth_url": os.environ["OS_AUTH_URL"],
                "region_name": os.environ["OS_REGION_NAME"],
                "endpoint_type": "public",
                "admin": ADMIN,
            }
        }
    )
)
Path("task.json").write_text(
    json.dumps({"version": 2, "title": "Nodes", "subtasks": [*map(subtask, SCENARIOS)]})
)
rally("db", "create")
rally("env", "create", "--name", "fake", "--spec", "cloud.json")
rally("task", "start", "task.json")
rally("task", "report", "--json", "--out", "report.json")
task = json.loads(Path("report.json").read_text())["tasks"][0]
seen = {}
for part in task["subtasks"]:
    [work] = part["workloads"]
    [scenario] = work["scenario"]
    errors = [one["error"] for one in work["data"]]
    seen[scenario] = {"runs": len(errors), "errors": [one for one in errors if one]}
print(json.dumps({**seen, "left": left()}))
