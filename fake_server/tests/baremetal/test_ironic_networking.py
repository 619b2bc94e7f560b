"""The network interface ``ironic-networking``: what it needs of ports, port groups and nodes."""

from __future__ import annotations

import pytest

from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import Api

INTERFACES = {
    **ENABLED_INTERFACES,
    "boot": ("fake", "ipxe"),
    "deploy": ("fake", "direct"),
    "inspect": ("fake", "agent"),
    "network": ("noop", "ironic-networking"),
    "rescue": ("fake", "agent"),
}
ACCESS = {"mode": "access", "native_vlan": 5}
TRUNK = {"mode": "trunk", "native_vlan": 5, "allowed_vlans": [1]}
LAG = {"mode": "access", "aggregation_mode": "lacp"}
IMAGES = ("deploy_kernel", "deploy_ramdisk", "rescue_kernel", "rescue_ramdisk")
LINK = {"switch_id": "aa:bb:cc:dd:ee:ff", "port_id": "1"}
MISSING = "Port {port} local_link_connection missing required field(s): "


class Lab:
    """A node of this network interface."""

    def __init__(self, **options):
        self.api = Api(interfaces=INTERFACES, **options)
        self.node = self.api.enrol(network_interface="ironic-networking")
        self.names = {}

    def port(self, name="port", switchport=None, **fields):
        address = f"52:54:00:00:00:{len(self.names):02x}"
        extra = {"switchport": switchport} if switchport else {}
        self._create("ports", name, {"address": address, "extra": extra, **fields})

    def group(self, lag=None):
        self._create("portgroups", "group", {"extra": {"lag": lag} if lag else {}})

    def validated(self):
        """Return whether the node can be deployed, and why it can't, with names for UUIDs."""
        found = self.api("GET", f"/v1/nodes/{self.node}/validate")[1]["network"]
        reason = found.get("reason", "")
        for name, uuid in self.names.items():
            reason = reason.replace(uuid, f"{{{name}}}")
        return found["result"], reason

    def _create(self, kind, name, body):
        status, row = self.api("POST", f"/v1/{kind}", {"node_uuid": self.node, **body})
        assert status == 201, row
        self.names[name] = row["uuid"]


@pytest.mark.parametrize(
    ("switchport", "link", "pxe", "reason"),
    [
        (None, {}, True, ""),
        (ACCESS, LINK, True, ""),
        ({"mode": "access"}, LINK, True, "Invalid switchport configuration for port {port}: "),
        (
            ACCESS,
            {},
            True,
            "Port {port} has switchport configuration but is missing local_link_connection in "
            "state: enroll.",
        ),
        (
            TRUNK,
            LINK,
            True,
            "Port {port} is PXE-enabled but has switchport mode 'trunk'. PXE-enabled ports must "
            "use 'access' mode when switchport configuration is present.",
        ),
        (TRUNK, LINK, False, ""),
        (ACCESS, {**LINK, "port_id": ""}, True, MISSING + "'port_id'"),
        (ACCESS, {"port_id": "1", "hostname": "h"}, True, MISSING + "'switch_id'"),
        (ACCESS, {"hostname": "h", "port_id": ""}, True, MISSING + "'switch_id', 'port_id'"),
    ],
)
def test_switch_ports(switchport, link, pxe, reason):
    lab = Lab()
    lab.port(switchport=switchport, local_link_connection=link, pxe_enabled=pxe)
    result, found = lab.validated()
    assert result is (not reason)
    assert found.startswith(reason) if reason.endswith(": ") else found == reason


LACKING = "Portgroup {group} has LAG configuration but: "
NO_SWITCHPORT = "member ports {names} lack switchport configuration"
NO_LINK = "member ports {names} lack proper local_link_connection with switch_id and port_id fields"


@pytest.mark.parametrize(
    ("lag", "members", "reason"),
    [
        (None, [], ""),
        (None, [(None, {})], ""),
        (LAG, [], "Portgroup {group} has LAG configuration but no member ports"),
        (LAG, [(ACCESS, LINK)], ""),
        (LAG, [(None, {})], LACKING + NO_SWITCHPORT.replace("{names}", "{port 0}")),
        (
            LAG,
            [(None, LINK), (ACCESS, LINK), (None, {})],
            LACKING + NO_SWITCHPORT.replace("{names}", "{port 0}, {port 2}"),
        ),
    ],
)
def test_aggregated_links(lag, members, reason):
    lab = Lab()
    lab.group(lag)
    for number, (switchport, link) in enumerate(members):
        fields = {"local_link_connection": link, "portgroup_uuid": lab.names["group"]}
        lab.port(f"port {number}", switchport, **fields)
    # A port outside the group plays no role.
    lab.port()
    assert lab.validated() == (not reason, reason)


def test_an_aggregated_link_that_does_not_fit_its_schema():
    lab = Lab()
    lab.group({"mode": "access"})
    result, reason = lab.validated()
    assert result is False
    start = "Invalid LAG configuration for portgroup {group}: 'aggregation_mode' is a required"
    assert reason.startswith(start)


def test_inspection_may_find_the_switch():
    lab = Lab(agent="external")
    prepare_for_agent(lab)
    lab.api.provision("manage")
    lab.port(switchport=ACCESS)
    lab.group(LAG)
    lab.port("member", ACCESS, portgroup_uuid=lab.names["group"])
    lab.api.provision("inspect")
    assert lab.api.state() == "inspect wait"
    # The group is told what ports needn't have yet.
    assert lab.validated() == (False, LACKING + NO_LINK.replace("{names}", "{member}"))


def prepare_for_agent(lab, **driver_info):
    """Have the node use an agent wherever it can."""
    for field, value in {
        "boot_interface": "ipxe",
        "deploy_interface": "direct",
        "inspect_interface": "agent",
        "rescue_interface": "agent",
        "driver_info": {**dict.fromkeys(IMAGES, "http://i"), **driver_info},
        "instance_info": {"image_source": "http://i", "image_checksum": "a" * 32},
    }.items():
        assert lab.api.patch(field, value)[0] == 200


PURPOSES = {
    "provisioning": ("provide", {"target": "active"}),
    "cleaning": (
        "",
        {"target": "clean", "clean_steps": [{"interface": "deploy", "step": "erase_devices"}]},
    ),
    "rescuing": ("provide active", {"target": "rescue", "rescue_password": "p"}),
    "inspection": ("", {"target": "inspect"}),
    "servicing": (
        "provide active",
        {"target": "service", "service_steps": [{"interface": "deploy", "step": "burnin_cpu"}]},
    ),
}


@pytest.mark.parametrize("purpose", PURPOSES)
@pytest.mark.parametrize(
    ("value", "problem"),
    [("access/native_vlan=5", None), ("access/vlan=x/y", "expected key=value, got 'y'")],
)
def test_networks_of_the_node(purpose, value, problem):
    lab = Lab(agent="simulated")
    prepare_for_agent(lab, **{f"{purpose}_network": value})
    lab.port()
    verbs, body = PURPOSES[purpose]
    lab.api.provision("manage", *verbs.split())
    assert lab.api("PUT", "/v1/nodes/n/states/provision", body) == (202, None)
    node = lab.api.node()
    if problem is None:
        assert node["last_error"] is None
        return
    assert "fail" in node["provision_state"]
    assert (
        f"Invalid {purpose} network value '{value}'. Expected: "
        "{access|trunk|hybrid}/native_vlan=VLAN_ID[/allowed_vlans=V1,V2,Vn-Vm,...]. "
        f"Error: {problem}"
    ) in node["last_error"]
