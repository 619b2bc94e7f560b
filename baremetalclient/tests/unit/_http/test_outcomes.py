"""What becomes of calls, whatever the server responds and whatever the client is given."""

import json
import socket
import ssl

import pytest
import requests
from requests_mock import ANY

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient.tests.unit.scripted import VERSIONS

URL = "https://user:pass@ironic.test:6385"
KEYSTONE = "https://keystone.test/v3"
SECRET = {"password": "s3cret"}
NODE = {"uuid": "u", "name": "n", "driver_info": SECRET}
HTML = {"Content-Type": "text/html; charset=utf-8"}
FAULT = json.dumps({"faultstring": "Told s3cret \x1b[1m", "debuginfo": "Where s3cret"})
LOCKED = json.dumps({"faultstring": "Node n is locked by host h."})
LOGIN = "<html><title> Log &lt; in </title><input name=p type='password'></html>"
PAGE = "<!DOCTYPE html><style>a < b</style><h1>Not&nbsp;it</h1><script>x</script>"
MOVED = "https://ironic.test:6385/moved/v1/nodes/n"
STATUSES = (
    *(300, 304, 305, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415),
    *(416, 417, 422, 425, 429, 499, 500, 501, 502, 503, 504, 505, 507, 511, 599),
)
REPLIES = {
    "a node": {"json": NODE},
    "nothing": {"status_code": 204},
    "an empty body": {"text": ""},
    "a list": {"json": [NODE]},
    "text": {"text": "x" * 100, "headers": {"Content-Type": "text/plain"}},
    "no type": {"text": "\x1b", "headers": {}},
    "NaN": {"text": '{"uuid": NaN'},
    "deep JSON": {"text": "[" * 100_000},
    "a login page": {"text": LOGIN, "headers": HTML},
    "a page": {"text": PAGE, "headers": HTML},
    "nodes": {"json": {"nodes": [NODE]}},
    "nodes that are none": {"json": {"nodes": ["n"]}},
    "null": {"json": {"nodes": None}},
    "not UTF-8": {"content": b"\xff\xfe"},
    "a failure that is not UTF-8": {"status_code": 500, "content": b"a\xff"},
    "a deep message": {"status_code": 400, "json": [[[[["Deep"]]]]]},
    "a message that is too deep": {"status_code": 400, "json": [[[[[[["Deep"]]]]]]]},
    "a deep object": {"status_code": 400, "json": {"a": {"error": {"errors": {"fault": "Deep"}}}}},
    "an object that is too deep": {
        "status_code": 400,
        "json": json.loads('{"a":' * 8 + "1" + "}" * 8),
    },
    "a text that is too deep": {
        "status_code": 400,
        "json": json.loads('{"a":' * 6 + '{"title": "T"}' + "}" * 6),
    },
    "several texts": {"status_code": 400, "json": {"detail": "D", "message": "M", "title": "T"}},
    "several objects": {"status_code": 400, "json": {"a": {"title": "A"}, "b": {"title": "B"}}},
    "a fault": {"status_code": 400, "json": {"error_message": FAULT}},
    "a lock": {"status_code": 409, "json": {"error_message": LOCKED}},
    "another conflict": {"status_code": 409, "json": {"error_message": "exists already"}},
    "a page of a proxy": {"status_code": 502, "text": PAGE, "headers": HTML},
    "a title of a proxy": {"status_code": 504, "text": LOGIN, "headers": HTML},
    "too many": {
        "status_code": 413,
        "headers": {"Retry-After": "7", "x-openstack-request-id": "req-1"},
    },
    "unavailable": {
        "status_code": 503,
        "headers": {"Retry-After": "0", "openstack-request-id": "req-2"},
    },
    "unavailable for long": {"status_code": 503, "headers": {"Retry-After": "121"}},
    "elsewhere": {"status_code": 301},
    **{
        f"{status} to {where}": {"status_code": status, "headers": {"Location": where}}
        for status in (301, 303, 304, 307, 308)
        for where in (
            MOVED,
            "/moved/v1/nodes/n",
            "https://u:p@other.test/",
            MOVED.replace("s", "", 1),
        )
    },
    **{str(status): {"status_code": status, "json": {}} for status in STATUSES},
    "no name": {"exc": requests.exceptions.ConnectionError(socket.gaierror(-2, "Unknown"))},
    "refused": {"exc": requests.exceptions.ConnectionError(ConnectionRefusedError(111, "No"))},
    "reset": {"exc": requests.exceptions.ConnectionError(ConnectionResetError(104, "Reset"))},
    "not TLS": {
        "exc": requests.exceptions.SSLError(ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] no"))
    },
    "no time to connect": {"exc": requests.exceptions.ConnectTimeout("https://u:p@host/ slow")},
    "no time to read": {"exc": requests.exceptions.ReadTimeout()},
    "a header": {"exc": requests.exceptions.InvalidHeader("Bad header")},
    "another failure": {"exc": requests.exceptions.RequestException("Odd")},
}
CALLS = {
    "get": lambda client: client.node.get("n").to_dict(),
    "list": lambda client: [node.to_dict() for node in client.node.list()],
    "create": lambda client: client.node.create(driver="d", driver_info=SECRET).to_dict(),
    "delete": lambda client: client.node.delete("n"),
}


