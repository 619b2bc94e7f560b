"""What the environment of the user adds to requests, and what it doesn't; it is looked up once."""

from __future__ import annotations

import base64

import pytest
import requests
from keystoneauth1.noauth import NoAuth
from keystoneauth1.session import Session, TCPKeepAliveAdapter

from baremetalclient import client, exc
from baremetalclient._http.session import HttpSession
from baremetalclient.tests.unit.scripted import Reply

PROXY = "http://proxy.example.com:3128"
NODE = "http://ironic.example.com:6385/v1/nodes/n"


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    return monkeypatch


def settings(session, url=NODE, proxies=None, verify=True, cert=None):
    return session.merge_environment_settings(url, proxies or {}, True, verify, cert)


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"HTTP_PROXY": PROXY},
        {"HTTP_PROXY": PROXY, "NO_PROXY": "example.com"},
        {"HTTPS_PROXY": PROXY, "REQUESTS_CA_BUNDLE": "/ca.pem"},
        {"CURL_CA_BUNDLE": "/ca.pem"},
    ],
)
@pytest.mark.parametrize("url", [NODE, "https://ironic.example.com/v1", "http://127.0.0.1:6385/"])
@pytest.mark.parametrize("verify", [True, False, "/other.pem"])
def test_settings_are_those_of_requests(environment, variables, url, verify):
    for name, value in variables.items():
        environment.setenv(name, value)
    session = HttpSession()
    expected = settings(requests.Session(), url, verify=verify)
    assert settings(session, url, verify=verify) == expected
    assert settings(session, url, verify=verify) == expected


def test_the_environment_is_asked_once_for_each_server(environment):
    session = HttpSession()
    assert settings(session)["proxies"] == {}
    environment.setenv("HTTP_PROXY", PROXY)
    assert settings(session, f"{NODE}/other?limit=1")["proxies"] == {}
    assert settings(session, "http://other.example.com/v1")["proxies"] == {"http": PROXY}
    assert settings(HttpSession())["proxies"] == {"http": PROXY}


def test_a_session_of_the_caller_is_shared_and_not_changed(environment, requests_mock):
    requests_mock.get("http://127.0.0.1:6385/v1/nodes/n", json={"uuid": "u"})
    session = Session(auth=NoAuth(endpoint="http://127.0.0.1:6385"))
    own, kept = session.session, {**vars(session.session)}
    node = client.get_client(1, session=session, os_ironic_api_version="1.90").node
    asked = []
    environment.setattr(
        requests.sessions, "get_environ_proxies", lambda *_, **__: asked.append(1) or {}
    )
    node.get("n")
    node.get("n")
    assert len(asked) == 1
    assert type(session.session) is requests.Session
    assert session.session is own
    assert kept.items() <= vars(own).items()  # the mock adds a method
    # What the caller changes later holds for the client, too.
    own.headers["X-Trace"] = "t"
    session.verify = "/ca.pem"
    session.additional_headers["X-Other"] = "o"
    session.auth = None
    node.get("n")
    last = requests_mock.last_request
    assert (last.headers["X-Trace"], last.headers["X-Other"], last.verify) == ("t", "o", "/ca.pem")
    assert "X-Auth-Token" not in last.headers


def test_a_session_of_another_class_is_used_as_it_is():
    class Own(Session):
        pass

    class OwnOfRequests(requests.Session):
        pass

    for session in (Own(), Session(session=OwnOfRequests())):
        made = client.get_client(1, session=session, endpoint="http://127.0.0.1:6385")
        assert made.http_client._sender.session is session


def test_what_a_request_brings_along_holds_for_it_alone(environment):
    environment.setenv("HTTP_PROXY", PROXY)
    session = HttpSession()
    other = {"http": "http://other.example.com"}
    assert settings(session, proxies=other)["proxies"] == other
    settings(session)["proxies"]["http"] = "http://changed.example.com"
    assert settings(session)["proxies"] == {"http": PROXY}
    assert settings(session, cert="/client.pem")["cert"] == "/client.pem"
    assert settings(session)["cert"] is None


def test_clients_have_it_and_keep_connections_alive():
    made = client.get_client(1, endpoint="http://127.0.0.1:6385")
    session = made.http_client.session.session
    assert isinstance(session, HttpSession)
    assert isinstance(session.get_adapter(NODE), TCPKeepAliveAdapter)


def test_passwords_of_netrc_are_not_sent(scripted, monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    client, server = scripted(Reply({"uuid": "u"}))
    client.node.get("n")
    assert [request.headers.get("authorization") for request in server.all_requests] == [None]


def test_credentials_of_the_endpoint_are_sent(scripted):
    _, server = scripted(Reply({"uuid": "u"}))
    client, _ = scripted(endpoint=server.url.replace("//", "//u:p@"))
    client.node.get("n")
    expected = f"Basic {base64.b64encode(b'u:p').decode()}"
    assert {request.headers.get("authorization") for request in server.all_requests} == {expected}


def test_a_dead_proxy_is_named(scripted, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    client, _ = scripted(endpoint="http://ironic.test:6385", max_retries=0)
    with pytest.raises(exc.ConnectionError, match=r"proxy that the environment names.*refused"):
        client.node.get("n")


def test_numbers_that_are_no_json_are_text(scripted):
    client, _ = scripted(Reply(b'{"uuid": "u", "extra": {"a": NaN, "b": -Infinity}}'))
    assert client.node.get("n").extra == {"a": "NaN", "b": "-Infinity"}
