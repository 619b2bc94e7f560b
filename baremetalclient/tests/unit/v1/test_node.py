from __future__ import annotations

import pytest

from baremetalclient import exc
from baremetalclient.tests.unit.scripted import Reply

DONE = Reply(status=202, body=b"")

CHANGES = [
    (lambda n: n.set_power_state("n", "on"), "PUT", "states/power", {"target": "power on"}),
    (
        lambda n: n.set_power_state("n", "reboot", soft=True, timeout="30"),
        "PUT",
        "states/power",
        {"target": "soft rebooting", "timeout": 30},
    ),
    (
        lambda n: n.set_provision_state("n", "active", configdrive={"user_data": "x"}),
        "PUT",
        "states/provision",
        {"target": "active", "configdrive": {"user_data": "x"}},
    ),
    (
        lambda n: n.set_provision_state(
            "n", "clean", cleansteps=[{"step": "s"}], disable_ramdisk="true"
        ),
        "PUT",
        "states/provision",
        {"target": "clean", "clean_steps": [{"step": "s"}], "disable_ramdisk": True},
    ),
    (
        lambda n: n.set_provision_state("n", "active", deploysteps=[{"step": "s"}]),
        "PUT",
        "states/provision",
        {"target": "active", "deploy_steps": [{"step": "s"}]},
    ),
    (
        lambda n: n.set_provision_state("n", "service", servicesteps=[{"step": "s"}]),
        "PUT",
        "states/provision",
        {"target": "service", "service_steps": [{"step": "s"}]},
    ),
    (
        lambda n: n.set_provision_state("n", "clean", runbook="r"),
        "PUT",
        "states/provision",
        {"target": "clean", "runbook": "r"},
    ),
    (
        lambda n: n.set_provision_state("n", "rescue", rescue_password="pw"),
        "PUT",
        "states/provision",
        {"target": "rescue", "rescue_password": "pw"},
    ),
    (lambda n: n.set_maintenance("n", "on", "why"), "PUT", "maintenance", {"reason": "why"}),
    (lambda n: n.set_maintenance("n", False), "DELETE", "maintenance", None),
    (lambda n: n.set_boot_mode("n", "uefi"), "PUT", "states/boot_mode", {"target": "uefi"}),
    (lambda n: n.set_secure_boot("n", "yes"), "PUT", "states/secure_boot", {"target": True}),
    (lambda n: n.set_target_raid_config("n", {}), "PUT", "states/raid", {}),
    (lambda n: n.set_console_mode("n", "false"), "PUT", "states/console", {"enabled": False}),
    (
        lambda n: n.set_boot_device("n", "pxe"),
        "PUT",
        "management/boot_device",
        {"boot_device": "pxe", "persistent": False},
    ),
    (lambda n: n.inject_nmi("n"), "PUT", "management/inject_nmi", {}),
    (lambda n: n.vif_attach("n", "v", mac="m"), "POST", "vifs", {"id": "v", "mac": "m"}),
    (lambda n: n.vif_detach("n", "v"), "DELETE", "vifs/v", None),
    (
        lambda n: n.vmedia_attach("n", "cdrom", "http://h/i.iso"),
        "POST",
        "vmedia",
        {"device_type": "cdrom", "image_url": "http://h/i.iso"},
    ),
    (
        lambda n: n.vmedia_attach("n", "disk", "http://h/i", image_download_source="http"),
        "POST",
        "vmedia",
        {"device_type": "disk", "image_url": "http://h/i", "image_download_source": "http"},
    ),
    (lambda n: n.vmedia_detach("n"), "DELETE", "vmedia", None),
    (
        lambda n: n.set_indicator_state("n", "led@system", "ON"),
        "PUT",
        "management/indicators/led@system",
        {"state": "on"},
    ),
    (lambda n: n.add_trait("n", "CUSTOM_A"), "PUT", "traits/CUSTOM_A", None),
    (lambda n: n.set_traits("n", ["CUSTOM_A"]), "PUT", "traits", {"traits": ["CUSTOM_A"]}),
    (lambda n: n.remove_trait("n", "CUSTOM_A"), "DELETE", "traits/CUSTOM_A", None),
    (lambda n: n.remove_all_traits("n"), "DELETE", "traits", None),
]


@pytest.mark.parametrize(("call", "method", "path", "body"), CHANGES)
def test_changes_are_sent_as_the_api_wants_them(scripted, call, method, path, body):
    client, server = scripted(DONE)
    assert call(client.node) is None
    (request,) = server.requests
    assert (request.method, request.path) == (method, f"/v1/nodes/n/{path}")
    assert (request.json if request.body else None) == body


