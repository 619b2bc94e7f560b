"""VIFs: which port or port group gets them, and what Neutron sees of that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_server.baremetal.drivers.networks.flat import FlatNetwork
from fake_server.db.store import ConflictError
from fake_server.tests.baremetal.api import LATEST, Api

NETWORKS = st.sampled_from([None, "physnet1", "physnet2"])


class Lab:
    """A node on the flat network, with its ports and VIFs."""

    def __init__(self, physical_network=None, **options):
        self.api = Api(**options)
        body = {"name": "net"}
        if physical_network is not None:
            body |= {
                "provider:network_type": "flat",
                "provider:physical_network": physical_network,
            }
        _, answer = self.api("POST", "/networking/v2.0/networks", {"network": body})
        self.network = answer["network"]["id"]
        self.node = self.api.enrol(
            network_interface="flat", driver_info={"cleaning_network": self.network}
        )
        self.count = 0

    def vif(self):
        body = {"port": {"network_id": self.network}}
        return self.api("POST", "/networking/v2.0/ports", body)[1]["port"]["id"]

    def port(self, **fields):
        self.count += 1
        address = f"52:54:00:00:00:{self.count:02x}"
        body = {"node_uuid": self.node, "address": address, **fields}
        status, port = self.api("POST", "/v1/ports", body)
        assert status == 201, port
        return port["uuid"]

    def group(self, **fields):
        status, group = self.api("POST", "/v1/portgroups", {"node_uuid": self.node, **fields})
        assert status == 201, group
        return group["uuid"]

    def attach(self, vif, version=LATEST, **wishes):
        path = f"/v1/nodes/{self.node}/vifs"
        return self.api("POST", path, {"id": vif, **wishes}, version)

    def detach(self, vif):
        return self.api("DELETE", f"/v1/nodes/n/vifs/{vif}")

    def listed(self):
        _, body = self.api("GET", "/v1/nodes/n/vifs")
        return [vif["id"] for vif in body["vifs"]]

    def holder(self, vif):
        """Return the UUID of the port or port group that has a VIF."""
        for kind in ("ports", "portgroups"):
            _, body = self.api("GET", f"/v1/{kind}/detail")
            for row in body[kind]:
                if row["internal_info"].get("tenant_vif_port_id") == vif:
                    return row["uuid"]
        return None

    def binding(self, vif):
        port = self.api("GET", f"/networking/v2.0/ports/{vif}")[1]["port"]
        return port["binding:host_id"], port["mac_address"]


@pytest.fixture
def lab():
    return Lab()


def test_a_port_can_be_named(lab):
    lab.port()
    port = lab.port(pxe_enabled=False)
    vif = lab.vif()
    assert lab.attach(vif, port_uuid=port) == (204, None)
    assert lab.holder(vif) == port
    both = {"port_uuid": port, "portgroup_uuid": port}
    assert lab.attach(lab.vif(), **both) == (
        400,
        "Cannot specify both port_uuid and portgroup_uuid",
    )
    assert lab.attach(lab.vif(), version="1.66", **both) != (
        400,
        "Cannot specify both port_uuid and portgroup_uuid",
    )


def test_a_group_can_be_named(lab):
    lab.port()
    first, second = lab.group(), lab.group()
    lab.port(portgroup_uuid=first)
    lab.port(portgroup_uuid=second)
    vif = lab.vif()
    assert lab.attach(vif, portgroup_uuid=second) == (204, None)
    assert lab.holder(vif) == second


@given(
    st.lists(st.tuples(NETWORKS, st.booleans(), st.booleans()), max_size=6),
    NETWORKS,
    st.integers(1, 7),
)
def test_no_port_ever_has_two_vifs_and_none_is_left_out(ports, network, wanted):
    lab = Lab(network)
    group = lab.group()
    in_group = []
    for physical_network, pxe_enabled, grouped in ports:
        fields = {"physical_network": physical_network, "pxe_enabled": pxe_enabled}
        if grouped and physical_network is None:
            in_group.append(lab.port(portgroup_uuid=group, **fields))
        else:
            lab.port(**fields)
    fitting = sum(
        network is None or physical_network in (None, network)
        for physical_network, _, grouped in ports
        if not (grouped and physical_network is None)
    )
    room = fitting + bool(in_group)
    statuses = [lab.attach(lab.vif())[0] for _ in range(wanted)]
    assert statuses == [204] * min(wanted, room) + [400] * max(0, wanted - room)
    assert len(set(lab.listed())) == min(wanted, room)


def test_a_direct_deployment_needs_a_vif(lab):
    lab.port()
    lab.api.patch("deploy_interface", "direct")
    lab.api.patch("storage_interface", "external")
    lab.api.patch("properties", {"capabilities": "iscsi_boot:true"})
    target = {"node_uuid": lab.node, "volume_type": "iscsi", "boot_index": 0, "volume_id": "v"}
    lab.api("POST", "/v1/volume/targets", target)
    lab.api.provision("manage", "provide", "active")
    node = lab.api.node()
    assert node["provision_state"] == "deploy failed"
    assert node["power_state"] == "power off"
    assert "Failed to bind any flat network ports" in node["last_error"]
    vif = lab.vif()
    lab.attach(vif)
    lab.api.provision("active")
    assert lab.api.state() == "active"
    assert lab.binding(vif)[0] == lab.node


def test_a_conflict_inside_a_network_interface_repeats_the_request(monkeypatch):
    lab, conflicts = Lab(), [ConflictError("another transaction was faster")]
    attach = FlatNetwork.vif_attach

    def vif_attach(self, *args):
        if conflicts:
            raise conflicts.pop()
        return attach(self, *args)

    monkeypatch.setattr(FlatNetwork, "vif_attach", vif_attach)
    lab.port()
    vif = lab.vif()
    assert lab.api("POST", "/v1/nodes/n/vifs", {"id": vif}) == (204, None)
    assert lab.api("GET", "/v1/nodes/n/vifs")[1]["vifs"] == [{"id": vif}]
    assert conflicts == []
