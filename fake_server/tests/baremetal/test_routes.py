"""Routes that no other test asks for, and the table of all in the documentation."""

from __future__ import annotations

import json
from pathlib import Path

from fake_server.tests import routes
from fake_server.tests.baremetal.api import Api


def test_what_drivers_tell():
    api = Api(interfaces={}, hardware_types=("ipmi",))
    status, found = api("GET", "/v1/drivers/ipmi/vendor_passthru/methods")
    assert (status, found) == (200, {})
    # As Ironic 39.0.0 answers.
    described = json.loads(Path(__file__).with_name("logical_disk_properties.json").read_text())
    path = "/v1/drivers/ipmi/raid/logical_disk_properties"
    assert api("GET", path, version="1.12") == (200, described)
    assert api("GET", "/v1/drivers/ipmi/raid/logical_disk_properties", version="1.11")[0] == 406


def test_volume_targets_of_a_node_are_listed_and_removed():
    api = Api()
    node = api.enrol()
    body = {"node_uuid": node, "volume_type": "iscsi", "volume_id": "v", "boot_index": 0}
    target = api("POST", "/v1/volume/targets", body)[1]["uuid"]
    status, found = api("GET", f"/v1/nodes/{node}/volume/targets")
    assert (status, [one["uuid"] for one in found["targets"]]) == (200, [target])
    assert api("DELETE", f"/v1/volume/targets/{target}")[0] == 204
    assert api("GET", f"/v1/volume/targets/{target}")[0] == 404


def test_the_table_of_routes_is_that_of_the_code():
    found = list(routes.problems(json.loads(routes.DATA.read_text())))
    assert found == [], "run 'tools/dev routes', which records them again"
