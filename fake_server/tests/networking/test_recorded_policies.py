"""Who may do what with things of one project in the network of another, over the wire.

Recorded from the fake server, so that no change goes unnoticed. A deliberate change is written
down with ``--record -n 0``.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fake_server.identity.accounts import Account
from fake_server.identity.roles import identify
from fake_server.tests import recorded
from fake_server.tests.compute.conftest import Cloud

RECORD = Path(__file__).with_name("policies.json.gz")
OURS, THEIRS = (identify("project", name) for name in ("ours", "theirs"))
ACCOUNTS = (
    Account("admin", projects={"admin": ["admin"]}),
    Account("service", projects={"service": ["service"]}),
    *(
        Account(f"{project}-{role}", projects={project: [role]})
        for project in ("ours", "theirs")
        for role in ("manager", "member", "reader")
    ),
)
#: Networks of our project: what they are.
NETWORKS = {
    "private": {},
    "shared": {"shared": True},
    "external": {"router:external": True},
}
MAC = "52:54:00:00:00:01"
PORT_VALUES = (
    *({"name": "x"}, {"device_id": "x"}, {"device_owner": "network:x"}, {"device_owner": "x"}),
    *({"mac_address": MAC}, {"fixed_ips": []}, {"fixed_ips": [{"subnet_id": "SUBNET"}]}),
    *({"fixed_ips": [{"ip_address": "10.1.0.99"}]}, {"port_security_enabled": False}),
    *({"binding:host_id": "h"}, {"binding:profile": {"a": "b"}}, {"binding:vnic_type": "direct"}),
    {"allowed_address_pairs": [{"ip_address": "10.1.0.98"}]},
    {"fixed_ips": [{"subnet_id": "SUBNET", "ip_address": "10.1.0.97"}]},
    {"device_id": "x", "mac_address": MAC, "binding:profile": {}},
)
SUBNET_VALUES = ({"name": "x"}, {"segment_id": None}, {"segment_id": "SEGMENT"})
NETWORK_VALUES = (
    *({}, {"name": "x"}, {"shared": True}, {"router:external": True}, {"segments": []}),
    *({f"provider:{name}": None} for name in ("network_type", "physical_network")),
    *({"provider:segmentation_id": None}, {"port_security_enabled": False}),
    {"segments": [{"provider:network_type": "vlan"}]},
    {"segments": [{"provider:physical_network": "p", "provider:segmentation_id": 5}]},
)
TAGGED = ("networks/NETWORK", "subnets/SUBNET", "subnets/MIXED", "ports/PORT", "ports/GUEST")


def requests(network):
    """Yield what is asked: method, path, body."""
    for path in (*TAGGED, "ports/MACHINE", "security-groups/GROUP", "security-group-rules/RULE"):
        yield "GET", path, None
    for values in PORT_VALUES:
        for name in ("PORT", "GUEST", "MACHINE"):
            yield "PUT", f"ports/{name}", {"port": values}
        yield "POST", "ports", {"port": {"network_id": "NETWORK", **values}}
    yield "POST", "ports", {"port": {"network_id": "NETWORK", "project_id": THEIRS}}
    yield "POST", "ports", {"port": {"network_id": "NETWORK", "tags": ["x"]}}
    for values in SUBNET_VALUES:
        for name in ("SUBNET", "MIXED"):
            yield "PUT", f"subnets/{name}", {"subnet": values}
        body = {"network_id": "NETWORK", "ip_version": 4, "cidr": "10.7.0.0/24", **values}
        yield "POST", "subnets", {"subnet": body}
    for path in TAGGED:
        yield "GET", f"{path}/tags", None
        yield "PUT", f"{path}/tags/x", None
        yield "DELETE", f"{path}/tags", None
    for name in ("PORT", "GUEST", "MACHINE"):
        yield "DELETE", f"ports/{name}", None
    for name in ("SUBNET", "MIXED"):
        yield "DELETE", f"subnets/{name}", None
    if network == "private":
        yield from others()
    yield "DELETE", "networks/NETWORK", None


def others():
    """Yield what is asked about things that are in no network, and about whole networks."""
    for values in NETWORK_VALUES:
        yield "POST", "networks", {"network": values}
        yield "PUT", "networks/NETWORK", {"network": values}
    for path in ("trunks/TRUNK", "security-groups/GROUP"):
        yield "PUT", f"{path}/tags/x", None
        yield "GET", f"{path}/tags", None
        yield "DELETE", f"{path}/tags", None
    ports = {"sub_ports": [{"port_id": "GUEST", "segmentation_type": "vlan", "segmentation_id": 5}]}
    yield "GET", "trunks/TRUNK", None
    yield "GET", "trunks/TRUNK/get_subports", None
    yield "PUT", "trunks/TRUNK/add_subports", ports
    yield "PUT", "trunks/TRUNK/remove_subports", ports
    yield "PUT", "trunks/TRUNK", {"trunk": {"name": "x"}}
    yield "DELETE", "trunks/TRUNK", None
    yield "POST", "trunks", {"trunk": {"port_id": "PORT", "tags": ["x"]}}
    yield "POST", "security-groups", {"security_group": {"name": "x"}}
    yield "PUT", "security-groups/GROUP", {"security_group": {"name": "x"}}
    rule = {"security_group_id": "GROUP", "direction": "ingress"}
    yield "POST", "security-group-rules", {"security_group_rule": rule}
    yield "PUT", "security-group-rules/RULE", {"security_group_rule": {"description": "x"}}
    yield "DELETE", "security-group-rules/RULE", None
    yield "DELETE", "security-groups/GROUP", None
    for project in (OURS, THEIRS):
        yield "GET", f"quotas/{project}", None
        yield "PUT", f"quotas/{project}", {"quota": {"port": 5}}
        yield "DELETE", f"quotas/{project}", None
    segment = {"network_id": "NETWORK", "network_type": "vlan", "physical_network": "p"}
    yield "GET", "segments", None
    yield "GET", "segments/SEGMENT", None
    yield "POST", "segments", {"segment": segment}
    yield "PUT", "segments/SEGMENT", {"segment": {"name": "x"}}
    yield "DELETE", "segments/SEGMENT", None
    yield "GET", "agents", None
    yield "GET", "agents/x", None
    yield "PUT", "agents/x", {"agent": {"description": "x"}}
    yield "DELETE", "agents/x", None
    yield "POST", "agents", {"agent": {}}


class Mixed:
    """A cloud with a network of our project, in which others have something, too."""

    def __init__(self, network):
        self.cloud = Cloud(auth="keystone", accounts=ACCOUNTS)
        self.ids = {}
        self.tokens = {}
        for account in ACCOUNTS:
            (project,) = account.projects
            self.cloud.log_in(account.name, project)
            self.tokens[account.name] = self.cloud.token
        self._make("NETWORK", "networks", name="n", project_id=OURS, **NETWORKS[network])
        subnet = {"network_id": "NETWORK", "ip_version": 4}
        self._make("SUBNET", "subnets", **subnet, cidr="10.1.0.0/24", project_id=OURS)
        self._make("MIXED", "subnets", **subnet, cidr="10.3.0.0/24", project_id=THEIRS)
        port = {"network_id": "NETWORK", "fixed_ips": []}
        self._make("PORT", "ports", **port, project_id=OURS)
        self._make("GUEST", "ports", **port, project_id=THEIRS)
        self._make("MACHINE", "ports", **port, project_id=THEIRS, device_owner="compute:nova")
        self._make("GROUP", "security-groups", name="g", project_id=OURS)
        group = {"security_group_id": "GROUP", "direction": "egress", "ethertype": "IPv6"}
        self._make("RULE", "security-group-rules", **group, protocol="tcp", project_id=THEIRS)
        self._make("CARRIER", "ports", **port, project_id=OURS)
        self._make("TRUNK", "trunks", port_id="CARRIER", project_id=OURS)
        _, found = self.ask("admin", "GET", f"segments?network_id={self.ids['NETWORK']}")
        self.ids["SEGMENT"] = found["segments"][0]["id"]
        self.cloud.app.control.snapshots.take("mixed")

    def ask(self, account, method, path, body=None):
        self.cloud.token = self.tokens[account]
        text = json.dumps([path, body])
        for name, ident in self.ids.items():
            text = text.replace(f"/{name}", f"/{ident}").replace(f'"{name}"', f'"{ident}"')
        path, body = json.loads(text)
        return self.cloud.send("network", method, f"/{path}", body)

    def told(self, account, method, path, body):
        """Return what an account is answered: whether it may, what it sees, or why not."""
        status, answer = self.ask(account, method, path, body)
        if status < 300 and method == "GET":
            (found,) = answer.values()
            return f"{status} {sorted(found) if isinstance(found, dict) else len(found)}"
        if status < 300:
            if method in ("DELETE", "POST") or body:
                self.cloud.app.control.snapshots.restore("mixed")
            return str(status)
        text = json.dumps(answer, sort_keys=True)
        for name, ident in self.ids.items():
            text = text.replace(ident, f"<{name}>")
        return f"{status} {recorded.masked(text)}"

    def _make(self, called, kind, **values):
        one = kind.removesuffix("s").replace("-", "_")
        status, answer = self.ask("admin", "POST", kind, {one: values})
        assert status == 201, answer
        self.ids[called] = answer[one]["id"]


@pytest.mark.parametrize("network", NETWORKS)
def test_policies_allow_what_is_recorded(request, network):
    mixed, found = Mixed(network), {}
    for method, path, body in requests(network):
        for account in mixed.tokens:
            told = mixed.told(account, method, path, body)
            # Those who are answered alike are told of together.
            asked = found.setdefault(f"{method} {path} {body or ''}", {})
            asked.setdefault(told, []).append(account)
    recorded.check(request, RECORD, network, found)
