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
    assert api("GET", f"{path}/detail")[0] == 404
    assert api("PATCH", path, [])[1]["updated_at"] is not None
