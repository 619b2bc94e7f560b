"""Management, console, RAID, boot mode, vendor's methods and history."""

from __future__ import annotations

import pytest

from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import Api
from fake_server.tests.wsgi import request

UNSUPPORTED = "Driver fake-hardware does not support {} (disabled or not implemented)."


@pytest.fixture
def api():
    api = Api()
    api.enrol()
    return api


def test_indicators(api):
    path = "/v1/nodes/n/management/indicators"
    _, body = api("GET", path)
    assert [item["name"] for item in body["indicators"]] == ["led-0@chassis", "led@system"]
    assert api("GET", f"{path}/led@system") == (200, {"state": "on"})
    assert api("GET", f"{path}/led")[0] == 400
    assert api("GET", f"{path}/led@bogus") == (400, "Invalid component bogus specified.")
    assert api("GET", f"{path}/bogus@system") == (400, "Invalid indicator bogus specified.")
    assert api("PUT", f"{path}/led@system", {"state": "off"})[0] == 400


def test_the_console_is_turned_on_and_off(api):
    path = "/v1/nodes/n/states/console"
    assert api("GET", path) == (200, {"console_enabled": False, "console_info": None})
    assert api("PUT", path, {"enabled": True}) == (202, None)
    assert api("GET", path) == (200, {"console_enabled": True, "console_info": {}})
    assert api.node()["console_enabled"] is True
    api("PUT", path, {"enabled": False})
    assert api.node()["console_enabled"] is False


def test_a_console_is_on_or_off(api):
    assert api("PUT", "/v1/nodes/n/states/console", {"enabled": None})[0] == 202
    node = api.node()
    assert node["console_enabled"] is False
    assert node["last_error"] == (
        "Async execution of _set_console_mode failed with error: "
        "Field `console_enabled' cannot be None"
    )


def test_a_console_that_is_gone_does_not_keep_a_node_from_being_deployed(api):
    api.provision("manage", "provide")
    api("PUT", "/v1/nodes/n/states/console", {"enabled": True})
    api.patch("console_interface", "no-console")
    api.provision("active")
    node = api.node()
    assert (node["provision_state"], node["console_enabled"]) == ("active", False)
    assert node["last_error"].startswith(
        f"Failed to start console while deploying the node {node['uuid']}: "
    )


def test_a_console_is_off_after_its_node_was_undeployed(api):
    api.provision("manage", "provide", "active")
    api("PUT", "/v1/nodes/n/states/console", {"enabled": True})
    api.provision("deleted")
    assert api.node()["provision_state"] == "available"


def test_a_console_that_is_gone_does_not_keep_a_node_from_being_adopted(api):
    api("PUT", "/v1/nodes/n/states/console", {"enabled": True})
    api.patch("console_interface", "no-console")
    api.provision("manage", "adopt")
    node = api.node()
    assert (node["provision_state"], node["console_enabled"]) == ("active", False)
    assert node["last_error"] == (
        f"Failed to start console while taking over the node {node['uuid']}: "
        f"{UNSUPPORTED.format('console')}."
    )
    _, body = api("GET", "/v1/nodes/n/history?detail=true")
    assert body["history"][0]["event_type"] == "takeover"


@pytest.fixture
def graphical():
    interfaces = {**ENABLED_INTERFACES, "console": ("fake", "no-console", "fake-graphical")}
    api = Api(interfaces=interfaces)
    api.enrol(console_interface="fake-graphical")
    api("PUT", "/v1/nodes/n/states/console", {"enabled": True})
    return api


def test_a_graphical_console_is_shown_in_a_browser(graphical):
    node = graphical.node()
    _, console = graphical("GET", "/v1/nodes/n/states/console")
    url = console["console_info"].pop("url")
    assert console == {"console_enabled": True, "console_info": {"type": "vnc"}}
    assert url.startswith(f"None?path=websockify%3Fnode%3D{node['uuid']}%26token%3D")
    assert node["driver_internal_info"] == {
        "vnc_host": "192.0.2.1",
        "vnc_port": 5900,
        "novnc_secret_token": "******",
        "novnc_secret_token_created": "******",
    }
    graphical("PUT", "/v1/nodes/n/states/console", {"enabled": False})
    assert graphical.node()["driver_internal_info"] == {}
    assert graphical("GET", "/v1/nodes/n/states/console") == (
        200,
        {"console_enabled": False, "console_info": None},
    )


@pytest.mark.parametrize(("seconds", "enabled"), [(599, True), (601, False)])
def test_the_session_of_a_graphical_console_ends_by_itself(graphical, seconds, enabled):
    graphical.clock.advance(seconds)
    assert graphical.node()["console_enabled"] is enabled


