"""Who may do what: operations by role and by what the network is, as Neutron answers them."""

from __future__ import annotations

import pytest

from fake_server.tests.networking.cloud import USERS, Cloud

#: What a network of the members' project is.
STATES = {"private": {}, "shared": {"shared": True}, "external": {"router:external": True}}
SUBNET = {"network_id": "NETWORK", "cidr": "10.1.0.0/24", "ip_version": 4}
PORT = {"network_id": "NETWORK"}
#: Method, path and body by the name of an operation.
OPERATIONS = {
    "show network": ("GET", "/networks/NETWORK", None),
    "rename network": ("PUT", "/networks/NETWORK", {"network": {"name": "x"}}),
    "share network": ("PUT", "/networks/NETWORK", {"network": {"shared": True}}),
    "open network": ("PUT", "/networks/NETWORK", {"network": {"router:external": True}}),
    "delete network": ("DELETE", "/networks/NETWORK", None),
    "tag network": ("PUT", "/networks/NETWORK/tags/x", None),
    "read tags": ("GET", "/networks/NETWORK/tags", None),
    "create network": ("POST", "/networks", {"network": {}}),
    "create shared network": ("POST", "/networks", {"network": {"shared": True}}),
    "create typed network": (
        "POST",
        "/networks",
        {"network": {"provider:network_type": "local"}},
    ),
    "show subnet": ("GET", "/subnets/SUBNET", None),
    "rename subnet": ("PUT", "/subnets/SUBNET", {"subnet": {"name": "x"}}),
    "create subnet": ("POST", "/subnets", {"subnet": SUBNET}),
    "delete subnet": ("DELETE", "/subnets/SUBNET", None),
    "show port": ("GET", "/ports/PORT", None),
    "rename port": ("PUT", "/ports/PORT", {"port": {"name": "x"}}),
    "use port": ("PUT", "/ports/PORT", {"port": {"device_id": "x"}}),
    "readdress port": ("PUT", "/ports/PORT", {"port": {"mac_address": "52:54:00:00:00:01"}}),
    "move port": ("PUT", "/ports/PORT", {"port": {"fixed_ips": [{"ip_address": "10.0.0.9"}]}}),
    "bind port": ("PUT", "/ports/PORT", {"port": {"binding:host_id": "h"}}),
    "plug port": ("PUT", "/ports/PORT", {"port": {"binding:profile": {"a": 1}}}),
    "delete port": ("DELETE", "/ports/PORT", None),
    "delete port of server": ("DELETE", "/ports/SERVER", None),
    "create port": ("POST", "/ports", {"port": PORT}),
    "create port with address": (
        "POST",
        "/ports",
        {"port": {**PORT, "fixed_ips": [{"ip_address": "10.0.0.9"}]}},
    ),
    "create port with MAC": (
        "POST",
        "/ports",
        {"port": {**PORT, "mac_address": "52:54:00:00:00:01"}},
    ),
    "create bound port": ("POST", "/ports", {"port": {**PORT, "binding:host_id": "h"}}),
    "create port of network": ("POST", "/ports", {"port": {**PORT, "device_owner": "network:x"}}),
    "create trunk": ("POST", "/trunks", {"trunk": {"port_id": "PORT"}}),
    "show trunk": ("GET", "/trunks/TRUNK", None),
    "delete trunk": ("DELETE", "/trunks/TRUNK", None),
    "list agents": ("GET", "/agents", None),
}

#: What a real Neutron answered: the statuses for each state, in it for each role, in this order:
#: administrator, service, member, reader, member of another project.
ANSWERS = """
show network              200 200 200 200 404   200 200 200 200 200   200 200 200 200 200
rename network            200 403 200 403 404   200 403 200 403 403   200 403 200 403 403
share network             200 403 403 403 404   200 403 403 403 403   200 403 403 403 403
open network              200 403 403 403 404   200 403 403 403 403   200 403 403 403 403
delete network            204 403 204 403 404   204 403 204 403 403   204 403 204 403 403
tag network               201 403 201 403 403   201 403 201 403 403   201 403 201 403 403
read tags                 200 403 200 200 403   200 200 200 200 200   200 403 200 200 403
create network            201 403 201 403 201   201 403 201 403 201   201 403 201 403 201
create shared network     201 403 403 403 403   201 403 403 403 403   201 403 403 403 403
create typed network      201 403 403 403 403   201 403 403 403 403   201 403 403 403 403
show subnet               200 200 200 200 404   200 200 200 200 200   200 200 200 200 200
rename subnet             200 403 200 403 404   200 403 200 403 403   200 403 200 403 403
create subnet             201 403 201 403 403   201 403 201 403 403   201 403 201 403 403
delete subnet             204 403 204 403 404   204 403 204 403 403   204 403 204 403 403
show port                 200 200 200 200 404   200 200 200 200 404   200 200 200 200 404
rename port               200 200 200 403 404   200 200 200 403 404   200 200 200 403 404
use port                  200 200 200 403 404   200 200 200 403 404   200 200 200 403 404
readdress port            200 200 403 403 404   200 200 403 403 404   200 200 403 403 404
move port                 200 200 200 403 404   200 200 200 403 404   200 200 200 403 404
bind port                 200 200 403 403 404   200 200 403 403 404   200 200 403 403 404
plug port                 403 200 403 403 404   403 200 403 403 404   403 200 403 403 404
delete port               204 204 204 403 404   204 204 204 403 404   204 204 204 403 404
delete port of server     204 204 403 403 404   204 204 403 403 404   204 204 403 403 404
create port               201 201 201 403 404   201 201 201 201 201   201 201 201 403 403
create port with address  201 201 201 403 404   201 201 201 403 403   201 201 201 403 403
create port with MAC      201 201 201 403 404   201 201 201 403 403   201 201 201 403 403
create bound port         201 201 403 403 404   201 201 403 403 403   201 201 403 403 403
create port of network    201 201 201 403 404   201 201 201 403 403   201 201 201 403 403
create trunk              201 403 201 403 404   201 403 201 403 404   201 403 201 403 404
show trunk                200 404 200 200 404   200 404 200 200 404   200 404 200 200 404
delete trunk              204 404 204 403 404   204 404 204 403 404   204 404 204 403 404
list agents               200 200 200 200 200   200 200 200 200 200   200 200 200 200 200
"""

CASES = [
    (line[:26].strip(), state, [int(status) for status in statuses.split()])
    for line in ANSWERS.strip().splitlines()
    for state, statuses in zip(STATES, line[26:].split("   "), strict=True)
]


@pytest.fixture(scope="module")
def cloud():
    cloud = Cloud()
    for role in USERS:
        quota = {"network": -1, "subnet": -1, "port": -1}
        cloud("admin", "PUT", f"/quotas/{cloud.project(role)}", {"quota": quota})
    return cloud


@pytest.mark.parametrize(
    ("operation", "state", "expected"), CASES, ids=[f"{case[0]}, {case[1]}" for case in CASES]
)
def test_who_may_do_what(cloud, operation, state, expected):
    assert [status_of(cloud, operation, state, role) for role in USERS] == expected


def status_of(cloud, operation, state, role):
    """Return the status of an operation on things of the members' project."""
    method, path, body = OPERATIONS[operation]
    things = Things(cloud, STATES[state])
    path, body = things.filled(path), things.filled(body)
    return cloud(role, method, path, body)[0]


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