def outcome(call, *arguments):
    """Return what a call returns, or its exception as users see it."""
    try:
        return [json.dumps(call(*arguments))[:110]]
    except TypeError as error:
        return [str(error)[:110]]
    except exc.ClientException as error:
        names = ("request_id", "http_status", "retry_after")
        told = [f"{name}={value}" for name in names if (value := getattr(error, name, None))]
        cause = type(error.__cause__).__name__
        return [f"{type(error).__name__} {' '.join(told)} {cause}", str(error)[:110]]


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def test_outcomes_are_as_recorded(recorded, requests_mock):
    found = {}
    for name, reply in REPLIES.items():
        reply = {**reply, "headers": {**VERSIONS, **reply.get("headers", {})}}
        if "exc" in reply:
            del reply["headers"]
        requests_mock.register_uri(ANY, ANY, **reply)
        requests_mock.register_uri("GET", f"{URL}/v1", json={"id": "v1"}, headers=VERSIONS)
        usual = None
        for call, function in CALLS.items():
            requests_mock.reset_mock()
            client = clients.get_client(
                1, endpoint=URL, token="t0ken", max_retries=2, retry_interval=0
            )
            kind, *text = outcome(function, client)
            kind = f"{kind}, {len(requests_mock.request_history)} sent"
            if usual is None:
                usual = kind
                found[name] = [kind, *text]
            elif kind != usual:
                found[name].append(f"{call}: {kind[:60].strip()}")
    recorded(found)


CREDENTIALS = {
    "auth_url": KEYSTONE,
    "username": "u",
    "password": "s3cret",
    "project_name": "p",
    "user_domain_id": "d",
    "project_domain_id": "d",
}
IDENTITY = {
    name: REPLIES[name]
    for name in (
        *("nothing", "text", "a login page", "a fault", "refused", "no name", "reset", "not TLS"),
        *("no time to connect", "no time to read", "400", "401", "403", "404", "500", "503", "504"),
        *("301 to https://u:p@other.test/", "an empty body"),
    )
}


def test_failures_of_the_identity_service_are_as_recorded(recorded, requests_mock):
    found = {}
    for name, reply in IDENTITY.items():
        requests_mock.register_uri(ANY, ANY, **reply)
        client = clients.get_client(1, **CREDENTIALS, retry_interval=0)
        found[name] = outcome(CALLS["get"], client)
    recorded(found)


