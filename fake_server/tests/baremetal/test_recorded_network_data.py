"""Which values ``network_data`` may have at each place.

Recorded from the fake server; the same documents were accepted and refused by Ironic's own schema.
"""

from __future__ import annotations

from collections import defaultdict
from copy import deepcopy

import pytest

from fake_server.baremetal.api.node_schema import NETWORK_DATA
from fake_server.tests.baremetal.api import Api

pytestmark = pytest.mark.rows

MAC = "52:54:00:00:00:01"
LINKS = (
    {"id": "a", "type": "phy", "ethernet_mac_address": MAC, "mtu": 1500, "vif_id": "v"},
    {
        "id": "b",
        "type": "bond",
        "ethernet_mac_address": MAC,
        "bond_mode": "802.3ad",
        "bond_links": ["a"],
    },
    {"id": "c", "type": "vlan", "vlan_mac_address": MAC, "vlan_id": 5, "vlan_link": "b"},
)
NETWORKS = (
    {
        "id": "n",
        "type": "ipv4",
        "link": "a",
        "network_id": "x",
        "ip_address": "10.0.0.5",
        "netmask": "255.255.255.0",
        "routes": [
            {
                "network": "10.1.0.0",
                "netmask": "255.255.0.0",
                "gateway": "10.0.0.1",
                "services": [{"type": "dns", "address": "10.0.0.2"}],
            }
        ],
    },
    {
        "id": "m",
        "type": "ipv6",
        "link": "a",
        "network_id": "x",
        "ip_address": "2001:db8::5/64",
        "netmask": "ffff:ffff::",
        "routes": [
            {
                "network": "2001:db8::",
                "netmask": "ffff::",
                "gateway": "fe80::1",
                "services": [{"type": "dns", "address": "2001:db8::2"}],
            }
        ],
    },
)
SERVICES = [{"type": "dns", "address": "10.0.0.2"}]
DOCUMENTS = {
    **{f"link {one['type']}": {"links": [one]} for one in LINKS},
    **{f"network {one['type']}": {"networks": [one]} for one in NETWORKS},
    "service": {"services": SERVICES},
}
EMPTY = {"links": [], "networks": [], "services": []}
VALUES = (
    *(None, 1, 0, -1, 65535, 65536, 1.5, True, [], {}, ["a"], [1]),
    *("", "text", "bridge", "dvs", "hw_veb", "hyperv", "ovs", "tap", "vhostuser", "vif", "phy"),
    *("bond", "vlan", "dns", "ipv4", "ipv4_dhcp", "ipv6", "ipv6_dhcp", "ipv6_slaac", "ipv7"),
    *("802.3ad", "balance-rr", "active-backup", "balance-xor", "broadcast", "balance-tlb"),
    *("balance-alb", "52-54-00-00-00-AA", "52:54:00:00:00", "52:54:00:00:00:0g"),
    *("10.0.0.1", "010.0.0.1", "256.0.0.1", "199.249.250.255", "10.0.0", "10.0.0.0/24"),
    *("255.255.255.0", "255.255.254.0", "255.192.0.0", "128.0.0.0", "255.255.255.252"),
    *("255.253.0.0", "::", "::1", "fe80::1", "fe80::1%eth0", "2001:db8::1/64", "2001:db8::/164"),
    *("::ffff:10.0.0.1", "::ffff:0:10.0.0.1", "2001:db8::10.0.0.1", "1:2:3:4:5:6:7:8"),
    *("1:2:3:4:5:6:7:8:9", "1::3:4:5:6:7:8", "1:2::8", "1:2:3:4:5:6:7::", "1::5:6:7:8"),
    *("1:2:3::7:8", "1:2:3:4::8", "g::1", ":::", "ffff:ffff:ffff:ffff::"),
)


def places(document, path=()):
    """Yield the path of each value in a document, that of the document itself left out."""
    items = enumerate(document) if isinstance(document, list) else document.items()
    for key, value in items:
        yield (*path, key)
        if isinstance(value, list | dict):
            yield from places(value, (*path, key))


def variants(document):
    """Yield each place, each other value for it or that it is absent, and such a document."""
    for path in places(document):
        for value in ("absent", *VALUES):
            other = deepcopy(document)
            inner = other
            for key in path[:-1]:
                inner = inner[key]
            if value == "absent":
                del inner[path[-1]]
            else:
                inner[path[-1]] = value
            yield ".".join(map(str, path)), value, other


def told(values):
    texts = [value for value in VALUES if isinstance(value, str)]
    anything = all(text in values for text in texts)
    shown = ["any text"] if anything else []
    return " ".join(shown + [str(value) for value in values if not (anything and value in texts)])


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_documents_are_taken_as_recorded(kind, recorded):
    api = Api()
    api.enrol(network_interface="noop")
    whole = {**EMPTY, **DOCUMENTS[kind]}
    assert api.patch("network_data", whole)[0] == 200
    status, text = api.patch("network_data", {**whole, "links": 5})
    assert (status, text[:22]) == (400, "Invalid network_data: ")
    taken = defaultdict(list)
    for place, value, document in variants(whole):
        # The check by itself: a request for each document takes a hundred times as long.
        if NETWORK_DATA.best(document) is None:
            taken[place].append(value)
    recorded({place: told(values) for place, values in taken.items()})
