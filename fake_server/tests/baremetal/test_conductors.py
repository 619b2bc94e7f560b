"""Several conductors: which has a node, and what is refused without one."""

from __future__ import annotations

import pytest

from fake_server.baremetal.conductor_hosts import ConductorHost, parse
from fake_server.baremetal.hash_ring import HashRing
from fake_server.settings import Settings
from fake_server.tests.baremetal.api import Api

UUIDS = [
    "06a3f5be-62a9-701b-4279-530735b8cfae",
    "ba9468ff-6546-15c9-3875-5cee31ef7910",
    "cc864476-a553-dacf-015d-02db900bd913",
    "b5dc45d5-5b28-e016-ad3c-d5b741331af7",
    "06f0947b-d08f-85f7-f57a-3d732da4f065",
    "d8f0fec1-e1fd-69a1-acbf-57094b43e403",
    "1ba3500e-0234-b3d8-5dc1-464412def708",
    "ca408466-6c13-ceae-590b-969b6c818668",
    "644154ac-de08-36d2-18dc-13e4c0954361",
    "445ba93d-4cbf-8791-949a-68ae836bf80c",
    "6e4977f3-75cd-e39e-110c-aa8db75a18d2",
    "90b9c361-5215-e4b7-93e6-21c241eabb79",
    "dd4cbd0e-b57b-6802-b97c-5420002284c1",
    "eaea525f-3022-6cfc-a6d8-7ec50ba5454e",
    "7b20ec76-9eb4-9728-e619-48fc9ea3737b",
    "6186341f-a231-45da-c082-7d679e68ec53",
    "cf17c239-f1d9-8073-5033-7e8acd062f4a",
    "a71fff95-6330-8571-485d-fb82f7c22a04",
    "87dfbe54-22c7-cd05-7a90-0bc259dea302",
    "4c37b264-2c28-413c-121a-d4566e8302aa",
    "49dd9ee4-c0e7-d596-adc9-f7a5ef0efa6c",
    "ba1df34f-b113-bec9-caea-325f3c4acb00",
    "65be1375-1962-9c81-d777-c2b3b2c86d07",
    "deaadf33-bbb6-6b2d-f1a3-5d5fcf20dd29",
]
#: By hosts, which of them Ironic 39 maps each of these UUIDs to.
RECORDED = {
    ("host1", "host2"): "011110011100000100001011",
    ("host1", "host2", "host3"): "021120021200000100001011",
    tuple(f"conductor-{n}.example.org:8089" for n in range(5)): "214321212222313131231414",
}
TYPES = ("fake-hardware", "redfish", "ipmi")
NO_HOST = (
    "No valid host was found. Reason: No conductor service registered which supports driver {} for "
    'conductor group "{}". Ensure the driver is valid and enabled.'
)


def lab(*hosts):
    return Api(hardware_types=TYPES, interfaces={}, conductors=tuple(map(parse, hosts)))


@pytest.fixture
def api():
    return lab("host1:rack1", "host2:Rack1", "host3", "host4:bmc:redfish+ipmi")


@pytest.mark.parametrize("hosts", RECORDED)
def test_nodes_are_mapped_to_conductors_as_in_ironic(hosts):
    ring = HashRing(hosts)
    assert "".join(str(hosts.index(ring.host_of(uuid))) for uuid in UUIDS) == RECORDED[hosts]


def test_a_node_shows_the_conductor_of_its_group(api):
    hosts = ("host1", "host2")
    for number, uuid in enumerate(UUIDS):
        api.enrol(f"n{number}", uuid=uuid, conductor_group="rack1")
    shown = [api.node(uuid)["conductor"] for uuid in UUIDS]
    assert shown == [hosts[int(number)] for number in RECORDED[hosts]]
    _, listed = api("GET", "/v1/nodes?conductor=host2")
    assert [node["uuid"] for node in listed["nodes"]] == [
        uuid for uuid, host in zip(UUIDS, shown, strict=True) if host == "host2"
    ]


def test_a_page_of_the_nodes_of_a_conductor_may_be_shorter_than_its_limit(api):
    for number, uuid in enumerate(UUIDS[:3]):
        api.enrol(f"n{number}", uuid=uuid, conductor_group="rack1")
    _, page = api("GET", "/v1/nodes?conductor=host2&limit=2&sort_key=name")
    assert [node["name"] for node in page["nodes"]] == ["n1"]


def test_a_lock_names_the_conductor_of_the_node(api):
    api.app.control.delays.set(default=60)
    api.enrol(uuid=UUIDS[1], conductor_group="rack1")
    api.provision("manage")
    node = api.node()
    assert (node["conductor"], node["reservation"]) == ("host2", "host2")
    status, text = api.provision("abort")
    assert (status, text) == (
        409,
        f"Node {UUIDS[1]} is locked by host host2, please retry after the current operation is "
        "completed.",
    )
    api.clock.advance(61)
    api.provision("provide")
    api.clock.advance(61)
    _, history = api("GET", "/v1/nodes/n/history")
    assert {entry["conductor"] for entry in history["history"]} <= {"host2"}


def test_a_conductor_has_its_group_in_lower_case_and_its_drivers(api):
    _, shown = api("GET", "/v1/conductors/host2")
    assert (shown["conductor_group"], shown["drivers"]) == ("rack1", sorted(TYPES))
    _, shown = api("GET", "/v1/conductors/host4")
    assert (shown["conductor_group"], shown["drivers"]) == ("bmc", ["ipmi", "redfish"])


@pytest.mark.parametrize(
    ("driver", "group"), [("fake-hardware", "bmc"), ("redfish", "nowhere"), ("bogus", "")]
)
def test_a_node_that_no_conductor_is_for_is_refused(api, driver, group):
    body = {"driver": driver, "conductor_group": group}
    assert api("POST", "/v1/nodes", body) == (400, NO_HOST.format(driver, group))


def test_a_node_does_not_leave_for_a_group_without_a_conductor_for_it(api):
    api.enrol(conductor_group="rack1")
    assert api.patch("conductor_group", "BMC") == (400, NO_HOST.format("fake-hardware", "bmc"))
    assert api.patch("conductor_group", "")[0] == 200
    assert api.node()["conductor"] == "host3"


@pytest.mark.parametrize(
    ("hosts", "message"),
    [
        (["a", "a:g"], "Each conductor needs a name of its own"),
        ([":g"], "Each conductor needs a name of its own"),
        (["a:b c"], "The conductor group 'b c' has other characters"),
        (["a::idrac"], "The hardware type idrac of conductor a isn't enabled"),
    ],
)
def test_conductors_that_can_not_be_are_refused(hosts, message):
    with pytest.raises(ValueError, match=message):
        Settings(hardware_types=TYPES, conductors=tuple(map(parse, hosts))).completed()


def test_a_conductor_is_parsed():
    assert parse("a") == ConductorHost("a")
    assert parse(" a:b:redfish+ipmi") == ConductorHost("a", "b", ("redfish", "ipmi"))
    with pytest.raises(ValueError, match="is not HOST"):
        parse("a:b:c:d")
