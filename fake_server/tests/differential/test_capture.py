"""A real Ironic, captured and compared by the server's own commands."""

from __future__ import annotations

import time
from uuid import uuid4

import pytest
import requests

from fake_server.baremetal.hardware_types import TYPES
from fake_server.clients.capture import Source, capture
from fake_server.clients.comparison.sides import Comparison
from fake_server.server import FakeServer
from fake_server.settings import Settings

#: Where the real one fails, and the fake one answers what it should.
FAILS = {"/v1/nodes?fields=nonsense"}


@pytest.fixture
def real(request):
    url = request.config.getoption("--real-ironic")
    if not url:
        pytest.skip("needs --real-ironic URL")
    return url


@pytest.fixture
def call(real):
    def send(method, path, body):
        headers = {"X-OpenStack-Ironic-API-Version": "1.104"}
        # Its SQLite is locked at times.
        for _ in range(20):
            answer = requests.request(
                method, f"{real}/v1{path}", json=body, headers=headers, timeout=60
            )
            if answer.status_code < 500 and answer.status_code != 409:
                break
            time.sleep(0.5)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    return send


def test_a_lab_is_the_same_here(real, call):
    mark = uuid4().hex[:10]
    chassis = call("POST", "/chassis", {"description": "Rack", "extra": {"deep": [1, None, {}]}})
    node = {"driver": "fake-hardware", "name": f"n-{mark}", "chassis_uuid": chassis["uuid"]}
    node |= {"driver_info": {"ipmi_password": "s3cret", "address": "192.0.2.1"}}
    node |= {"properties": {"cpus": 4}, "extra": {"text": "é 'q' \n"}, "resource_class": "bm"}
    uuid = call("POST", "/nodes", node)["uuid"]
    call("PUT", f"/nodes/{uuid}/traits", {"traits": ["CUSTOM_A", "HW_CPU_X86_VMX"]})
    group = call("POST", "/portgroups", {"node_uuid": uuid, "name": f"g-{mark}"})
    address = ":".join(["52", *(mark[place : place + 2] for place in range(0, 10, 2))])
    port = {"node_uuid": uuid, "address": address, "portgroup_uuid": group["uuid"]}
    call("POST", "/ports", port)
    connector = {"node_uuid": uuid, "type": "iqn", "connector_id": f"iqn.{mark}"}
    call("POST", "/volume/connectors", connector)
    target = {"node_uuid": uuid, "volume_type": "iscsi", "volume_id": "v", "boot_index": 0}
    call("POST", "/volume/targets", {**target, "properties": {"auth_password": "p", "lun": 1}})
    call("POST", "/nodes", {"driver": "fake-hardware", "parent_node": uuid})
    step = {"interface": "bios", "step": "apply_configuration", "args": {"settings": []}}
    steps = [{**step, "priority": 5}]
    call("POST", "/deploy_templates", {"name": f"CUSTOM_{mark.upper()}", "steps": steps})
    call("POST", "/runbooks", {"name": f"CUSTOM_{mark.upper()}", "steps": [{**step, "order": 1}]})

    captured = capture(Source(real, requests.Session()))
    assert (
        f"n-{mark}: driver_info.ipmi_password is left out, because it is secret." in captured.notes
    )
    (shown,) = [entry for entry in captured.seed["nodes"] if entry.get("name") == f"n-{mark}"]
    assert shown["driver_info"] == {"address": "192.0.2.1"}
    assert shown["traits"] == ["CUSTOM_A", "HW_CPU_X86_VMX"]
    assert captured.seed["deploy_templates"]
    assert captured.seed["runbooks"]
    assert len(shown["ports"]) == len(shown["volume_targets"]) == 1
    with FakeServer(Settings(hardware_types=tuple(TYPES)), seed=captured.seed) as server:
        assert capture(Source(server.url, requests.Session())).seed == captured.seed


def test_what_differs_is_known(real):
    comparison = Comparison(real, requests.Session())
    compared = [*comparison.read(), *comparison.write()]
    lacking = [note for note in comparison.notes if note.startswith("the fake server has no ")]
    differing = [
        one
        for one in compared
        if one.differences
        and one.path not in FAILS
        # Interfaces that the fake server doesn't have are in the answers about drivers.
        and not (lacking and one.path.startswith("/v1/drivers"))
    ]
    comparison.close()
    assert differing == []
    assert len(compared) > 100
