"""How Neutron sees VIFs that are bound, and what keeps them from being bound."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.test_vif_changes import (
    CLIENT,
    FIRST,
    INTERFACES,
    LINK,
    WITH_AGENT,
    attached,
    begin_inspection,
    lab,
    neutron_port,
)
from fake_server.tests.baremetal.test_vifs import Lab

__all__ = ["lab"]

OPTIONS = [{"opt_name": "61", "opt_value": "ff:00", "ip_version": 4}]
BONDED = {
    "id": "{group}",
    "name": "bond",
    "bond_mode": "802.3ad",
    "bond_properties": {"bond_miimon": 100, "bond_xmit_hash_policy": "layer3+4"},
}


def activate(lab, *verbs):
    lab.api.provision(*verbs, "manage", "provide", "active")
    assert lab.api.state() == "active"


def test_a_vif_of_an_active_node_is_bound_to_a_group(lab):
    lab.api.patch("network_interface", "neutron")
    properties = {"miimon": 100, "bond_xmit_hash_policy": "layer3+4"}
    group = lab.group(name="bond", mode="802.3ad", properties=properties)
    lab.port(portgroup_uuid=group, local_link_connection=LINK)
    second = {**LINK, "port_id": "eth2"}
    lab.port(portgroup_uuid=group, local_link_connection=second)
    activate(lab)
    vif = lab.vif()
    address = neutron_port(lab, vif)["mac_address"]
    assert lab.attach(vif) == (204, None)
    bound = neutron_port(lab, vif)
    assert bound["binding:profile"] == {
        "local_link_information": [LINK, second],
        "local_group_information": {**BONDED, "id": group},
    }
    # A group without an address leaves the VIF its own.
    assert (bound["binding:host_id"], bound["mac_address"]) == (lab.node, address)
    assert bound["extra_dhcp_opts"] == []


def test_a_vif_of_an_active_node_is_bound_to_a_port_with_its_client(lab):
    lab.api.patch("network_interface", "neutron")
    lab.port(local_link_connection=LINK, extra=CLIENT, physical_network="p")
    activate(lab)
    bound = neutron_port(lab, attached(lab))
    assert bound["binding:profile"] == {
        "local_link_information": [LINK],
        "physical_network": "p",
    }
    assert (bound["binding:host_id"], bound["mac_address"]) == (lab.node, FIRST)
    assert bound["extra_dhcp_opts"] == OPTIONS


@pytest.mark.parametrize(("extra", "options"), [({}, []), (CLIENT, OPTIONS)])
def test_dhcp_of_service_networks_knows_the_client(extra, options):
    lab = Lab(agent="external", interfaces=WITH_AGENT)
    lab.port(extra=extra)
    begin_inspection(lab)
    (found,) = lab.api("GET", "/networking/v2.0/ports")[1]["ports"]
    assert (found["mac_address"], found["extra_dhcp_opts"]) == (FIRST, options)


@pytest.mark.parametrize(
    ("strict", "physical_network", "bound"),
    [(False, "physnet1", True), (False, None, False), (True, "physnet1", True)],
)
def test_an_active_node_has_to_be_in_a_segment_of_the_network(strict, physical_network, bound):
    lab = Lab("physnet1", interfaces=INTERFACES)
    found = lab.api("GET", "/networking/v2.0/segments")[1]["segments"]
    segment = {"segment_id": found[0]["id"], "network_id": lab.network}
    body = {"subnet": {**segment, "ip_version": 4, "cidr": "10.1.0.0/24"}}
    assert lab.api("POST", "/networking/v2.0/subnets", body)[0] == 201
    lab.api.patch("driver_info/fail_on_binding_failure", strict)
    lab.port(physical_network=physical_network)
    activate(lab)
    vif = lab.vif()
    problem = (
        f"Could not add public network VIF {vif} to node {lab.node}, possible network issue. Host "
        f"{lab.node} is not connected to any segments on routed provider network '{lab.network}'.  "
        "It should be connected to one."
    )
    assert lab.attach(vif) == ((204, None) if bound else (400, problem))
    # Ironic, too, has noted the VIF by then.
    assert lab.listed() == [vif]
    assert len(neutron_port(lab, vif)["fixed_ips"]) == bound


def boot_from_volume(lab, network):
    """Have the node deploy without an agent, which switches its networks."""
    lab.api.patch("network_interface", network)
    lab.api.patch("driver_info/provisioning_network", lab.network)
    lab.api.patch("deploy_interface", "direct")
    lab.api.patch("storage_interface", "external")
    lab.api.patch("properties", {"capabilities": "iscsi_boot:true"})
    target = {"node_uuid": lab.node, "volume_type": "iscsi", "boot_index": 0, "volume_id": "v"}
    assert lab.api("POST", "/v1/volume/targets", target)[0] == 201


UNBOUND = {
    "flat": "Unable to set binding:host_id for neutron port {vif}. Error: Port {vif} could not be "
    "found.",
    "neutron": "Could not add public network VIF {vif} to node {node}, possible network issue. "
    "Port {vif} could not be found.",
}


@pytest.mark.parametrize("network", ["flat", "neutron"])
def test_a_deployment_fails_if_the_vif_is_gone(lab, network):
    boot_from_volume(lab, network)
    lab.port(local_link_connection=LINK)
    vif = attached(lab)
    assert lab.api("DELETE", f"/networking/v2.0/ports/{vif}")[0] == 204
    lab.api.provision("manage", "provide", "active")
    node = lab.api.node()
    assert node["provision_state"] == "deploy failed"
    assert node["last_error"].endswith(UNBOUND[network].format(vif=vif, node=lab.node))


@pytest.mark.parametrize(
    ("has_port", "problem"),
    [
        (False, "No ports are associated with node {node}"),
        (True, "No neutron ports or portgroups are associated with node {node}"),
    ],
)
def test_a_deployment_through_neutron_needs_ports(lab, has_port, problem):
    boot_from_volume(lab, "neutron")
    if has_port:
        lab.port(local_link_connection=LINK)
    lab.api.provision("manage", "provide", "active")
    node = lab.api.node()
    assert node["provision_state"] == "deploy failed"
    assert node["last_error"].endswith(problem.format(node=lab.node))


def test_neutron_needs_nodes_that_can_be_powered_off(lab):
    lab.api.patch("network_interface", "neutron")
    assert lab.api("GET", "/v1/nodes/n/validate")[1]["network"] == {"result": True}
    assert lab.api.patch("disable_power_off", True)[0] == 200
    assert lab.api("GET", "/v1/nodes/n/validate")[1]["network"] == {
        "result": False,
        "reason": "Nodes with disable_power_off cannot be used with the neutron network interface "
        "(disallowed in the configuration)",
    }


def test_a_network_is_named_by_a_text(lab):
    lab.api.patch("driver_info/cleaning_network", 5)
    found = lab.api("GET", "/v1/nodes/n/validate")[1]["network"]
    reason = "cleaning_network with name or UUID 5 was not found"
    assert found == {"result": False, "reason": reason}
