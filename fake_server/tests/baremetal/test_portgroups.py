"""Port groups."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api

URL = "/v1/portgroups"
MAC = "52:54:00:00:00:01"


@pytest.fixture
def api():
    api = Api()
    api.uuid = api.enrol()
    return api


def create(api, **fields):
    status, found = api("POST", URL, {"node_uuid": api.uuid, **fields})
    assert status == 201, found
    return found


def test_a_group_is_found_by_uuid_and_name(api):
    bond = create(api, name="bond0", address=MAC)
    assert (bond["mode"], bond["standalone_ports_supported"]) == ("active-backup", True)
    for ident in (bond["uuid"], "bond0"):
        assert api("GET", f"{URL}/{ident}") == (200, bond)
    assert api("GET", f"{URL}/nowhere") == (404, "Portgroup nowhere could not be found.")


@pytest.mark.parametrize(
    ("field", "since"),
    [
        ("mode", 26),
        ("properties", 26),
        ("physical_network", 102),
        ("category", 103),
        ("dynamic_portgroup", 111),
    ],
)
def test_a_field_is_shown_from_its_version_on_but_always_in_lists(api, field, since):
    path = f"{URL}/{create(api)['uuid']}"
    before = f"1.{since - 1}"
    assert field not in api("GET", path, version=before)[1]
    assert field in api("GET", path, version=f"1.{since}")[1]
    assert field in api("GET", f"{URL}/detail", version=before)[1]["portgroups"][0]


def test_the_ports_follow_the_network_of_their_group(api):
    bond = create(api)["uuid"]
    port = {"node_uuid": api.uuid, "address": MAC, "portgroup_uuid": bond}
    uuid = api("POST", "/v1/ports", port)[1]["uuid"]
    patch = [{"op": "replace", "path": "/physical_network", "value": "net1"}]
    assert api("PATCH", f"{URL}/{bond}", patch)[1]["physical_network"] == "net1"
    assert api("GET", f"/v1/ports/{uuid}")[1]["physical_network"] == "net1"
    twice = [{**patch[0], "value": "net2"}, {**patch[0], "value": "net3"}]
    assert api("PATCH", f"{URL}/{bond}", twice)[1]["physical_network"] == "net2"
    assert api("GET", f"/v1/ports/{uuid}")[1]["physical_network"] == "net2"


def test_addresses_are_unique(api):
    create(api, name="bond0", address=MAC)
    body = {"node_uuid": api.uuid}
    message = f"A portgroup with MAC address {MAC} already exists."
    assert api("POST", URL, {**body, "address": MAC}) == (409, message)
