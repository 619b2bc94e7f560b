"""Routes that no other test asks for, and the table of all in the documentation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("path", ["//v1", "/v1//nodes", "/v1/nodes/n/volume/bogus/x"])
def test_an_empty_segment_leads_nowhere(path):
    assert Api()("GET", path)[0] == 404


def test_who_deletes_names_a_node_once():
    api = Api()
    api.enrol()
    both = (400, "node_ident is given both in the path and by name.")
    assert api("DELETE", "/v1/nodes/n?node_ident=n") == both
    assert api("DELETE", "/v1/nodes?node_ident=n") == (204, None)


@pytest.mark.parametrize("verb", ["delete", "put"])
def test_no_query_makes_another_method_of_get(verb):
    api = Api()
    api.enrol()
    for path in ("/v1/nodes", "/v1/nodes/n"):
        assert api("GET", f"{path}?_method={verb}")[0] == 405
    assert api("GET", "/v1/nodes/n")[0] == 200


@pytest.mark.parametrize(
    ("kind", "fields", "sort_key"),
    [
        ("nodes", (406, 200), (406, 200)),
        ("ports", (200, 200), (400, 400)),
        ("conductors", (400, 400), (406, 400)),
        ("deploy_templates", (400, 400), (406, 400)),
        ("runbooks", (406, 200), (406, 400)),
        ("inspection_rules", (406, 200), (406, 400)),
    ],
)
def test_a_new_field_of_nodes_is_refused_in_other_lists_as_ironic_does(kind, fields, sort_key):
    # It checks the versions of fields of nodes in some of them, and then what the list has.
    for query, statuses in (("fields", fields), ("sort_key", sort_key)):
        path = f"/v1/{kind}?{query}=health"
        assert tuple(Api()("GET", path, version=v)[0] for v in ("1.108", "1.109")) == statuses


@pytest.mark.parametrize("kind", ["runbooks", "deploy_templates"])
def test_markers_are_names(kind):
    api = Api()
    text = "Expected name for marker: a b"
    assert api("GET", f"/v1/{kind}?marker=a%20b") == (400, text)
    step = {"interface": "bios", "step": "x", "args": {}}
    order = "priority" if kind == "deploy_templates" else "order"
    made = [
        api("POST", f"/v1/{kind}", {"name": name, "steps": [{**step, order: 1}]})[1]
        for name in ("CUSTOM_A", "CUSTOM_B")
    ]
    assert api("GET", f"/v1/{kind}?detail=true&marker={made[0]['uuid']}") == (200, {kind: made[1:]})


def test_the_table_of_routes_is_that_of_the_code():
    found = list(routes.problems(json.loads(routes.DATA.read_text())))
    assert found == [], "run 'tools/dev routes', which records them again"
