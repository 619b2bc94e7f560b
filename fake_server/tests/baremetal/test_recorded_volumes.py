"""How nodes with volumes of each kind are validated, deployed, powered and torn down.

Recorded from the fake server, so that no change goes unnoticed.
"""

from __future__ import annotations

import json
import re
from itertools import product

import pytest

from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.facts import by_fact, changes, facts, line

pytestmark = pytest.mark.rows

IQN, SECOND, IP = ("iqn", "iqn.1"), ("iqn", "iqn.2"), ("ip", "192.0.2.1")
WWPN, WWNN, MAC = ("wwpn", "p"), ("wwnn", "n"), ("mac", "52:54:00:00:00:01")
CONNECTORS = {
    "none": (),
    "one name": (IQN,),
    "a name and an address": (IQN, IP),
    "an address": (IP,),
    "a card": (MAC,),
    "a channel": (WWPN, WWNN),
    "half a channel": (WWPN,),
    "two channels": (WWPN, WWNN, ("wwpn", "q"), ("wwnn", "m")),
    "all": (IQN, IP, WWPN, WWNN),
}
CAPABILITIES = (
    *("", "iscsi_boot:true", "fibre_channel_boot:true", "iscsi_boot:x"),
    "iscsi_boot:true,fibre_channel_boot:1",
)
KINDS = ("iscsi", "fibre_channel", "x")
STATUSES = ("available", "in-use", "error")
SHOWN = ("provision_state", "power_state", "last_error")
_OWN = re.compile(r"(?<=auth_username': ')[^']+")


class Lab:
    """A node that is available, and volumes."""

    def __init__(self, storage="cinder", boot="ipxe", **fields):
        interfaces = {
            **ENABLED_INTERFACES,
            "boot": ("fake", "ipxe", "pxe"),
            "deploy": ("fake", "direct"),
            "storage": ("noop", "cinder", "external"),
        }
        self.api = Api(interfaces=interfaces, agent="simulated")
        images = dict.fromkeys(("deploy_kernel", "deploy_ramdisk"), "http://192.0.2.1/x")
        options = {"boot_interface": boot, "storage_interface": storage, **fields}
        options["driver_info"] = images
        self.uuid = self.api.enrol(deploy_interface="direct", **options)
        port = {"node_uuid": self.uuid, "address": "52:54:00:00:00:01"}
        assert self.api("POST", "/v1/ports", port)[0] == 201
        self.names = {self.uuid: "NODE"}
        self.volumes = [self._volume(None), self._volume("fibre-channel")]
        self.api.provision("manage", "provide")
        self.api.keep()

    def connect(self, connectors):
        """Give the node connectors."""
        for kind, ident in connectors:
            body = {"node_uuid": self.uuid, "type": kind, "connector_id": ident}
            assert self.api("POST", "/v1/volume/connectors", body)[0] == 201

    def target(self, volume, index=0, kind="iscsi"):
        """Give the node a target."""
        body = {"node_uuid": self.uuid, "volume_type": kind, "boot_index": index}
        status, made = self.api("POST", "/v1/volume/targets", {**body, "volume_id": volume})
        assert status == 201, made
        self.names[made["uuid"]] = f"TARGET {index}"

    def outcome(self, *verbs):
        """Return what becomes of the node and its volumes."""
        status, said = self.api("GET", "/v1/nodes/n/validate")
        reasons = {kind: said[kind].get("reason") for kind in ("storage", "deploy", "boot")}
        found = [str(status), *facts(reasons, "invalid")]
        for verb in verbs:
            if verb.startswith("power"):
                answer = self.api("PUT", "/v1/nodes/n/states/power", {"target": verb})
            else:
                answer = self.api.provision(verb)
            node = self.api.node()
            now = {name: node[name] for name in SHOWN if node[name]}
            found += line(verb, [f"{answer[0]} {answer[1] or ''}".rstrip(), *changes({}, now)])
            targets = self.api("GET", "/v1/volume/targets?detail=true")[1]["targets"]
            shown = [f"{one['volume_id']} has {len(one['properties'])}" for one in targets]
            if verb == verbs[0]:
                found += [f"{verb}: {one}" for one in shown]
            found += [f"{verb}: {self.names[one]} {self._shown(one)}" for one in self.volumes]
        self.api.go_back()
        text = "\n".join(found)
        for ident, name in self.names.items():
            text = text.replace(ident, name)
        return _OWN.sub("-", text).splitlines()

    def _volume(self, kind):
        body = {"volume": {"size": 1, "volume_type": kind}}
        status, made = self.api("POST", "/volume/v3/volumes", body)
        assert status == 202, made
        self.names[made["volume"]["id"]] = f"{kind or 'ISCSI'}"
        return made["volume"]["id"]

    def _shown(self, ident):
        status, answer = self.api("GET", f"/volume/v3/volumes/{ident}")
        if status != 200:
            return status
        volume = answer["volume"]
        attached = [
            [one["server_id"], one["device"], one["host_name"]] for one in volume["attachments"]
        ]
        flags = ("readonly", "attached_mode")
        kept = [text for name, text in volume["metadata"].items() if name not in flags]
        noted = [json.loads(text)["last_action"] for text in kept]
        return [volume["status"], attached, noted]


@pytest.mark.parametrize(("storage", "boot"), [("cinder", "ipxe"), ("external", "pxe")])
def test_connectors_do_as_recorded(recorded, storage, boot):
    lab = Lab(storage, boot, properties={"capabilities": CAPABILITIES[4]})
    found = {}
    for name, kind in product(CONNECTORS, (None, *KINDS)):
        lab.connect(CONNECTORS[name])
        if kind:
            lab.target(lab.volumes[kind == "fibre_channel"], kind=kind)
        found[f"{name}, {kind}"] = lab.outcome("active")
    recorded(by_fact(found))


def test_capabilities_do_as_recorded(recorded):
    found = {}
    for capabilities in CAPABILITIES:
        lab = Lab(properties={"capabilities": capabilities})
        for kind, index in product(KINDS, (0, 1)):
            lab.connect(CONNECTORS["all"])
            lab.target(lab.volumes[0], index, kind)
            found[f"{capabilities or 'none'} {kind} {index}"] = lab.outcome("active")
    recorded(by_fact(found))


@pytest.mark.parametrize("status", STATUSES)
def test_volumes_are_attached_as_recorded(recorded, status):
    lab = Lab(properties={"capabilities": "iscsi_boot:true"})
    found = {}
    for known in (1, 2):
        lab.connect(CONNECTORS["one name"])
        for index in range(known):
            lab.target(lab.volumes[0] if index == 0 else "gone", index)
        path = f"/volume/v3/volumes/{lab.volumes[0]}/action"
        assert lab.api("POST", path, {"os-reset_status": {"status": status}})[0] in (202, 400)
        verbs = ("active", "power off", "power on", "rebuild", "deleted")
        found[f"{known} targets"] = lab.outcome(*verbs)
    recorded(by_fact(found))


def test_a_node_without_an_instance_of_its_own_has_volumes_as_recorded(recorded):
    found = {}
    for fields in ({}, {"instance_uuid": "33333333-3333-4333-8333-333333333333"}):
        lab = Lab(properties={"capabilities": "iscsi_boot:true"}, **fields)
        lab.connect(CONNECTORS["one name"])
        lab.target(lab.volumes[0])
        lab.target(lab.volumes[0], 1)
        found[str(fields)] = lab.outcome("active", "deleted")
    recorded(by_fact(found))