@pytest.mark.parametrize(
    "call",
    [
        lambda n: n.set_power_state("n", "on", soft=True),
        lambda n: n.set_power_state("n", "off", timeout=0),
        lambda n: n.set_power_state("n", "off", timeout="soon"),
        lambda n: n.set_boot_mode("n", "floppy"),
        lambda n: n.set_provision_state("n", ""),
        lambda n: n.set_provision_state("n", "active", configdrive="no-such-file"),
        lambda n: n.vif_attach("n", ""),
        lambda n: n.vmedia_attach("n", "cdrom", " "),
        lambda n: n.vmedia_detach("n", ["cdrom,disk"]),
        lambda n: n.vmedia_detach("n", []),
        lambda n: n.set_indicator_state("n", "", "on"),
        lambda n: n.set_indicator_state("n", "led@system", ""),
    ],
)
def test_invalid_values_are_not_sent(scripted, call):
    client, server = scripted(DONE)
    with pytest.raises(ValueError, match=r"\w"):
        call(client.node)
    assert not server.requests


@pytest.mark.parametrize(
    "call",
    [
        lambda n: n.set_maintenance("n", "perhaps"),
        lambda n: n.set_provision_state("n", "clean", disable_ramdisk="perhaps"),
        lambda n: n.vif_attach("n", "v", port_uuid="p", portgroup_uuid="g"),
        lambda n: n.vif_attach("n", "v", **{"id": "w"}),
        lambda n: n.vendor_passthru("n", "m", http_method="BREW"),
        lambda n: n.list_bios_settings("n", detail=True, fields=["name"]),
    ],
)
def test_contradicting_arguments_are_not_sent(scripted, call):
    client, server = scripted(DONE)
    with pytest.raises(exc.InvalidAttribute):
        call(client.node)
    assert not server.requests


@pytest.mark.parametrize("response", [True, False, 0, "text", [1], None])
def test_a_vendor_method_may_return_anything(scripted, response):
    client, _ = scripted(Reply(response))
    assert client.node.vendor_passthru("n", "m") == response


def test_a_vendor_method_may_return_an_object_or_nothing_or_text(scripted):
    client, server = scripted(Reply({"a": 1}), DONE, Reply(b"<x/>", headers={"Content-Type": "x"}))
    assert client.node.vendor_passthru("n", "m", {"k": "v"}).to_dict() == {"a": 1}
    assert client.driver.vendor_passthru("d", "m", http_method="put") is None
    assert client.node.vendor_passthru("n", "m", {"k": "&"}, http_method="GET") == b"<x/>"
    assert [(request.method, request.target) for request in server.requests] == [
        ("POST", "/v1/nodes/n/vendor_passthru/m"),
        ("PUT", "/v1/drivers/d/vendor_passthru/m"),
        ("GET", "/v1/nodes/n/vendor_passthru/m?k=%26"),
    ]


def test_children_are_a_list_of_their_own(scripted):
    client, _ = scripted(Reply({"children": ["a", "b"]}))
    assert client.node.list_children_of_node("n") == ["a", "b"]


def test_a_bios_setting_is_taken_out_of_its_envelope(scripted):
    client, _ = scripted(Reply({"numlock": {"name": "numlock", "value": "on"}}), Reply({}))
    assert client.node.get_bios_setting("n", "numlock")["value"] == "on"
    with pytest.raises(exc.InvalidResponse, match="numlock"):
        client.node.get_bios_setting("n", "numlock")


@pytest.mark.parametrize("body", [{}, {"traits": None}, {"traits": [1]}, {"traits": "A"}])
def test_a_list_of_the_wrong_shape_is_an_error(scripted, body):
    client, _ = scripted(Reply(body))
    with pytest.raises(exc.InvalidResponse, match="'traits'"):
        client.node.get_traits("n")


def test_vifs_have_an_id(scripted):
    client, _ = scripted(Reply({"vifs": [{"id": "v"}]}))
    (vif,) = client.node.vif_list("n")
    assert (vif.id, vif.to_dict(), repr(vif)) == ("v", {"id": "v"}, "<Vif id='v'>")


def test_virtual_media_are_a_bare_list(scripted):
    device = {"media_types": ["CD"], "inserted": False, "image": ""}
    client, _ = scripted(Reply([device]), Reply({"vmedia": [device]}))
    assert client.node.vmedia_list("n") == [device]
    with pytest.raises(exc.InvalidResponse, match=r"is not a list\."):
        client.node.vmedia_list("n")


def test_the_types_of_devices_to_detach_are_one_argument(scripted):
    client, server = scripted(DONE)
    client.node.vmedia_detach("n", ["cdrom", "disk"])
    assert server.requests[0].target == "/v1/nodes/n/vmedia?device_types=cdrom,disk"