SESSIONS = {
    "nothing": {},
    "an endpoint": {"endpoint": URL},
    "no password": {"auth_url": KEYSTONE, "username": "u"},
    "a password": CREDENTIALS,
    "a token": {"auth_url": KEYSTONE, "token": "t"},
    "an old token": {"os_auth_token": "t", "os_auth_url": KEYSTONE},
    "an application": {
        "auth_url": KEYSTONE,
        "application_credential_id": "i",
        "application_credential_secret": "s",
    },
    "an application by name": {
        "auth_url": KEYSTONE,
        "application_credential_name": "i",
        "application_credential_secret": "s",
        "username": "u",
        "user_domain_id": "d",
    },
    "an endpoint and a token": {"endpoint": URL, "token": "t"},
    "an endpoint and a user": {"endpoint": URL, "username": "u", "password": "p"},
    "no authentication": {"endpoint": URL, "auth_type": "noauth", "username": "u"},
    "none": {"endpoint": URL, "auth_type": "none"},
    "an endpoint's token": {"endpoint": URL, "auth_type": "token_endpoint", "token": "t"},
    "a token for an endpoint": {"endpoint": URL, "auth_type": "admin_token", "token": "t"},
    "an unknown type": {"endpoint": URL, "auth_type": "bogus"},
    "an unknown option": {"endpoint": URL, "colour": "red"},
    "an option of another type": {"endpoint": URL, "identity_provider": "red"},
    "nested": {"auth": CREDENTIALS, "password": "other"},
    "nested twice": {"auth": {"auth": CREDENTIALS}},
    "old names": {
        **{"endpoint": URL, "os_user_name": "u", "os_tenant_name": "t", "tenant_id": "i"},
        **{"ca_file": "/ca", "cert_file": "/cert", "key_file": "/key"},
    },
    "a certificate": {"endpoint": URL, "cert": "/cert"},
    "a key alone": {"endpoint": URL, "key": "/key"},
    "authorities": {"endpoint": URL, "cacert": "/ca"},
    "authorities and none": {"endpoint": URL, "cacert": "/ca", "insecure": True},
    "insecure": {"endpoint": URL, "insecure": True},
    "not insecure": {"endpoint": URL, "insecure": False},
    "verified": {"endpoint": URL, "verify": "/ca"},
    "not verified": {"endpoint": URL, "verify": False},
    "a timeout": {"endpoint": URL, "timeout": 7},
    "none at all": {"endpoint": URL, "timeout": None, "token": None},
    "a negative time": {"endpoint": URL, "retry_interval": -1},
    "no URL": {"endpoint": "ironic.test"},
    "another scheme": {"endpoint": "ftp://u:p@ironic.test"},
}


APPLICATION = [f"application_credential_{name}" for name in ("id", "name", "secret")]


def made(options):
    """Return what is in a session for some options."""
    client = clients.get_client(1, **options)
    session = client.http_client.session
    auth = session.auth
    names = ("auth_url", "endpoint", "token", "username", "password", "include_catalog")
    shown = {name: getattr(auth, name) for name in names if getattr(auth, name, None)}
    (method,) = getattr(auth, "auth_methods", (None,))
    shown |= {name: value for name in APPLICATION if (value := getattr(method, name, None))}
    return {
        "auth": [type(auth).__name__, shown],
        "tls": [session.verify, session.cert],
        "timeout": session.timeout,
    }


def test_sessions_are_as_recorded(recorded):
    found = {name: outcome(made, options)[-1][:110] for name, options in SESSIONS.items()}
    recorded(found)


@pytest.mark.parametrize(
    ("replies", "sent"),
    [
        (["silent"] * 9, 2),
        (["silent", 503, "silent", 200], 3),
        (["silent", "reset", 503, 200], 4),
        (["reset"] * 9, 6),
    ],
)
def test_a_server_that_hangs_is_asked_once_more(requests_mock, replies, sent):
    """Twice the timeout of two minutes, whatever else fails in between."""
    known = {
        "silent": {"exc": requests.exceptions.ReadTimeout()},
        "reset": {"exc": requests.exceptions.ConnectionError(ConnectionResetError(104, "Reset"))},
    }
    usual = {"headers": VERSIONS, "json": {"uuid": "u"}}
    found = [known.get(reply, {"status_code": reply, **usual}) for reply in replies]
    requests_mock.register_uri("GET", f"{URL}/v1/nodes/n", found)
    client = clients.get_client(
        1, endpoint=URL, token="t", os_ironic_api_version="1.80", retry_interval=0
    )
    if replies[-1] == 200 and replies.count("silent") == 1:
        assert client.node.get("n").uuid == "u"
    else:
        with pytest.raises(exc.ConnectionError):
            client.node.get("n")
    assert len(requests_mock.request_history) == sent
