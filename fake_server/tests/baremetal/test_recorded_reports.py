"""What an inspection makes of a report, and a deployment of networks that a node names.

Recorded from the fake server, so that no change goes unnoticed; that it is right is for other
tests.
"""

from __future__ import annotations

from fake_server.tests.baremetal.facts import by_fact, facts
from fake_server.tests.baremetal.test_agent import MAC, started
from fake_server.tests.baremetal.test_deploy_interfaces import lab

OTHER = "52:54:00:aa:00:02"
ETH0, ETH1 = {"name": "eth0", "mac_address": MAC}, {"name": "eth1", "mac_address": OTHER.upper()}
DASHED = OTHER.replace(":", "-")
REPORTS = {
    "one interface": {"interfaces": [ETH0]},
    "two": {"interfaces": [ETH0, ETH1]},
    "booted from the second": {"interfaces": [ETH0, ETH1], "boot": {"pxe_interface": OTHER}},
    "as PXELINUX has it": {"interfaces": [ETH0, ETH1], "boot": {"pxe_interface": f"01-{DASHED}"}},
    "without its hardware type": {"interfaces": [ETH0, ETH1], "boot": {"pxe_interface": DASHED}},
    "booted from another": {"interfaces": [ETH0], "boot": {"pxe_interface": "52:54:00:ff:ff:ff"}},
    "no boot": {"interfaces": [ETH0, ETH1], "boot": None},
    "none": {"interfaces": []},
    "wrong ones": {"interfaces": [{"name": "", "mac_address": MAC}, {"mac_address": "x"}]},
    "loopback": {
        "interfaces": [
            {**ETH0, "ipv4_address": "127.0.0.1"},
            {**ETH1, "ipv6_address": "::1"},
            {"name": "lo", "mac_address": "52:54:00:aa:00:03"},
        ]
    },
    "with addresses": {
        "interfaces": [
            {**ETH0, "ipv4_address": "192.0.2.1", "client_id": "c"},
            {**ETH1, "ipv6_address": "fe80::1%eth1", "client_id": "ff:01"},
        ]
    },
    "a processor": {"interfaces": [ETH0], "cpu": {"architecture": "aarch64", "count": 4}},
    "no architecture": {"interfaces": [ETH0], "cpu": {"count": 4}, "memory": {"physical_mb": 9}},
}


def test_reports_are_taken_as_recorded(recorded):
    recorded(by_fact({name: facts(outcome(name)) for name in REPORTS}))


def outcome(name):
    """Return what becomes of a report."""
    api = started("external")
    api.provision("inspect")
    status, _ = api("POST", "/v1/continue_inspection", {"inventory": REPORTS[name], "x": 1})
    node = api.node()
    ports = api("GET", "/v1/ports?fields=address,pxe_enabled,extra")[1]["ports"]
    data = api("GET", "/v1/nodes/n/inventory")[1]
    return {
        "status": status,
        "state": node["provision_state"],
        "error": (node["last_error"] or "").replace(node["uuid"], "UUID"),
        "properties": node["properties"],
        "ports": [f"{port['address']} {port['pxe_enabled']} {port['extra']}" for port in ports],
        "data": data["plugin_data"] if isinstance(data, dict) else data.replace(node["uuid"], ""),
    }


NETWORKS = (
    *("access/native_vlan=5", " access /native_vlan=5", "trunk/native_vlan=5/allowed_vlans=1,2-3"),
    *("hybrid/native_vlan=5", "bogus/native_vlan=5", "/native_vlan=5", "access", "access/", ""),
    *("access/native_vlan=x", "access/native_vlan", "access/other=x", "access/native_vlan="),
)


def test_networks_of_a_node_are_read_as_recorded(recorded):
    found = {}
    for value in NETWORKS:
        api = lab(automated_clean=True)
        api.enrol(network_interface="ironic-networking", deploy_interface="direct")
        api.provision("manage")
        api.patch("driver_info/cleaning_network", value)
        api.provision("provide")
        node = api.node()
        error = (node["last_error"] or "").replace(node["uuid"], "UUID")
        found[value] = [node["provision_state"], error]
    recorded(by_fact(found))
