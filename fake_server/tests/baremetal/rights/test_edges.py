"""Edges that Ironic's recorded answers don't show: versions of arguments, and unfit nodes."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api


@pytest.mark.parametrize(("minor", "status"), [(34, 400), (35, 202), (115, 202)])
def test_a_node_is_rebuilt_with_a_config_drive_since_1_35(minor, status):
    api = Api()
    image = {"image_source": "http://i/x.raw", "image_checksum": "a" * 32}
    api.enrol(instance_info=image)
    api.provision("manage", "provide", "active")
    assert api.state() == "active"
    answer = api.provision("rebuild", version=f"1.{minor}", configdrive="YQ==")
    assert answer[0] == status, answer


@pytest.mark.parametrize(
    "unfit", [{"maintenance": True}, {"resource_class": "silver"}, {"owner": "another"}]
)
def test_a_node_that_does_not_suit_is_not_looked_at(unfit):
    api = Api()
    api.enrol(resource_class="gold")
    api("PUT", "/v1/nodes/n/states/power", {"target": "power off"})
    api.provision("manage", "provide")
    for name, value in unfit.items():
        assert api.patch(name, value)[0] == 200
    body = {"resource_class": "gold", "name": "a"} | ({"owner": "me"} if "owner" in unfit else {})
    assert api("POST", "/v1/allocations", body)[0] == 201
    _, found = api("GET", "/v1/allocations/a")
    assert found["state"] == "error"
    # As Ironic's conductor says where its query finds none.
    assert "no available nodes match the resource class gold" in found["last_error"]


_OBJECT = {"target": "active", "configdrive": {"meta_data": {}}}
_VENDOR = {"target": "active", "configdrive": {"vendor_data": {}}}
_STEPS = [{"interface": "bios", "step": "factory_reset", "args": {}}]
_CLEAN = {"target": "clean", "clean_steps": _STEPS, "disable_ramdisk": True}
_BEAT = {"callback_url": "http://a", "agent_token": "t"}
_PORT = {"node_ident": "n", "address": "52:54:00:00:00:07"}
_VIF = {"id": "v", "port_uuid": "p", "portgroup_uuid": "g"}


@pytest.mark.parametrize(
    ("since", "method", "path", "body", "refusal"),
    [
        (36, "POST", "heartbeat/n", {**_BEAT, "agent_version": "9"}, "agent_version"),
        (56, "PUT", "nodes/n/states/provision", _OBJECT, "1.56"),
        (59, "PUT", "nodes/n/states/provision", _VENDOR, "1.59"),
        (68, "POST", "heartbeat/n", {**_BEAT, "agent_verify_ca": "c"}, "agent_verify_ca"),
        (70, "PUT", "nodes/m/states/provision", _CLEAN, "disable_ramdisk is not acceptable"),
        (72, "POST", "heartbeat/n", {**_BEAT, "agent_status": "start"}, "agent_status"),
        (94, "POST", "ports", _PORT, "not acceptable"),
        (112, "GET", "runbooks/r/traits", None, "The API version does not allow"),
    ],
)
def test_an_argument_is_taken_since_the_version_that_ironic_has_for_it(
    since, method, path, body, refusal
):
    """The numbers are those in the names of Ironic's ``versions.py``."""
    api = Api()
    api.enrol()
    api.provision("manage", "provide")
    api.enrol("m")
    api.provision("manage", ident="m")
    steps = [{"interface": "bios", "step": "factory_reset", "args": {}, "order": 1}]
    assert api("POST", "/v1/runbooks", {"name": "r", "steps": steps})[0] == 201
    before = api(method, f"/v1/{path}", body, f"1.{since - 1}")
    assert before[0] >= 400, before
    assert refusal in str(before[1])
    after = api(method, f"/v1/{path}", body, f"1.{since}")
    assert refusal not in str(after[1]), after


def test_a_vif_names_a_port_or_a_group_since_1_67():
    api = Api()
    api.enrol()
    assert api("POST", "/v1/nodes/n/vifs", _VIF, "1.66")[0] == 204
    assert api("POST", "/v1/nodes/n/vifs", _VIF, "1.67")[0] == 400
