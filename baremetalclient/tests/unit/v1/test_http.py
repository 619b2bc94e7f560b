"""How requests of the managers are sent, and plain ones by ``client.http_client``."""

from __future__ import annotations

import logging
import socket
import traceback

import pytest

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient.tests.unit.scripted import CUT, Reply, ScriptedServer, fault, offering

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
    assert [one.method == "GET" for one in server.requests].count(False) == 1
    assert f"Check {server.url}/v1/nodes" in str(caught.value)


@pytest.mark.parametrize("found", ["******", "other"])
def test_nobody_can_tell_whether_a_secret_was_changed_whose_response_was_lost(scripted, found):
    client, _ = scripted(CUT, Reply({**NODE, "driver_info": {"ipmi_password": found}}))
    patch = [{"op": "add", "path": "/driver_info/ipmi_password", "value": "new"}]
    with pytest.raises(exc.OutcomeUnknown):
        client.node.update("n", patch)


def test_a_change_whose_response_was_lost_is_looked_up(scripted):
    client, server = scripted(CUT, Reply({**NODE, "extra": {"a": "b"}}))
    patch = [{"op": "add", "path": "/extra/a", "value": "b"}]
    assert client.node.update("n", patch).extra == {"a": "b"}
    assert [one.method for one in server.requests] == ["PATCH", "GET"]


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


def test_what_was_masked_once_is_masked_in_the_rest_of_the_log(scripted, caplog):
    later = {"uuid": "n", "last_error": "Login as root with pw-earlier failed", "extra": {"a": 1}}
    client, _ = scripted(Reply({"uuid": "n"}, status=201), Reply(later), Reply({"nodes": [later]}))
    with caplog.at_level(logging.DEBUG):
        client.node.create(driver="d", driver_info={"ipmi_password": "pw-earlier"})
        assert "pw-earlier" in client.node.get("n").last_error
        client.node.list(detail=True)
    assert "pw-earlier" not in caplog.text
    assert caplog.text.count("root with ****** failed") == 2


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


NODES = {"nodes": [{"uuid": "n"}]}


def test_json_requests_return_the_response_and_its_body(scripted):
    client, server = scripted(Reply(NODES), os_ironic_api_version="1.50")
    response, body = client.http_client.json_request("GET", "/v1/nodes", params={"limit": 1})
    assert (response.status_code, response.ok, body) == (200, True, NODES)
    assert response.json() == NODES
    assert server.requests[0].target == "/v1/nodes?limit=1"
    assert server.requests[0].version == "1.50"


def test_a_body_is_sent_as_json(scripted):
    client, server = scripted(Reply({"uuid": "n"}), Reply(status=204), Reply(status=204))
    client.http_client.post("/v1/nodes", json={"driver": "d"})
    response, body = client.http_client.json_request("PUT", "v1/nodes/n/vifs", body=["x"])
    client.http_client.raw_request("PUT", "/v1/x", data=b"raw")
    assert [one.body for one in server.requests] == [b'{"driver": "d"}', b'["x"]', b"raw"]
    assert (response.status_code, body) == (204, [])


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
def test_each_method_has_its_name(scripted, method):
    client, server = scripted(Reply(NODES))
    _, body = getattr(client.http_client, method)(f"{server.url}/v1/x")
    assert body == NODES
    assert (server.requests[0].method, server.requests[0].path) == (method.upper(), "/v1/x")


def test_headers_go_along_and_may_name_the_version(scripted):
    client, server = scripted(Reply(NODES), os_ironic_api_version="1.50")
    headers = {"x-openstack-ironic-api-version": "1.60", "X-Mine": "1"}
    client.http_client.json_request("GET", "/v1/nodes", headers=headers)
    assert server.requests[0].version == "1.60"
    assert server.requests[0].headers["x-mine"] == "1"


def test_another_host_gets_nothing(scripted):
    client, server = scripted(Reply(NODES))
    client.http_client.get("http://192.0.2.1/v1/nodes")
    assert server.requests[0].target == "/http://192.0.2.1/v1/nodes"


def test_errors_are_those_of_the_managers(scripted):
    client, _ = scripted(Reply({"error_message": "gone"}, 404))
    with pytest.raises(exc.NotFound) as caught:
        client.http_client.get("/v1/nodes/n")
    assert caught.value.response.status_code == 404
    assert caught.value.response.content
    assert "gone" in caught.value.response.text


def test_the_version_is_an_attribute(scripted):
    client, server = scripted(Reply(NODES), versions=offering("1.60"))
    http = client.http_client
    assert http.os_ironic_api_version == "latest"
    assert http.negotiate_version(http.session, None) == "1.60"
    assert http.os_ironic_api_version == "1.60"
    http.os_ironic_api_version = "1.40"
    assert http.os_ironic_api_version == "1.40"
    http.get("/v1/nodes")
    assert server.requests[-1].version == "1.40"
    http.os_ironic_api_version = ["1.40", "1.50"]
    assert http.os_ironic_api_version == "1.50"


def test_the_acceptable_versions_before_one_is_negotiated(scripted):
    client, _ = scripted(os_ironic_api_version=["1.40", "1.50"])
    assert client.http_client.os_ironic_api_version == ["1.40", "1.50"]


def test_managers_have_the_client_as_api(scripted):
    client, _ = scripted()
    assert client.node.api is client.http_client
