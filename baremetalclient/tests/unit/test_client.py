from __future__ import annotations

import json
import logging
import re
from typing import TYPE_CHECKING

import pytest
import requests
from keystoneauth1 import noauth, session, token_endpoint

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient.osc import global_options
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer, offering

if TYPE_CHECKING:
    from collections.abc import Sequence

CATALOG_USER = {
    "username": "admin",
    "password": "secret",
    "project_name": "admin",
    "user_domain_id": "default",
    "project_domain_id": "default",
}


class Cloud(ScriptedServer):
    """Keystone and Ironic at one address."""

    services: Sequence[str] = ("baremetal",)

    def reply_to(self, request):
        if request.path == "/v3" and request.method == "GET":
            links = [{"rel": "self", "href": f"{self.url}/v3/"}]
            return Reply({"version": {"id": "v3.14", "status": "stable", "links": links}})
        if request.path == "/v3/auth/tokens":
            return self.token(request)
        return super().reply_to(request)

    def token(self, request):
        if "wrong" in request.body.decode():
            return Reply({"error": {"code": 401, "message": "Wrong password."}}, 401)
        endpoints = [
            {"interface": name, "region": region, "region_id": region, "url": f"{self.url}/{name}"}
            for name in ("public", "internal")
            for region in ("one", "two")
        ]
        token = {
            "methods": ["password"],
            "expires_at": "2099-01-01T00:00:00.000000Z",
            "issued_at": "2026-01-01T00:00:00.000000Z",
            "user": {"id": "u", "name": "admin", "domain": {"id": "default", "name": "Default"}},
            "project": {"id": "p", "name": "p", "domain": {"id": "default", "name": "Default"}},
            "catalog": [
                {"type": kind, "name": kind, "endpoints": endpoints} for kind in self.services
            ],
        }
        return Reply({"token": token}, 201, {"X-Subject-Token": "the-token"})


@pytest.fixture
def cloud():
    with Cloud(Reply({"uuid": "n"})) as server:
        yield server


def asked(server):
    (request,) = [one for one in server.requests if "/nodes/" in one.path]
    return request


@pytest.mark.parametrize(
    ("options", "header", "sent"),
    [
        ({}, "user-agent", "baremetalclient"),
        ({"user_agent": "mine"}, "user-agent", "mine"),
        ({"client_name": "tool"}, "user-agent", "baremetalclient tool"),
        ({"client_name": "tool", "client_version": "2"}, "user-agent", "baremetalclient tool/2"),
        ({"token": "t"}, "x-auth-token", "t"),
        ({"os_auth_token": "t"}, "x-auth-token", "t"),
        ({"username": "u", "password": "p"}, "authorization", "Basic dTpw"),
        (
            {"auth_type": "http_basic", "username": "u", "password": "p"},
            "authorization",
            "Basic dTpw",
        ),
        # The name of a cloud is no credential.
        ({"name": "lab", "password": "secret"}, "authorization", None),
    ],
)
@pytest.mark.parametrize("name", ["endpoint", "ironic_url", "os_endpoint", "endpoint_override"])
def test_an_endpoint_is_enough(cloud, name, options, header, sent):
    clients.get_client(1, **{name: f"{cloud.url}/v1"}, **options).node.get("n")
    assert asked(cloud).path == "/v1/nodes/n"
    assert asked(cloud).headers.get(header) == sent


@pytest.mark.parametrize("prefix", ["", "os_"])
@pytest.mark.parametrize(
    ("where", "path"),
    [
        ({}, "/public/v1/nodes/n"),
        ({"interface": "internal"}, "/internal/v1/nodes/n"),
        (
            {"valid_interfaces": ["admin", "internal"], "interface": "public"},
            "/internal/v1/nodes/n",
        ),
        ({"region_name": "two"}, "/public/v1/nodes/n"),
    ],
)
def test_a_password_leads_to_the_endpoint_of_the_catalog(cloud, prefix, where, path):
    options = {f"{prefix}{name}": value for name, value in CATALOG_USER.items()}
    options[f"{prefix}auth_url"] = f"{cloud.url}/v3"
    client = clients.get_client(1, os_ironic_api_version="1.50", **options, **where)
    client.node.get("n")
    assert asked(cloud).path == path
    assert asked(cloud).headers["x-auth-token"] == "the-token"


