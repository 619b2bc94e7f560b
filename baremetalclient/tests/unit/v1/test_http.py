from __future__ import annotations

import logging
import socket
import traceback

import pytest

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient.tests.unit.scripted import CUT, Reply, ScriptedServer, fault

NODE = {"uuid": "n", "name": "node-1"}
UNAVAILABLE = fault("Busy.", 503)


@pytest.mark.parametrize("retry_after", ["0", "Sat, 21 Nov 2015 12:00:30 GMT", "nonsense", "-1"])
def test_an_unavailable_service_is_tried_again_when_it_says(scripted, retry_after):
    client, server = scripted(fault("Busy.", 503, Retry_After=retry_after), Reply(NODE))
    assert client.node.create(driver="fake-hardware").name == "node-1"
    assert len(server.requests) == 2


CHANGES = {
    "create": lambda node: node.create(driver="fake-hardware"),
    "power": lambda node: node.set_power_state("n", "reboot"),
    "passthru": lambda node: node.vendor_passthru("n", "method"),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("lost", [CUT, Reply(NODE, truncated=True)], ids=["cut", "truncated"])
def test_a_change_whose_connection_was_lost_is_never_sent_again(scripted, change, lost):
    client, server = scripted(lost, Reply(NODE))
    with pytest.raises(exc.OutcomeUnknown, match="may have been made") as caught:
        CHANGES[change](client.node)
    assert len(server.requests) == 1
    assert f"Check {server.url}/v1/nodes" in str(caught.value)


def test_a_refused_connection_fails_at_once(caplog):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    client = clients.get_client(1, endpoint=f"http://127.0.0.1:{port}", retry_interval=60)
    for call in (client.node.list, lambda: client.node.create(driver="fake-hardware")):
        with pytest.raises(exc.ConnectionRefused, match=str(port)):
            call()
    assert not caplog.records


def test_a_call_does_not_change_the_client(scripted):
    client, server = scripted(Reply(NODE), os_ironic_api_version="1.60")
    client.node.get("n", os_ironic_api_version="1.50", global_request_id="req-1")
    client.node.get("n")
    assert [request.version for request in server.requests] == ["1.50", "1.60"]
    assert server.requests[0].headers["x-openstack-request-id"] == "req-1"
    assert "x-openstack-request-id" not in server.requests[1].headers


def test_a_header_that_cannot_be_sent_is_refused(scripted):
    client, server = scripted(Reply(NODE))
    with pytest.raises(exc.ValidationError, match="cannot be sent"):
        client.node.get("n", global_request_id="req\nX-Injected: 1")
    assert not server.requests


def test_no_secret_reaches_a_log(scripted, caplog):
    response = {
        "uuid": "t",
        "properties": {"auth_password": "pw-response", "auth_username": "chap-u"},
    }
    client, _ = scripted(Reply(response), fault("pw-request is wrong", 400), token="token-1234")
    with caplog.at_level(logging.DEBUG):
        secret = {"auth_password": "pw-request", "auth_method": "CHAP"}
        client.volume_target.create(node_uuid="n", properties=secret)
        with pytest.raises(exc.BadRequest) as caught:
            client.volume_target.create(node_uuid="n", properties=secret)
    text = caplog.text + repr(caught.value) + str(caught.value)
    for hidden in ("pw-response", "pw-request", "chap-u", "token-1234"):
        assert hidden not in text
    assert "auth_method" in caplog.text
    assert caplog.text.count("REQ: POST") == 2


def message_of(call):
    with pytest.raises(exc.ClientException) as caught:
        call()
    return caught.value


@pytest.mark.parametrize(
    "reply",
    [
        CUT,
        fault("No.", 404),
        Reply(b"<html>"),
        Reply(status=302, headers={"Location": "http://user:p@ss@elsewhere/"}),
        UNAVAILABLE,
    ],
    ids=["cut", "error", "no JSON", "redirect", "unavailable"],
)
def test_credentials_of_the_endpoint_are_in_no_message(caplog, reply):
    with ScriptedServer(reply) as server, caplog.at_level(logging.DEBUG):
        endpoint = server.url.replace("//", "//user:p@ss@")
        client = clients.get_client(1, endpoint=endpoint, retry_interval=0)
        for call in (lambda: client.node.get("n"), lambda: client.node.create(driver="d")):
            error = message_of(call)
            told = f"{error} {getattr(error, 'url', '')} {error.__cause__}"
            assert "p@ss" not in told
            assert "ss@" not in told
    ours = [r.getMessage() for r in caplog.records if r.name.startswith("baremetalclient")]
    assert ours
    assert not [line for line in ours if "ss@" in line]


def test_credentials_of_an_endpoint_that_is_down_are_in_no_message_and_no_traceback():
    client = clients.get_client(1, endpoint="http://user:p@ss@127.0.0.1:1")
    error = message_of(lambda: client.node.get("n"))
    assert "ss@" not in str(error)
    assert "ss@127" not in "".join(traceback.format_exception(error))
