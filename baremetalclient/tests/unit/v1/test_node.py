from __future__ import annotations

import pytest

from baremetalclient.tests.unit.scripted import Reply

DONE = Reply(status=202, body=b"")


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