@pytest.mark.parametrize(
    "services", [["block-storage"], ["volumev3"], ["volumev2", "volumev3"], ["volume", "volumev3"]]
)
def test_block_storage_is_found_under_each_of_its_names(cloud, services):
    cloud.services = ("baremetal", *services)
    client = clients.get_client(1, auth_url=f"{cloud.url}/v3", **CATALOG_USER)
    cloud.script = [Reply({"attachments": []})]
    assert client.block_storage().attachments() == []
    assert cloud.requests[-1].path == "/public/v3/attachments/detail"


def test_a_catalog_without_block_storage(cloud):
    client = clients.get_client(1, auth_url=f"{cloud.url}/v3", **CATALOG_USER)
    with pytest.raises(exc.EndpointNotFound, match="'block-storage' for the interface public"):
        client.block_storage()


def test_without_a_catalog_the_endpoints_of_other_services_are_needed():
    client = clients.get_client(1, endpoint="http://localhost:1")
    with pytest.raises(exc.EndpointNotFound, match="--volume-endpoint"):
        client.block_storage()
    with pytest.raises(exc.EndpointNotFound, match="--compute-endpoint"):
        client.compute()


def test_clouds_yaml(cloud, tmp_path, monkeypatch):
    auth = {"auth_url": f"{cloud.url}/v3", **CATALOG_USER}
    open_cloud = {"auth": {"endpoint": cloud.url}, "auth_type": "password"}
    content = {"clouds": {"lab": {"auth": auth, "region_name": "one"}, "open": open_cloud}}
    (tmp_path / "clouds.yaml").write_text(json.dumps(content))
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(tmp_path / "clouds.yaml"))
    clients.get_client(1, os_cloud="lab", os_ironic_api_version="1.50").node.get("n")
    assert asked(cloud).headers["x-auth-token"] == "the-token"
    clients.get_client(1, "none", cloud="open").node.get("n")
    assert cloud.requests[-1].path == "/v1/nodes/n"
    with pytest.raises(exc.AmbiguousAuthSystem, match="absent"):
        clients.get_client(1, cloud="absent")


@pytest.mark.parametrize("region", ["one", "two"])
def test_a_region_of_clouds_yaml_has_values_of_its_own(cloud, tmp_path, monkeypatch, region):
    regions = [
        {"name": name, "values": {"baremetal_endpoint_override": f"{cloud.url}/of-{name}"}}
        for name in ("one", "two")
    ]
    auth = {"auth_url": f"{cloud.url}/v3", **CATALOG_USER}
    content = {"clouds": {"lab": {"auth": auth, "regions": regions}}}
    (tmp_path / "clouds.yaml").write_text(json.dumps(content))
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(tmp_path / "clouds.yaml"))
    options = {"region_name": region, "os_ironic_api_version": "1.50"}
    clients.get_client(1, cloud="lab", **options).node.get("n")
    assert asked(cloud).path == f"/of-{region}/v1/nodes/n"


def test_a_region_without_the_service(cloud):
    options = {**CATALOG_USER, "auth_url": f"{cloud.url}/v3", "region_name": "three"}
    client = clients.get_client(1, **options)
    with pytest.raises(exc.EndpointNotFound, match="region three"):
        client.node.get("n")


def test_the_deadline_counts_for_the_lookup_of_the_endpoint(cloud):
    client = clients.get_client(1, auth_url=f"{cloud.url}/v3", **CATALOG_USER)
    with pytest.raises(exc.ConnectionError):
        client.node.get("n", deadline=0)
    assert all(one.path.startswith("/v3") for one in cloud.requests)


def test_a_service_is_found_by_its_name(cloud):
    options = {**CATALOG_USER, "auth_url": f"{cloud.url}/v3"}
    clients.get_client(1, service_name="baremetal", **options).node.get("n")
    assert asked(cloud).path == "/public/v1/nodes/n"
    with pytest.raises(exc.EndpointNotFound):
        clients.get_client(1, service_name="other", **options).node.get("n")


