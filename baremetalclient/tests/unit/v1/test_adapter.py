"""Plain requests by ``client.http_client``."""

from __future__ import annotations

import pytest

from baremetalclient import exc
from baremetalclient.tests.unit.scripted import Reply, offering

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
