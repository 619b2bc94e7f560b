"""Who may do what: operations by role and by what the network is, as Neutron answers them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from fake_server.tests.networking.cloud import USERS, Cloud
from tools.rows import some

#: What a network of the members' project is.
STATES = {"private": {}, "shared": {"shared": True}, "external": {"router:external": True}}
RECORD = Path(__file__).with_name("policies_of_neutron.txt")
LINE = re.compile(r"(\d[\d ]+\d)   ([A-Z]+) (\S+)(?: (.*))?")


def cases():
    """Yield method, path and body of each operation, a state, and the statuses for each role."""
    for line in RECORD.read_text("utf-8").splitlines()[2:]:
        statuses, method, path, body = LINE.fullmatch(line).groups()
        body = yaml.safe_load(body) if body else None
        for state, expected in zip(STATES, statuses.split("   "), strict=True):
            yield method, path, body, state, [int(status) for status in expected.split()]


@pytest.fixture(scope="module")
def cloud():
    cloud = Cloud()
    for role in USERS:
        quota = {"network": -1, "subnet": -1, "port": -1}
        cloud("admin", "PUT", f"/quotas/{cloud.project(role)}", {"quota": quota})
    return cloud


def test_who_may_do_what(cloud):
    problems = []
    for method, path, body, state, expected in some(list(cases())):
        found = []
        for role in USERS:
            things = Things(cloud, STATES[state])
            asked = things.filled(path), things.filled(body)
            found.append(cloud(role, method, *asked)[0])
        if found != expected:
            problems.append(f"{method} {path} {body} of a {state} network: {found}")
    assert problems == []


def test_ports_of_servers_are_deleted_by_the_token_of_a_service(cloud):
    things = Things(cloud, {})
    network = things.filled("NETWORK")
    owner = {"device_id": "s1", "device_owner": "compute:nova"}
    port = cloud.make(
        "admin", "port", network_id=network, project_id=cloud.project("member"), **owner
    )
    path = f"/ports/{port['id']}"
    assert cloud("member", "DELETE", path)[0] == 403
    assert cloud("member", "DELETE", path, HTTP_X_SERVICE_TOKEN=cloud.token("member"))[0] == 403
    assert cloud("other", "DELETE", path, HTTP_X_SERVICE_TOKEN=cloud.token("service"))[0] == 404
    assert cloud("member", "DELETE", path, HTTP_X_SERVICE_TOKEN=cloud.token("service"))[0] == 204


def test_bindings_are_changed_by_administrators(cloud):
    """Neutron publishes no policy of it: its default one makes it fail for all others."""
    things = Things(cloud, {})
    port = things.ident("SERVER")
    cloud("admin", "PUT", f"/ports/{port}", {"port": {"binding:host_id": "h"}})
    body = {"binding": {"profile": {"a": 1}}}
    found = [cloud(role, "PUT", f"/ports/{port}/bindings/h", body)[0] for role in USERS]
    assert found == [200, 403, 404, 404, 404]


class Things:
    """What operations name, made when it is first named."""

    def __init__(self, cloud, attributes):
        self.cloud = cloud
        self.attributes = attributes
        self.made = {}

    def filled(self, value):
        """Return a value with ids instead of names."""
        if isinstance(value, dict):
            return {name: self.filled(one) for name, one in value.items()}
        if isinstance(value, str):
            for name in ("NETWORK", "SUBNET", "SERVER", "PORT", "TRUNK"):
                if name in value:
                    self.ident("NETWORK")
                    value = value.replace(name, self.ident(name))
        return value

    def ident(self, name):
        """Return the id of something."""
        if name not in self.made:
            self.made[name] = self.make(name)["id"]
        return self.made[name]

    def make(self, name):
        project = {"project_id": self.cloud.project("member")}
        if name == "NETWORK":
            network = self.cloud.make("admin", "network", **project, **self.attributes)
            subnet = {"cidr": "10.0.0.0/24", "ip_version": 4, **project}
            made = self.cloud.make("admin", "subnet", network_id=network["id"], **subnet)
            self.made["SUBNET"] = made["id"]
            return network
        if name == "TRUNK":
            return self.cloud.make("admin", "trunk", port_id=self.ident("PORT"), **project)
        owner = {"device_owner": "compute:nova"} if name == "SERVER" else {}
        network = self.ident("NETWORK")
        return self.cloud.make("admin", "port", network_id=network, **project, **owner)