@pytest.mark.parametrize("has_session", [True, False])
def test_an_authentication_plugin_is_taken(cloud, has_session):
    plugin = token_endpoint.Token(cloud.url, "t")
    shared = session.Session(auth=noauth.NoAuth()) if has_session else None
    clients.get_client(1, session=shared, auth=plugin).node.get("n")
    assert asked(cloud).headers["x-auth-token"] == "t"
    assert shared is None or isinstance(shared.auth, noauth.NoAuth)


def test_a_logger_of_the_caller_gets_the_requests(cloud, caplog):
    logger = logging.getLogger("of.the.caller")
    with caplog.at_level(logging.DEBUG):
        clients.get_client(1, endpoint=cloud.url, logger=logger).node.get("n")
    assert {one.name for one in caplog.records if "REQ:" in one.message} == {"of.the.caller"}


@pytest.mark.parametrize(("retries", "notices"), [(None, 0), (2, 2)])
def test_failures_to_connect_are_retried_on_demand(caplog, retries, notices):
    client = clients.get_client(
        1, endpoint="http://127.0.0.1:9", connect_retries=retries, retry_interval=0
    )
    with pytest.raises(exc.ConnectionRefused):
        client.node.delete("n")
    assert caplog.text.count("Retrying") == notices


def test_all_options_of_the_command_line_are_known():
    for name in {*global_options.AUTHENTICATION, *global_options.SERVICE} - {"auth-type", "cloud"}:
        given = {"endpoint": "http://localhost:1", f"os_{name.replace('-', '_')}": "x"}
        clients.get_client(1, "none", **given)


def test_client_takes_an_endpoint_and_a_session(cloud):
    ready = session.Session(auth=noauth.NoAuth())
    clients.Client(1, cloud.url, ready, os_ironic_api_version="1.50").node.get("n")
    assert asked(cloud).version == "1.50"


def test_the_major_version_may_be_left_out(scripted):
    _, server = scripted(Reply({"uuid": "u"}))
    assert clients.get_client(endpoint=server.url).node.get("u").uuid == "u"


VERSION_IN_USE = re.compile(r"Bare Metal API version (\S+) is in use")


@pytest.mark.parametrize(
    ("requested", "told", "version"),
    [(None, ["1.80"], "1.80"), ("latest", [], "1.80"), ("1.50", [], "1.50")],
)
def test_the_version_in_use_is_told_once_if_the_program_requests_none(
    scripted, caplog, requested, told, version
):
    replies = [Reply({"uuid": "u"})] * 2
    client, server = scripted(*replies, versions=offering("1.80"), os_ironic_api_version=requested)
    with caplog.at_level(logging.INFO, "baremetalclient"):
        client.node.get("u")
        client.node.get("u")
    assert VERSION_IN_USE.findall(caplog.text) == told
    assert server.requests[-1].version == version


def test_the_default_of_python_ironicclient_is_lowered_for_an_older_server(scripted):
    client, server = scripted(
        Reply({"uuid": "u"}), versions=offering("1.6"), os_ironic_api_version="ironicclient"
    )
    client.node.get("u")
    assert server.requests[-1].version == "1.6"


def test_a_client_closes_its_own_connections_and_no_others(scripted, monkeypatch):
    _, server = scripted(Reply({"uuid": "u"}))
    closed = []
    monkeypatch.setattr(requests.Session, "close", lambda self: closed.append(self))
    with clients.get_client(endpoint=server.url) as ironic:
        ironic.node.get("u")
        own = ironic.http_client.session
        assert closed == []
    assert closed == [own.session]
    with clients.get_client(session=own, endpoint=server.url) as ironic:
        ironic.node.get("u")
    assert closed == [own.session]
    assert ironic.node.get("u").uuid == "u"


@pytest.mark.parametrize(
    ("options", "sent"),
    [({"status_code_retries": 2}, 3), ({"status_code_retries": 2, "max_retries": 0}, 1)],
)
def test_keywords_of_adapters_are_taken(scripted, options, sent):
    _, server = scripted(Reply(status=503))
    ironic = clients.get_client(endpoint=server.url, retry_interval=0, min_version="1", **options)
    with pytest.raises(exc.ServiceUnavailable):
        ironic.node.get("u")
    assert len(server.requests) == sent
