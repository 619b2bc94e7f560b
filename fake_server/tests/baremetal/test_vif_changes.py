"""What changes of ports and port groups mean for their VIFs, and which are free for others."""

from __future__ import annotations

import pytest

from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.test_vifs import Lab

INTERFACES = {
    **ENABLED_INTERFACES,
    "deploy": ("fake", "direct"),
    "network": ("noop", "flat", "neutron"),
}
WITH_AGENT = {**INTERFACES, "boot": ("fake", "ipxe"), "inspect": ("fake", "agent")}
CLIENT = {"client-id": "ff:00"}
FIRST, OTHER = "52:54:00:00:00:01", "52:54:00:00:00:aa"
LINK = {"switch_id": "0a:1b:2c:3d:4e:5f", "port_id": "eth1", "switch_info": "s"}


@pytest.fixture
def lab():
    return Lab(interfaces=INTERFACES)


def change(lab, kind, uuid, field, value):
    """Set a field of a port or port group; return status and the value, or the error's text."""
    patch = [{"op": "add", "path": f"/{field}", "value": value}]
    status, body = lab.api("PATCH", f"/v1/{kind}/{uuid}", patch)
    return status, body if status >= 400 else body[field]


def neutron_port(lab, vif, **changes):
    """Change a port in Neutron and return it."""
    method, body = ("PUT", {"port": changes}) if changes else ("GET", None)
    status, answer = lab.api(method, f"/networking/v2.0/ports/{vif}", body)
    assert status == 200, answer
    return answer["port"]


def attached(lab, **wishes):
    vif = lab.vif()
    assert lab.attach(vif, **wishes) == (204, None)
    return vif


def connected(lab, kind):
    """Attach a VIF to a port, or to a group with a port; return the UUID of that, and the VIF."""
    if kind == "ports":
        uuid = lab.port()
    else:
        uuid = lab.group(address=FIRST)
        lab.port(portgroup_uuid=uuid, address="52:54:00:00:00:02")
    return uuid, attached(lab)


@pytest.mark.parametrize("kind", ["ports", "portgroups"])
def test_a_vif_gets_the_new_address(lab, kind):
    uuid, vif = connected(lab, kind)
    assert neutron_port(lab, vif)["mac_address"] == FIRST
    assert change(lab, kind, uuid, "address", OTHER) == (200, OTHER)
    assert neutron_port(lab, vif)["mac_address"] == OTHER


def test_a_vif_keeps_its_address_when_its_group_has_none_anymore(lab):
    group, vif = connected(lab, "portgroups")
    assert change(lab, "portgroups", group, "address", None) == (200, None)
    assert neutron_port(lab, vif)["mac_address"] == FIRST


@pytest.mark.parametrize("kind", ["ports", "portgroups"])
def test_an_address_stays_when_the_vif_is_gone(lab, kind):
    uuid, vif = connected(lab, kind)
    assert lab.api("DELETE", f"/networking/v2.0/ports/{vif}")[0] == 204
    refusal = (400, f"Update MAC address on port: {vif} failed.")
    assert change(lab, kind, uuid, "address", OTHER) == refusal
    assert lab.api("GET", f"/v1/{kind}/{uuid}")[1]["address"] == FIRST


def test_other_changes_leave_the_vif_alone(lab):
    port, group = lab.port(), lab.group()
    vif = attached(lab)
    before = neutron_port(lab, vif)
    assert change(lab, "ports", port, "extra", {"a": 1}) == (200, {"a": 1})
    assert change(lab, "portgroups", group, "extra", {"a": 1}) == (200, {"a": 1})
    assert neutron_port(lab, vif) == before


STANDALONE = (
    "Port group {group} doesn't support standalone ports. This port {port} cannot be  a member of "
    "that port group because of: "
)


@pytest.mark.parametrize(
    ("pxe_enabled", "has_vif", "standalone", "reasons"),
    [
        (True, False, False, ["'pxe_enabled' was set to True"]),
        (False, True, False, ["VIF {vif} is attached to the port"]),
        (
            True,
            True,
            False,
            ["'pxe_enabled' was set to True", "VIF {vif} is attached to the port"],
        ),
        (False, False, False, []),
        (True, True, True, []),
    ],
)
def test_ports_that_join_a_group(lab, pxe_enabled, has_vif, standalone, reasons):
    port = lab.port(pxe_enabled=pxe_enabled)
    group = lab.group(standalone_ports_supported=standalone)
    vif = attached(lab) if has_vif else None
    status, answer = change(lab, "ports", port, "portgroup_uuid", group)
    joined = lab.api("GET", f"/v1/ports/{port}")[1]["portgroup_uuid"]
    if not reasons:
        assert (status, answer, joined) == (200, group, group)
        return
    text = (STANDALONE + ", ".join(reasons)).format(group=group, port=port, vif=vif)
    assert (status, answer, joined) == (409, text, None)


@pytest.mark.parametrize(
    ("field", "value", "status"),
    [("pxe_enabled", True, 409), ("pxe_enabled", False, 200), ("extra", {"a": 1}, 200)],
)
def test_changes_of_the_ports_of_a_group_without_standalone_ports(lab, field, value, status):
    group = lab.group(standalone_ports_supported=False)
    port = lab.port(portgroup_uuid=group, pxe_enabled=False)
    found, answer = change(lab, "ports", port, field, value)
    assert found == status
    if status == 409:
        text = STANDALONE + "'pxe_enabled' was set to True"
        assert answer == text.format(group=group, port=port)
        assert lab.api("GET", f"/v1/ports/{port}")[1][field] is False