def test_something_else_in_between_does_not_prolong_the_session(graphical):
    graphical.clock.advance(300)
    graphical.provision("manage")
    graphical.clock.advance(301)
    node = graphical.node()
    assert (node["provision_state"], node["console_enabled"]) == ("manageable", False)
    assert node["driver_internal_info"].keys().isdisjoint({"vnc_host", "novnc_secret_token"})


def test_a_session_that_another_console_took_the_place_of_is_left_alone(graphical):
    graphical.patch("console_interface", "fake")
    graphical.clock.advance(601)
    assert graphical.node()["console_enabled"] is True


def test_vendor_methods(api):
    path = "/v1/nodes/n/vendor_passthru"
    _, methods = api("GET", f"{path}/methods")
    assert methods["third_method_sync"]["async"] is False
    assert api("POST", f"{path}/third_method_sync", {"bar": "meow"}) == (200, True)
    assert api("POST", f"{path}/third_method_sync", {"bar": "woof"}) == (200, False)
    assert api("POST", f"{path}/second_method", {"bar": "kazoo"}) == (202, None)
    assert api("POST", f"{path}/second_method", {}) == (
        400,
        "Parameter 'bar' not passed to method 'second_method'.",
    )
    assert api("POST", f"{path}/third_method_sync", {"bar": "meow", "baz": 1}) == (
        400,
        "third_method_sync() got an unexpected keyword argument 'baz'",
    )
    assert api("POST", f"{path}/log_passthrough", {"baz": 1}) == (202, None)
    assert api.node()["last_error"] is None
    assert api("PUT", f"{path}/second_method", {"bar": "kazoo"}) == (
        400,
        "The method second_method does not support HTTP PUT",
    )
    assert api("GET", f"{path}?method=bogus") == (400, "No handler for method bogus")
    assert api("POST", f"{path}?method=bogus", [1]) == (400, "No handler for method bogus")
    assert api("DELETE", f"{path}/second_method", [1])[1].endswith("does not support HTTP DELETE")
    assert api("HEAD", f"{path}/methods") == (400, {})
    for method in ("POST", "BOGUS"):
        assert api(method, f"{path}/methods") == (400, "No handler for method methods")


def test_bios_settings_stay_when_they_are_cached(api):
    api.provision("manage")
    args = {"settings": [{"name": "a", "value": "b"}]}
    apply = {"interface": "bios", "step": "apply_configuration", "args": args}
    api.provision("clean", clean_steps=[apply])
    api.provision("clean", clean_steps=[{"interface": "bios", "step": "cache_bios_settings"}])
    assert api.state() == "manageable"
    settings = api("GET", "/v1/nodes/n/bios")[1]["bios"]
    assert {item["name"]: item["value"] for item in settings} == {"a": "b"}


def test_history_is_paged_and_grows_by_version(api):
    api.provision("manage")
    for _ in range(3):
        step = {"interface": "bios", "step": "factory_reset"}
        api.provision("clean", clean_steps=[step])
        api.clock.advance(1)
    _, page = api("GET", "/v1/nodes/n/history?limit=4")
    assert len(page["history"]) == 4
    _, rest = api("GET", f"/v1/nodes/n/history?marker={page['history'][-1]['uuid']}")
    assert len(rest["history"]) == 2
    entry = page["history"][0]["uuid"]
    _, detailed = api("GET", f"/v1/nodes/n/history/{entry}")
    assert detailed["state"] == "cleaning"
    assert detailed["target_provision_state"] == "manageable"
    _, older = api("GET", f"/v1/nodes/n/history/{entry}", version="1.112")
    assert detailed.keys() - older.keys() == {
        "project",
        "state",
        "target_provision_state",
        "duration_seconds",
    }


def test_the_history_says_that_a_verification_failed():
    api = Api(hardware_types=("ipmi",), interfaces={})
    assert api("POST", "/v1/nodes", {"name": "n", "driver": "ipmi"})[0] == 201
    api("PUT", "/v1/nodes/n/states/provision", {"target": "manage"})
    _, body = api("GET", "/v1/nodes/n/history?detail=true")
    assert api.node()["provision_state"] == "enroll"
    # The name of the verb, not of the state; Ironic 39, conductor/verify.py.
    assert [one["event_type"] for one in body["history"]] == ["verify"]


def test_a_post_without_a_content_type_is_a_form(api):
    # Asked of Ironic 39 with curl.
    asked = request("POST", "/v1/nodes", {"driver": "fake-hardware"})
    del asked.environ["CONTENT_TYPE"]
    answer = api.app.answer(asked)
    assert answer.status == 400
    assert b"Unexpected arguments: {" in answer.body
