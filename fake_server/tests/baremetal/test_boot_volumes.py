"""Volumes of Cinder that nodes boot from, as deployments attach and detach them."""

from __future__ import annotations

import json

import pytest

from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import Api

INTERFACES = {
    **ENABLED_INTERFACES,
    "boot": ("fake", "ipxe"),
    "deploy": ("fake", "direct"),
    "storage": ("noop", "cinder", "external"),
}
IQN = ("iqn", "iqn.2010-10.org.openstack:a")


class Lab:
    """A node that may boot from a volume, and the volume."""

    def __init__(
        self, storage="cinder", capabilities="iscsi_boot:true", agent="none", volume_type=None
    ):
        self.api = Api(interfaces=INTERFACES, agent=agent)
        self.node = self.api.enrol(
            deploy_interface="direct",
            storage_interface=storage,
            properties={"capabilities": capabilities},
        )
        self.volume = self.create(volume_type)

    def create(self, volume_type=None):
        """Create a volume and return it."""
        body = {"volume": {"size": 1, "volume_type": volume_type}}
        return self._made("/volume/v3/volumes", body)["volume"]

    def connect(self, *connectors):
        for kind, ident in connectors:
            body = {"node_uuid": self.node, "type": kind, "connector_id": ident}
            self._made("/v1/volume/connectors", body)

    def boot_from(self, volume_id, index=0):
        body = {"node_uuid": self.node, "volume_type": "iscsi", "boot_index": index}
        self._made("/v1/volume/targets", {**body, "volume_id": volume_id})

    def target(self):
        return self.api("GET", "/v1/volume/targets?detail=true")[1]["targets"][0]

    def shown(self):
        path = f"/volume/v3/volumes/{self.volume['id']}"
        return self.api("GET", path)[1]["volume"]

    def deploy(self):
        """Deploy the node; return its state and error."""
        self.api.provision("manage", "provide", "active")
        return self.look()

    def look(self):
        node = self.api.node()
        return node["provision_state"], node["last_error"]

    def _made(self, path, body):
        status, answer = self.api("POST", path, body)
        assert status in (200, 201, 202), answer
        return answer


@pytest.mark.parametrize(
    ("connectors", "multipath"),
    [
        ([IQN], False),
        ([IQN, ("ip", "192.0.2.1")], True),
        # What Cinder can't use is counted only.
        ([("mac", "52:54:00:00:00:01"), IQN], True),
    ],
)
def test_a_volume_is_attached_while_the_node_is_deployed(connectors, multipath):
    lab = Lab()
    lab.connect(*connectors)
    lab.boot_from(lab.volume["id"])
    assert lab.deploy() == ("active", None)
    shown = lab.shown()
    assert (shown["status"], [one["server_id"] for one in shown["attachments"]]) == (
        "in-use",
        [lab.node],
    )
    note = json.loads(shown["metadata"][f"ironic_node_{lab.node}"])
    assert (note["instance_uuid"], note["last_action"]) == (lab.node, "attached")
    properties = lab.target()["properties"]
    assert properties["ironic_volume_uuid"] == lab.volume["id"]
    assert ("target_iqns" in properties) is multipath
    lab.api.provision("deleted")
    assert lab.look() == ("available", None)
    assert lab.shown()["status"] == "available"


def test_adoption_reads_capabilities_that_are_no_text():
    lab = Lab("external", ["iscsi_boot"])
    lab.boot_from("v")
    lab.api.provision("manage", "adopt")
    state, error = lab.look()
    assert (state, error) == (
        "adopt failed",
        f"Error while attempting to adopt node {lab.node}: Value of 'capabilities' must be string. "
        "Got <class 'list'>.",
    )
