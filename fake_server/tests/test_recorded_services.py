"""What the services answer to each field with each kind of value.

The answers were recorded from the fake server itself, so that no change goes unnoticed; that they
are right is for other tests. A deliberate change is written down
with ``--record -n 0``.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fake_server.tests import recorded
from fake_server.tests.compute.conftest import Cloud

RECORD = Path(__file__).with_name("services.json.gz")
_OWN = re.compile(
    r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}|fa:16:3e(:[0-9a-f]{2}){3}"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?"
    r"|\br-[0-9a-z]{8}\b|(?<=\"adminPass\": )\"[^\"]+"
)
UUID = "11111111-2222-3333-4444-555555555555"
VALUES = (None, "", "text", -1, True, ["a"], {"a": 1}, "10.1.0.0/24")
NETWORK, IRONIC = "network", "baremetal"
STEP = {"interface": "deploy", "step": "s", "args": {}, "priority": 1}
ORDERED = {"interface": "deploy", "step": "s", "args": {}, "order": 1}
# Service, path, the key of an object, and the least that creates one.
KINDS = {
    "networks": (NETWORK, "/networks", "network", {}),
    "subnets": (
        NETWORK,
        "/subnets",
        "subnet",
        {"network_id": "NETWORK", "ip_version": 4, "cidr": "10.2.0.0/24"},
    ),
    "ports": (NETWORK, "/ports", "port", {"network_id": "NETWORK"}),
    "groups": (NETWORK, "/security-groups", "security_group", {"name": "g"}),
    "rules": (
        NETWORK,
        "/security-group-rules",
        "security_group_rule",
        {"security_group_id": "GROUP", "direction": "ingress", "protocol": "tcp"},
    ),
    "volumes": ("volume", "/volumes", "volume", {"size": 1}),
    "types": ("volume", "/types", "volume_type", {"name": "t"}),
    "flavors": (
        "compute",
        "/flavors",
        "flavor",
        {"name": "f", "ram": 1, "vcpus": 1, "disk": 1},
    ),
    "servers": (
        "compute",
        "/servers",
        "server",
        {"name": "s", "flavorRef": "FLAVOR", "imageRef": UUID, "networks": "none"},
    ),
    "keys": ("compute", "/os-keypairs", "keypair", {"name": "k", "public_key": "ssh-rsa AAAA x"}),
    "nodes": (IRONIC, "/nodes", None, {"driver": "fake-hardware"}),
    "node ports": (IRONIC, "/ports", None, {"node_uuid": "NODE", "address": "52:54:00:00:00:01"}),
    "portgroups": (IRONIC, "/portgroups", None, {"node_uuid": "NODE"}),
    "chassis": (IRONIC, "/chassis", None, {}),
    "allocations": (IRONIC, "/allocations", None, {"resource_class": "r"}),
    "templates": (IRONIC, "/deploy_templates", None, {"name": "CUSTOM_A", "steps": [STEP]}),
    "runbooks": (IRONIC, "/runbooks", None, {"name": "CUSTOM_A", "steps": [ORDERED]}),
    "inspection": (
        IRONIC,
        "/inspection_rules",
        None,
        {"actions": [{"op": "fail", "args": {"msg": "m"}}], "conditions": []},
    ),
    "connectors": (
        IRONIC,
        "/volume/connectors",
        None,
        {"node_uuid": "NODE", "type": "ip", "connector_id": "c"},
    ),
    "targets": (
        IRONIC,
        "/volume/targets",
        None,
        {"node_uuid": "NODE", "volume_type": "t", "volume_id": "v", "boot_index": 0},
    ),
    "providers": ("placement", "/resource_providers", None, {"name": "p"}),
}
# Attributes that some kinds take, and don't show.
HIDDEN = {
    NETWORK: ("prefixlen", "segments", "use_default_subnetpool"),
    IRONIC: ("description", "extra", "name", "owner", "public", "traits", "uuid"),
}
DOCUMENTS = {
    NETWORK: ("", "/extensions", "/quotas", "/qos/rule-types", "/agents", "/networks", "/bogus"),
    "volume": ("", "/types", "/types/default", "/limits", "/volumes", "/bogus"),
    "compute": ("", "/flavors/detail", "/os-services", "/os-hypervisors/detail", "/limits"),
    "placement": ("", "/traits", "/resource_classes", "/resource_providers", "/usages", "/bogus"),
    "identity": ("", "/projects", "/users", "/roles", "/domains", "/services", "/endpoints"),
    "image": ("/images", "/bogus"),
    "baremetal": ("", "/drivers?detail=true", "/conductors", "/bogus"),
}


def told(status, body):
    """Return what matters of an answer, as text."""
    return f"{status} {_OWN.sub('<own>', json.dumps(body, sort_keys=True))}"


class Questions:
    """Asks about the fields of a kind, with objects that others refer to."""

    def __init__(self, kind):
        self.cloud = Cloud()
        self.service, self.path, self.key, least = KINDS[kind]
        self.least = {name: self._named(value) for name, value in least.items()}

    def answers(self):
        """Yield each question and its answer."""
        made = self._create(self.least)
        yield "POST", told(*made)
        one = self._found(made[1])
        for name in sorted({*self.least, *one, *HIDDEN.get(self.service, ())} - {"adminPass"}):
            for value in VALUES:
                status, body = self._create({**self.least, name: value})
                found = self._found(body)
                shown = found.get(name) if status < 300 else body
                yield f"POST {name} {value}", told(status, shown)
                if status < 300:
                    self._ask("DELETE", self._at(found))
                status, body = self._change(one, name, value)
                shown = self._found(body).get(name) if status < 300 else body
                yield f"PUT {name} {value}", told(status, shown)
            for query in (f"{name}=text", f"fields={name}", f"sort_key={name}"):
                if query not in ("sort_key=uuid", "sort_key=id"):  # some of them are random
                    yield f"GET ?{query}", told(*self._ask("GET", f"{self.path}?{query}"))
            # In which order those come that have the same value is random, too.
            status, body = self._ask("GET", f"{self.path}?sort_key={name}&sort_dir=desc")
            yield f"GET, sorted by {name}", told(status, body if status >= 400 else None)
        yield "GET", told(*self._ask("GET", self._at(one)))
        yield "DELETE", told(*self._ask("DELETE", self._at(one)))
        yield "DELETE again", told(*self._ask("DELETE", self._at(one)))

    def _create(self, fields):
        return self._ask("POST", self.path, self._body(fields))

    def _change(self, one, name, value):
        if self.service == IRONIC:
            patch = [{"op": "add", "path": f"/{name}", "value": value}]
            return self._ask("PATCH", self._at(one), patch)
        return self._ask("PUT", self._at(one), self._body({name: value}))

    def _ask(self, method, path, body=None):
        return self.cloud.send(self.service, method, path, body)

    def _body(self, fields):
        return fields if self.key is None else {self.key: fields}

    def _found(self, body):
        found = body.get(self.key, {}) if self.key and isinstance(body, dict) else body
        return found if isinstance(found, dict) else {}

    def _at(self, found):
        ident = found.get("uuid") or found.get("id") or found.get("name")
        return f"{self.path}/{ident}"

    def _named(self, value):
        if value == "NETWORK":
            made = self.cloud.send(NETWORK, "POST", "/networks", {"network": {}})[1]
            return made["network"]["id"]
        if value == "GROUP":
            body = {"security_group": {"name": "g"}}
            made = self.cloud.send(NETWORK, "POST", "/security-groups", body)[1]
            return made["security_group"]["id"]
        if value == "NODE":
            return self.cloud.ironic("POST", "/nodes", {"driver": "fake-hardware"})["uuid"]
        if value == "FLAVOR":
            return self.cloud.flavor()
        return value


def events(cloud):
    """Yield what the Bare Metal API says to events with each kind of value."""
    event = {"event": "network.bind_port", "port_id": UUID, "mac_address": "52:54:00:00:00:01"}
    event |= {"status": "ACTIVE", "device_id": UUID, "binding:host_id": UUID}
    event["binding:vnic_type"] = "baremetal"
    for name in event:
        for value in VALUES:
            body = {"events": [{**event, name: value}]}
            yield f"events {name} {value}", told(*cloud.send(IRONIC, "POST", "/events", body))


def documents():
    cloud = Cloud()
    yield from events(cloud)
    for service, paths in DOCUMENTS.items():
        for path in paths:
            yield f"{service} {path}", told(*cloud.send(service, "GET", path))


@pytest.mark.parametrize("kind", [*KINDS, "documents"])
def test_answers_are_as_recorded(request, kind):
    found = dict(documents() if kind == "documents" else Questions(kind).answers())
    recorded.check(request, RECORD, kind, found)


# What is asked in each version: service, versions, and requests.
PLACEMENT, NOVA = "placement", "compute"
VERSIONED = {
    PLACEMENT: (
        [f"1.{minor}" for minor in range(40)],
        (
            ("GET", "/resource_providers"),
            ("GET", f"/resource_providers/{UUID}"),
            ("GET", f"/resource_providers/{UUID}/aggregates"),
            ("GET", f"/resource_providers/{UUID}/traits"),
            ("GET", f"/resource_providers/{UUID}/inventories"),
            ("GET", f"/resource_providers/{UUID}/usages"),
            ("GET", f"/resource_providers/{UUID}/allocations"),
            ("DELETE", f"/resource_providers/{UUID}/inventories"),
            ("GET", "/resource_providers?resources=VCPU:1"),
            ("GET", "/resource_providers?required=HW_CPU_X86_AVX"),
            ("GET", "/resource_providers?required=!HW_CPU_X86_AVX"),
            ("GET", "/resource_providers?required=in:HW_CPU_X86_AVX"),
            ("GET", f"/resource_providers?member_of={UUID}"),
            ("GET", f"/resource_providers?member_of=!{UUID}"),
            ("GET", f"/resource_providers?in_tree={UUID}"),
            ("GET", "/resource_classes"),
            ("GET", "/resource_classes/VCPU"),
            ("POST", "/resource_classes"),
            ("PUT", "/resource_classes/CUSTOM_A"),
            ("DELETE", "/resource_classes/CUSTOM_UNKNOWN"),
            ("GET", "/traits?name=in:HW_CPU_X86_AVX"),
            ("GET", "/traits/HW_CPU_X86_AVX"),
            ("PUT", "/traits/CUSTOM_A"),
            ("DELETE", "/traits/CUSTOM_UNKNOWN"),
            ("GET", "/usages?project_id=p"),
            ("GET", "/allocation_candidates?resources=VCPU:1"),
            ("GET", "/allocation_candidates?resources=VCPU:1&limit=1"),
            ("GET", "/allocation_candidates?resources=VCPU:1&required=HW_CPU_X86_AVX"),
            ("GET", "/allocation_candidates?resources1=VCPU:1&group_policy=none"),
            ("GET", "/allocation_candidates?resources=VCPU:1&root_required=HW_CPU_X86_AVX"),
            ("GET", f"/allocation_candidates?resources=VCPU:1&in_tree={UUID}"),
            ("GET", f"/allocations/{UUID}"),
            ("PUT", f"/allocations/{UUID}"),
            ("POST", "/allocations"),
            ("POST", "/reshaper"),
        ),
    ),
    NOVA: (
        [f"2.{minor}" for minor in range(1, 106)],
        (
            ("GET", "/servers/detail"),
            ("GET", f"/servers/{UUID}"),
            ("GET", "/flavors/detail"),
            ("GET", "/os-services"),
            ("GET", "/os-hypervisors"),
            ("GET", "/os-hypervisors/detail"),
            ("GET", "/os-keypairs"),
            ("GET", "/limits"),
            ("GET", "/os-availability-zone"),
            ("GET", f"/servers/{UUID}/os-volume_attachments"),
            ("GET", f"/servers/{UUID}/os-interface"),
            ("POST", "/servers"),
            ("POST", "/flavors"),
        ),
    ),
}


def by_version(service):
    """Return the answers to each request, with the first version of each."""
    cloud = Cloud()
    cloud.flavor()
    versions, requests = VERSIONED[service]
    found = {}
    for method, path in requests:
        changes = found[f"{method} {path}"] = []
        for version in versions:
            body = {} if method in ("POST", "PUT") else None
            answer = told(*cloud.send(service, method, path, body, version))
            if not changes or changes[-1][1] != answer:
                changes.append([version, answer])
    return found


@pytest.mark.parametrize("service", VERSIONED)
def test_answers_change_in_the_recorded_versions(request, service):
    recorded.check(request, RECORD, f"versions of {service}", by_version(service))
