"""Which node a report of an inspection is for."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.test_agent import IMAGES, NOT_FOUND

BMC = "192.0.2.1"
MACS = {"a": "52:54:00:aa:00:01", "b": "52:54:00:aa:00:02", "c": "52:54:00:aa:00:03"}
HARDWARE = {"inspect": ("agent",), "boot": ("ipxe",), "deploy": ("fake", "direct")}


@pytest.fixture
def rack():
    """Three nodes that wait for a report, two of them behind one management controller."""
    api = Api(agent="external", hardware_types=("ipmi",), interfaces=HARDWARE)
    images = dict.fromkeys(IMAGES, "http://192.0.2.1/x")
    for name, mac in MACS.items():
        address = BMC if name != "c" else "192.0.2.3"
        uuid = api.enrol(name, driver="ipmi", driver_info={**images, "ipmi_address": address})
        api("POST", "/v1/ports", {"node_uuid": uuid, "address": mac})
        api.provision("manage", "inspect", ident=name)
        assert api.state(name) == "inspect wait"
    return api


@pytest.mark.parametrize(
    ("macs", "bmc", "uuid", "found"),
    [
        ("a", None, None, "a"),
        ("b", None, None, "b"),
        ("ab", None, None, None),
        ("x", None, None, None),
        ("x", BMC, None, None),
        ("x", "192.0.2.3", None, "c"),
        ("x", "192.0.2.9", None, None),
        ("a", BMC, None, "a"),
        ("c", BMC, None, None),
        ("c", "192.0.2.3", None, "c"),
        ("a", "192.0.2.9", None, "a"),
        ("x", None, "b", "b"),
        ("b", None, "b", "b"),
        ("a", None, "b", None),
        ("x", BMC, "b", "b"),
        ("x", "192.0.2.3", "b", None),
        ("x", "192.0.2.9", "b", "b"),
    ],
)
def test_a_report_is_for_the_one_node_that_all_it_names_fits(rack, macs, bmc, uuid, found):
    names = [MACS.get(name, "52:54:00:aa:00:99") for name in macs]
    interfaces = [{"name": f"eth{n}", "mac_address": mac} for n, mac in enumerate(names)]
    inventory = {"interfaces": interfaces, **({"bmc_address": bmc} if bmc else {})}
    query = f"?node_uuid={rack.node(uuid)['uuid']}" if uuid else ""
    answer = rack("POST", f"/v1/continue_inspection{query}", {"inventory": inventory})
    if found:
        assert (answer[0], answer[1]["node"]["uuid"]) == (202, rack.node(found)["uuid"])
    else:
        assert answer == NOT_FOUND
    assert {name for name in MACS if rack.state(name) != "inspect wait"} == {*(found or ())}
