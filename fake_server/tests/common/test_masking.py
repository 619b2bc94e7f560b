"""Keys whose values aren't shown are those that oslo.utils masks, as in Ironic."""

from __future__ import annotations

import json

from oslo_utils import strutils

from fake_server.baremetal.node_fields import NODES
from fake_server.common.redaction import Redactor
from fake_server.tests.baremetal.api import Api


def test_each_key_that_ironic_masks_is_masked():
    api = Api()
    secrets = {f"my_{key}_x": "s3cret" for key in strutils._SANITIZE_KEYS}
    api.enrol(driver_info={**secrets, "address": "a"}, instance_info={**secrets, "k": "v"})
    node = api.node()
    masked = dict.fromkeys(secrets, "******")
    assert node["driver_info"] == {**masked, "address": "a"}
    assert node["instance_info"] == {**masked, "k": "v"}


def test_history_shows_steps_as_oslo_masks_them():
    setting = {"name": "a", "value": "chap token = 'x'", "key_name": "shown", "password": "p"}
    step = {"interface": "bios", "step": "apply_configuration", "args": {"settings": [setting]}}
    api = Api()
    api.enrol()
    api.provision("manage")
    assert api.provision("clean", clean_steps=[step]) == (202, None)
    rows = api("GET", "/v1/nodes/n/history?detail=true")[1]["history"]
    (event,) = (row["event"] for row in rows if row["event"].startswith("Starting"))
    masked = strutils.mask_dict_password(step["args"])
    assert masked["settings"][0]["password"] == "***"
    assert f"'args': {masked}" in event


def test_what_is_secret_in_a_node_is_hidden_in_what_is_shown_of_requests():
    secrets = [(row.name, name) for row in NODES.rows for name in row.secrets or ()]
    assert ("instance_info", "image_url") in secrets
    for field, name in secrets:
        body = json.dumps({field: {name: "s3c"}}).encode()
        assert json.loads(Redactor().body(body)) == {field: {name: "******"}}