def test_a_port_that_boots_may_stay_in_its_group(lab):
    group = lab.group()
    port = lab.port(portgroup_uuid=group, pxe_enabled=True)
    lab.api.patch("network_interface", "noop")
    assert change(lab, "portgroups", group, "standalone_ports_supported", False) == (200, False)
    lab.api.patch("network_interface", "flat")
    # Ironic doesn't look at it while port group and pxe_enabled stay, and there is no VIF.
    assert change(lab, "ports", port, "extra", {"a": 1}) == (200, {"a": 1})


def test_a_port_does_not_join_a_group_of_another_node(lab):
    port = lab.port()
    other = lab.api.enrol("other")
    group = lab.api("POST", "/v1/portgroups", {"node_uuid": other})[1]["uuid"]
    status, answer = change(lab, "ports", port, "portgroup_uuid", group)
    assert (status, answer) == (
        400,
        f"Port {port} can't become a member of a port group of another node.",
    )
    assert lab.api("GET", f"/v1/ports/{port}")[1]["portgroup_uuid"] is None


@pytest.mark.parametrize(
    ("pxe_enabled", "has_vif", "reasons"),
    [
        (True, False, ["'pxe_enabled' is set to True"]),
        (False, True, ["VIF {vif} is attached to this port"]),
        (True, True, ["'pxe_enabled' is set to True", "VIF {vif} is attached to this port"]),
        (False, False, []),
    ],
)
def test_a_group_that_ends_its_support_of_standalone_ports(lab, pxe_enabled, has_vif, reasons):
    port, group = lab.port(pxe_enabled=pxe_enabled), lab.group()
    vif = attached(lab) if has_vif else None
    assert change(lab, "ports", port, "portgroup_uuid", group) == (200, group)
    # A port outside the group plays no role.
    lab.port(pxe_enabled=True)
    field = "standalone_ports_supported"
    status, answer = change(lab, "portgroups", group, field, False)
    supported = lab.api("GET", f"/v1/portgroups/{group}")[1][field]
    if not reasons:
        assert (status, answer, supported) == (200, False, False)
        # Nothing is in the way of what is so already, or of the way back.
        assert change(lab, "portgroups", group, field, True) == (200, True)
        return
    text = (
        f"standalone_ports_supported can not be set to False, because the port group {group} "
        f"contains port with {', '.join(reasons).format(vif=vif)}"
    )
    assert (status, answer, supported) == (409, text, True)


def test_a_port_of_a_group_that_has_a_vif_leaves_the_others_to_themselves(lab):
    group = lab.group()
    taken, free = lab.port(), lab.port(portgroup_uuid=group)
    first = attached(lab, port_uuid=taken)
    assert change(lab, "ports", taken, "portgroup_uuid", group) == (200, group)
    named = lab.vif()
    assert lab.attach(named, portgroup_uuid=group) == (
        400,
        f"Unable to attach VIF {named}, not enough free physical ports.",
    )
    second = attached(lab)
    assert [lab.holder(first), lab.holder(second)] == [taken, free]
    assert lab.attach(named)[0] == 400


def test_a_group_with_ports_in_several_networks_takes_no_vif():
    lab = Lab(agent="external", interfaces=WITH_AGENT)
    group = lab.group()
    moved, _ = (lab.port(portgroup_uuid=group) for _ in range(2))
    # Requests keep the ports of a group in one network; inspection rules don't look at groups.
    wanted = {"port_id": moved, "path": "physical_network", "value": "p"}
    rule = {"conditions": [], "actions": [{"op": "set-port-attribute", "args": wanted}]}
    assert lab.api("POST", "/v1/inspection_rules", rule)[0] == 201
    inspect_with_agent(lab)
    assert lab.api("GET", f"/v1/ports/{moved}")[1]["physical_network"] == "p"
    assert lab.attach(lab.vif()) == (
        400,
        f"Port group {group} has member ports with inconsistent physical networks (None, p). All "
        "ports in a port group must have the same physical network.",
    )
    assert lab.listed() == []


def begin_inspection(lab):
    """Have the node wait for its agent in a network."""
    for name, value in {
        "boot_interface": "ipxe",
        "inspect_interface": "agent",
        "driver_info/deploy_kernel": "k",
        "driver_info/deploy_ramdisk": "r",
        "driver_info/inspection_network": lab.network,
    }.items():
        assert lab.api.patch(name, value)[0] == 200
    lab.api.provision("manage", "inspect")
    assert lab.api.state() == "inspect wait"


def inspect_with_agent(lab):
    """Inspect the node with a report that holds nothing but the address of its first port."""
    begin_inspection(lab)
    inventory = {"interfaces": [{"name": "eth0", "mac_address": FIRST}]}
    report = {"inventory": {**inventory, "cpu": {"architecture": "x86_64", "count": 4}}}
    assert lab.api("POST", "/v1/continue_inspection", report)[0] == 202
    assert lab.api.state() == "manageable"
