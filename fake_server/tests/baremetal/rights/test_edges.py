"""Refusals that Ironic's own answers, asked without an image store, don't show."""

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
