"""BIOS settings, firmware, inventory, virtual media, shards and events."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api


@pytest.fixture
def api():
    api = Api()
    api.enrol(shard="east")
    api.provision("manage")
    return api


def apply(api, settings):
    step = {"interface": "bios", "step": "apply_configuration", "args": {"settings": settings}}
    api.provision("clean", clean_steps=[step])


def test_bios_settings_are_those_that_cleaning_applied(api):
    assert api("GET", "/v1/nodes/n/bios") == (200, {"bios": []})
    apply(api, [{"name": "virt", "value": "on"}, {"name": "boot", "value": "uefi"}])
    _, body = api("GET", "/v1/nodes/n/bios")
    assert [(item["name"], item["value"]) for item in body["bios"]] == [
        ("boot", "uefi"),
        ("virt", "on"),
    ]
    apply(api, [{"name": "virt", "value": "off"}])
    _, body = api("GET", "/v1/nodes/n/bios/virt")
    assert body["virt"]["value"] == "off"
    assert body["virt"]["updated_at"] is not None
    missing = f"Node {api.node()['uuid']} doesn't have a BIOS setting 'boot'"
    assert api("GET", "/v1/nodes/n/bios/boot") == (404, missing)
    api.provision("clean", clean_steps=[{"interface": "bios", "step": "factory_reset"}])
    assert api("GET", "/v1/nodes/n/bios") == (200, {"bios": []})


@pytest.mark.parametrize(
    ("value", "kept"),
    [(True, "1"), (7, "7"), (1.5, "1.5"), (None, None), ({"a": 1}, "dict"), ([1], "list")],
)
def test_values_of_bios_settings_are_texts(api, value, kept):
    apply(api, [{"name": "a", "value": value}])
    if isinstance(value, dict | list):
        assert api.node()["provision_state"] == "clean failed"
        assert api.node()["last_error"].endswith(f": type '{kept}' is not supported")
    else:
        assert api("GET", "/v1/nodes/n/bios/a")[1]["a"]["value"] == kept


def test_arguments_are_looked_at_when_a_service_step_runs(api):
    api.provision("provide", "active")
    for step, args, problem in (
        ("apply_configuration", {}, "missing 1 required positional argument: 'settings'"),
        ("factory_reset", {"x": 7}, "got an unexpected keyword argument 'x'"),
    ):
        api.provision("service", service_steps=[{"interface": "bios", "step": step, "args": args}])
        assert api.node()["provision_state"] == "service failed"
        assert api.node()["last_error"].endswith(f": FakeBIOS.{step}() {problem}")
        api("DELETE", "/v1/nodes/n/maintenance")


def test_firmware_tells_who_made_it_from_1_114_on(api):
    assert api("GET", "/v1/nodes/n/firmware?fields=vendor") == (200, {"firmware": []})
    status, text = api("GET", "/v1/nodes/n/firmware?fields=vendor", version="1.113")
    assert status == 400
    assert text.startswith("Fields vendor are not allowed in this API version.")


def test_images_can_not_be_attached(api):
    body = {"device_type": "cdrom", "image_url": "http://192.0.2.1/i.iso"}
    assert api("POST", "/v1/nodes/n/vmedia", body) == (204, None)
    error = api.node()["last_error"]
    assert error.endswith("Publishing images is not supported for driver fake-hardware")
    assert api("POST", "/v1/nodes/n/vmedia", {**body, "image_url": "ftp://x"})[0] == 400
    assert api("DELETE", "/v1/nodes/n/vmedia?device_types=cdrom") == (204, None)
    assert "Could not detach device(s) ['cdrom']" in api.node()["last_error"]


def test_shards_are_counted(api):
    api.enrol("other")
    api.enrol("third", shard="east")
    assert api("GET", "/v1/shards") == (
        200,
        {"shards": [{"name": "east", "count": 2}, {"name": "None", "count": 1}]},
    )
    for name, shard in (("fourth", "west"), ("fifth", "north"), ("sixth", "west")):
        api.enrol(name, shard=shard)
    counted = api("GET", "/v1/shards")[1]["shards"]
    assert [(one["name"], one["count"]) for one in counted] == [
        ("east", 2),
        ("west", 2),
        ("None", 1),
        ("north", 1),
    ]
    assert api("GET", "/v1/shards/east")[0] == 404
    assert api("GET", "/v1/shards", version="1.81") == (
        404,
        "The API version does not allow shards",
    )


def test_events_are_checked(api):
    event = {
        "event": "network.bind_port",
        "port_id": api.node()["uuid"],
        "mac_address": "52:54:00:00:00:01",
        "status": "ACTIVE",
    }
    assert api("POST", "/v1/events", {"events": [event]}) == (204, None)
    assert api("POST", "/v1/events", {"events": [{**event, "event": "bogus"}]})[0] == 400
