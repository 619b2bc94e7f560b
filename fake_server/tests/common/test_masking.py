"""Keys whose values aren't shown are those that oslo.utils masks, as in Ironic."""

from __future__ import annotations

from oslo_utils import strutils

from fake_server.tests.baremetal.api import Api


def test_each_key_that_ironic_masks_is_masked():
    api = Api()
    secrets = {f"my_{key}_x": "s3cret" for key in strutils._SANITIZE_KEYS}
    api.enrol(driver_info={**secrets, "address": "a"}, instance_info={**secrets, "k": "v"})
    node = api.node()
    masked = dict.fromkeys(secrets, "******")
    assert node["driver_info"] == {**masked, "address": "a"}
    assert node["instance_info"] == {**masked, "k": "v"}
