"""Chassis, drivers and conductors."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api


@pytest.fixture
def api():
    return Api()


def test_an_empty_chassis_in_a_path_is_none(api):
    for query in ("", "?detail=true"):
        message = (400, "Chassis id not specified.")
        assert api("GET", f"/v1/chassis//nodes{query}") == message
    message = "Schema error for node: 'driver' is a required property"
    assert api("POST", "/v1/chassis//nodes", {}) == (400, message)


def test_a_chassis_is_created_changed_and_removed(api):
    status, chassis = api("POST", "/v1/chassis", {"description": "rack", "extra": {"a": 1}})
    assert status == 201
    path = f"/v1/chassis/{chassis['uuid']}"
    assert api("GET", path) == (200, chassis)
    assert chassis["nodes"][0][0] == {"href": f"http://fake{path}/nodes", "rel": "self"}
    patch = [{"op": "remove", "path": "/extra/a"}, {"op": "remove", "path": "/description"}]
    status, changed = api("PATCH", path, patch)
    assert (status, changed["extra"], changed["description"]) == (200, {}, None)
    assert api("DELETE", path) == (204, None)
    message = f"Chassis {chassis['uuid']} could not be found."
    assert api("GET", path) == (404, message)


def test_a_chassis_with_nodes_stays(api):
    uuid = api("POST", "/v1/chassis", {})[1]["uuid"]
    api.enrol(chassis_uuid=uuid)
    assert api.node()["chassis_uuid"] == uuid
    status, message = api("DELETE", f"/v1/chassis/{uuid}")
    assert (status, message.endswith(f"because chassis {uuid} contains nodes.")) == (400, True)


def test_a_list_shows_uuid_and_description(api):
    chassis = api("POST", "/v1/chassis", {"description": "d"})[1]
    short = {name: chassis[name] for name in ("uuid", "description", "links")}
    assert api("GET", "/v1/chassis") == (200, {"chassis": [short]})
    assert api("GET", "/v1/chassis/detail") == (200, {"chassis": [chassis]})
    assert api("GET", f"/v1/chassis/{chassis['uuid']}/detail")[0] == 404


def test_drivers_tell_their_interfaces():
    api = Api(interfaces={**Api().app.settings.interfaces, "deploy": ("direct", "fake")})
    _, driver = api("GET", "/v1/drivers/fake-hardware")
    assert driver["enabled_deploy_interfaces"] == ["direct", "fake"]
    assert driver["default_network_interface"] == "noop"
    assert driver["hosts"] == ["localhost"]
    for version, field in (("1.29", "type"), ("1.39", "default_bios_interface")):
        _, older = api("GET", "/v1/drivers/fake-hardware", version=version)
        assert field in driver
        assert field not in older
    _, short = api("GET", "/v1/drivers")
    assert set(short["drivers"][0]) == {"name", "hosts", "links", "properties", "type"}


@pytest.mark.parametrize(
    ("host", "message"),
    [
        ("", "Missing host in marker"),
        (":1", "Missing host in marker"),
        ("x:a", "marker: invalid literal for int() with base 10: 'a'"),
        ("[x", "marker: not enough values to unpack (expected 2, got 1)"),
    ],
)
def test_a_marker_among_conductors_is_a_host(api, host, message):
    assert api("GET", f"/v1/conductors?marker={host}") == (400, message)
    assert api("GET", "/v1/conductors?marker=[::1]:80")[0] == 404


def test_the_one_conductor(api):
    status, conductor = api("GET", "/v1/conductors/localhost")
    assert (status, conductor["alive"], conductor["drivers"]) == (200, True, ["fake-hardware"])
    _, listed = api("GET", "/v1/conductors?detail=1&limit=1")
    assert listed["conductors"] == [conductor]
    assert listed["next"].endswith("limit=1&marker=localhost")
    assert api("GET", "/v1/conductors?marker=localhost") == (200, {"conductors": []})
    assert api("GET", "/v1/conductors/x") == (404, "Conductor x could not be found.")
    message = "The API is not supported for this version"
    assert api("GET", "/v1/conductors", version="1.48") == (404, message)


def test_every_patch_of_a_chassis_shows(api):
    path = f"/v1/chassis/{api('POST', '/v1/chassis', {})[1]['uuid']}"
    assert api("GET", path)[1]["updated_at"] is None
    assert api("PATCH", path, [])[1]["updated_at"] is not None
