"""Ports and port groups."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api

MAC = "52:54:00:00:00:01"


@pytest.fixture
def api():
    api = Api()
    api.uuid = api.enrol()
    return api


def create(api, address=MAC, **fields):
    status, port = api("POST", "/v1/ports", {"node_uuid": api.uuid, "address": address, **fields})
    assert status == 201, port
    return port


def group(api, **fields):
    status, found = api("POST", "/v1/portgroups", {"node_uuid": api.uuid, **fields})
    assert status == 201, found
    return found["uuid"]


def test_a_port_is_found_by_uuid_name_and_number(api):
    port = create(api, "52:54:00:AA:BB:CC", name="eth0")
    assert port["address"] == "52:54:00:aa:bb:cc"
    assert port["pxe_enabled"] is True
    for ident in (port["uuid"], "eth0", "1"):
        assert api("GET", f"/v1/ports/{ident}") == (200, port)
    assert api("GET", "/v1/ports/nowhere") == (404, "Port nowhere could not be found.")
    for digits in (9, 10, 30):
        assert api("GET", f"/v1/ports/{'9' * digits}")[0] == 404


def test_the_node_may_be_named_from_1_94_on(api):
    body = {"node_ident": "n", "address": MAC}
    assert api("POST", "/v1/ports", body, "1.93") == (406, "Request not acceptable.")
    assert api("POST", "/v1/ports", body, "1.94")[1]["node_uuid"] == api.uuid
    body = {"node_ident": "nowhere", "address": "52:54:00:00:00:02"}
    assert api("POST", "/v1/ports", body) == (400, "Node None could not be found.")


def test_ovn_links_are_shown_while_they_were_known(api):
    link = {"port_id": "1", "vtep-logical-switch": "l", "vtep-physical-switch": "p"}
    body = {"node_uuid": api.uuid, "address": MAC, "local_link_connection": link}
    assert api("POST", "/v1/ports", body, "1.105")[0] == 406
    path = f"/v1/ports/{api('POST', '/v1/ports', body, '1.104')[1]['uuid']}"
    for version, shown in (("1.89", {}), ("1.90", link), ("1.105", {})):
        assert api("GET", path, version=version)[1]["local_link_connection"] == shown


def test_ports_join_groups_of_their_own_node_and_network(api):
    bond = group(api)
    port = create(api, portgroup_uuid=bond, physical_network="net1")
    assert port["portgroup_uuid"] == bond
    assert api("GET", f"/v1/portgroups/{bond}")[1]["physical_network"] == "net1"
    body = {"node_uuid": api.uuid, "address": "52:54:00:00:00:02", "portgroup_uuid": bond}
    status, message = api("POST", "/v1/ports", {**body, "physical_network": "net2"})
    assert (status, "which has ports in physical network net1" in message) == (409, True)
    body["node_uuid"] = api.enrol("other")
    message = "Port can not be added to a portgroup belonging to a different node."
    assert api("POST", "/v1/ports", body) == (400, message)


def test_the_group_changes_only_by_the_first_operation(api):
    path, bond = f"/v1/ports/{create(api)['uuid']}", group(api)
    join = {"op": "replace", "path": "/portgroup_uuid", "value": bond}
    other = {"op": "replace", "path": "/extra", "value": {"a": 1}}
    assert api("PATCH", path, [other, join])[1]["portgroup_uuid"] is None
    assert api("PATCH", path, [join, other])[1]["portgroup_uuid"] == bond


def test_deleting_a_node_deletes_its_ports(api):
    port = create(api)
    api("DELETE", "/v1/nodes/n")
    message = f"Port {port['uuid']} could not be found."
    assert api("GET", f"/v1/ports/{port['uuid']}") == (404, message)


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
    path = f"/v1/portgroups/{group(api)}"
    before = f"1.{since - 1}"
    assert field not in api("GET", path, version=before)[1]
    assert field in api("GET", path, version=f"1.{since}")[1]
    assert field in api("GET", "/v1/portgroups/detail", version=before)[1]["portgroups"][0]


def test_the_ports_follow_the_network_of_their_group(api):
    bond = group(api)
    port = {"node_uuid": api.uuid, "address": MAC, "portgroup_uuid": bond}
    uuid = api("POST", "/v1/ports", port)[1]["uuid"]
    patch = [{"op": "replace", "path": "/physical_network", "value": "net1"}]
    assert api("PATCH", f"/v1/portgroups/{bond}", patch)[1]["physical_network"] == "net1"
    assert api("GET", f"/v1/ports/{uuid}")[1]["physical_network"] == "net1"
    twice = [{**patch[0], "value": "net2"}, {**patch[0], "value": "net3"}]
    assert api("PATCH", f"/v1/portgroups/{bond}", twice)[1]["physical_network"] == "net2"
    assert api("GET", f"/v1/ports/{uuid}")[1]["physical_network"] == "net2"


@pytest.mark.parametrize(
    ("path", "key", "since"),
    [
        ("/v1/ports", "physical_network", 34),
        ("/v1/ports/detail", "is_smartnic", 53),
        ("/v1/portgroups", "mode", 26),
        ("/v1/portgroups/detail", "mode", 26),
    ],
)
def test_a_field_is_sorted_by_from_its_version_on(api, path, key, since):
    assert api("GET", f"{path}?sort_key={key}", version=f"1.{since}")[0] == 200
    assert api("GET", f"{path}?sort_key={key}", version=f"1.{since - 1}")[0] == 406
