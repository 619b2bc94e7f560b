"""A fault that can match nothing is told, with what comes nearest."""

from __future__ import annotations

import warnings

import pytest
import requests

from fake_server.control.faults import FaultWarning
from fake_server.server import FakeServer

SEED = {"nodes": [{"name": "node-1"}, {"name": "node-2", "driver": "ipmi"}]}
BROKEN, FAILED = {"status": 503}, {"last_error": "No space"}

#: What a fault is for, what it does, and what its warning names.
UNMATCHED = [
    ({"node": "ghost"}, BROKEN, "No node is called 'ghost' yet."),
    ({"node": "node1"}, BROKEN, "No node is called 'node1' yet (did you mean node-1?)."),
    ({"node": "ghost", "step": "deploy.deploy"}, FAILED, "No node is called 'ghost' yet."),
    ({"method": "PTCH"}, BROKEN, "No service takes the method PTCH (did you mean PATCH?)."),
    ({"path": "/v1/nodes/node-9/states/*"}, BROKEN, "No node is called 'node-9' yet (did you"),
    ({"path": "/nodes/ghost"}, BROKEN, "No node is called 'ghost' yet."),
    ({"path": "/v1/nodez"}, BROKEN, "(did you mean /v1/nodes?)"),
    ({"path": "/v1/nodes/*/stats/provision"}, BROKEN, "/v1/nodes/*/states/provision?"),
    ({"path": "/v1/volume/connector/*"}, BROKEN, "/v1/volume/connectors/*?"),
    ({"path": "/volume/v3/volums"}, BROKEN, "/volume/v*/volumes?"),
    ({"path": "/networking/v2.0/prts"}, BROKEN, "/networking/v2.0/ports?"),
    ({"path": "/imge/v2"}, BROKEN, "No service has the path /imge/v2."),
    (
        {"method": "POST", "path": "/v1/nodes/node-1"},
        BROKEN,
        "Nothing answers POST at /v1/nodes/node-1, only DELETE, GET, PATCH.",
    ),
    ({"method": "delete", "path": "/v1/nodes/*/states/provision"}, BROKEN, "only PUT."),
    ({"method": "PATCH", "path": "/v1/lookup"}, BROKEN, "only GET."),
    ({"method": "PUT", "path": "/networking/v2.0/networks"}, BROKEN, "only GET, POST."),
    ({"method": "POST", "path": "/compute/v2.1/servers/detail"}, BROKEN, "Nothing answers POST"),
    ({"method": "PUT", "path": "/identity"}, BROKEN, "only GET."),
    ({"step": "deploy.write_imag"}, FAILED, "(did you mean deploy.write_image?)"),
    ({"step": "deploy.write_image", "flow": "clean"}, FAILED, "No step of clean of any node"),
    ({"step": "deploy.write_image", "node": "node-1"}, FAILED, "of the node node-1 is called"),
]

MATCHED = [
    *((match, BROKEN) for match in ({}, {"node": "node-2"}, {"method": "patch"}, {"path": "*"})),
    *(
        ({"path": path}, BROKEN)
        for path in (
            *("/", "/v1", "/v1/p*", "/nodes", "/baremetal/v1/nodes", "*/states/provision"),
            *("/v1/nodes/node-1", "/v1/nodes/node-1/states/*", "/v1/nodes/*/volume/connectors"),
            *("/v1/nodes/detail", "/v1/volume/targets/detail", "/v1/nodes/*/management/*"),
            *("/v1/drivers/ipmi/raid/logical_disk_properties", "/v1/runbooks/r/traits/CUSTOM_A"),
            *("/v1/nodes/node-1/traits/CUSTOM_A", "/v1/portgroups/*/ports", "/v1/heartbeat/*"),
            *("/identity/v3/auth/tokens", "/volume/v3/*/volumes", "/compute/v2.1/servers/*/action"),
            *("/networking/v2.0/ports/*", "/image/v2/images", "/placement/allocations/*"),
            *("/object-store/v1/*/*/*", "/object-store/v1/*"),
        )
    ),
    *(
        ({"method": method, "path": path}, BROKEN)
        for method, path in (
            ("POST", "/v1/nodes"),
            ("HEAD", "/v1/nodes/node-1"),
            ("OPTIONS", "/v1/nodes/node-1"),
            ("POST", "/v1/nodes/*"),
            ("PUT", "/v1/nodes/node-1/states/power"),
            ("DELETE", "/v1/nodes/node-1/vifs/a"),
            ("POST", "/v1/heartbeat/*"),
            ("PUT", "/v1/nodes/*/maintenance"),
            ("DELETE", "/v1/volume/targets/*"),
            ("PUT", "/v1/runbooks/r/traits/CUSTOM_A"),
            ("POST", "/identity/v3/auth/tokens"),
            ("POST", "/compute/v2.1/servers/*/action"),
            ("PUT", "/networking/v2.0/ports/*"),
            ("PATCH", "/image/v2/images/*"),
        )
    ),
    ({"step": "deploy.*"}, FAILED),
    ({"step": "deploy.write_image", "node": "node-2"}, FAILED),
    ({"flow": "clean", "step": "deploy.erase_devices"}, FAILED),
]


@pytest.fixture(scope="module")
def server():
    with FakeServer(seed=SEED) as server:
        yield server
        server.faults.clear()


@pytest.mark.parametrize(("match", "do", "told"), UNMATCHED)
def test_what_can_match_nothing_is_told(server, match, do, told):
    with pytest.warns(FaultWarning) as found:
        server.faults.add(match, do)
    assert told in str(found[0].message)


@pytest.mark.parametrize(("match", "do"), MATCHED)
def test_what_can_match_something_is_not(server, match, do):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        server.faults.add(match, do)


def test_over_http(server):
    server.faults.clear()
    url = f"{server.url}/_fake/faults"
    match = {"node": "node1"}
    added = requests.post(url, json={"match": match, "do": BROKEN})
    assert added.status_code == 201
    assert added.json()["warnings"] == ["No node is called 'node1' yet (did you mean node-1?)."]
    refused = requests.post(url, json={"match": match, "do": BROKEN, "strict": True})
    assert (refused.status_code, refused.json()) == (400, {"error": added.json()["warnings"][0]})
    assert [fault.id for fault in server.faults.rules()] == [added.json()["id"]]


def test_one_that_met_nothing_is_told_at_the_end():
    server = FakeServer(seed=SEED).__enter__()
    server.faults.add({"node": "node-1"}, BROKEN)
    server.faults.add({"path": "/v1/nodes"}, BROKEN)
    assert requests.get(f"{server.url}/v1/nodes").status_code == 503
    with pytest.warns(FaultWarning) as found:
        server.__exit__(None, None, None)
    (told,) = [str(one.message) for one in found]
    assert told.startswith("No request or step met the fault 1 (")


def test_delays_of_no_node_are_told(server):
    told = "No node is called 'node1' yet (did you mean node-1?)."
    with pytest.warns(FaultWarning) as found:
        server.delays.set(nodes={"node1": {"deploying": 5}, "node-2": {"deploying": 5}})
    assert [str(one.message) for one in found] == [told]
    url = f"{server.url}/_fake/delays"
    shown = requests.get(url).json()
    assert requests.put(url, json=shown).json() == {**shown, "warnings": [told]}
    shown["nodes"] = {"node-1": {"cleaning": 1}}
    assert requests.put(url, json=shown).json()["warnings"] == []
