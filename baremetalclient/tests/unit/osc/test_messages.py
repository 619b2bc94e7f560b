"""What commands say when they cannot connect or authenticate."""

from __future__ import annotations

import socket

import pytest

from baremetalclient.tests.unit.scripted import Reply
from baremetalclient.tests.unit.test_client import Cloud

REFUSED = Reply({"error": {"code": 401, "message": "The request requires authentication."}}, 401)
USER = (
    *("--os-username", "u", "--os-password", "wrong", "--os-user-domain-name", "d"),
    *("--os-project-name", "x", "--os-project-domain-name", "d"),
)


@pytest.fixture
def closed_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        yield listener.getsockname()[1]


@pytest.mark.parametrize(
    ("credentials", "advice"),
    [
        ((), "No credentials were given. Give them, on the command line by --os-cloud"),
        (("--os-token", "t"), "The token has expired or belongs to another cloud."),
        (("--os-username", "u", "--os-password", "p"), "Check the user name and the password."),
    ],
)
def test_a_service_that_refuses_says_what_to_do(run, credentials, advice):
    done = run(*credentials, "node", "list", script=(REFUSED,))
    assert done.code == 1
    [line] = done.err.splitlines()
    assert line.startswith(f"The request requires authentication. {advice}")
    assert line.count("(HTTP 401)") == 1


def test_a_service_that_asks_for_a_user_says_which_options_name_it(run):
    basic = Reply(REFUSED.body, 401, headers={"WWW-Authenticate": 'Basic realm="Baremetal API"'})
    [line] = run("node", "list", script=(basic,)).err.splitlines()
    assert "by --os-auth-type http_basic with --os-username and --os-password. (HTTP" in line


@pytest.mark.parametrize("option", ["--os-cacert", "--os-cert"])
def test_files_of_tls_that_do_not_exist_are_no_outage(run, tmp_path, option):
    missing = str(tmp_path / "none.pem")
    done = run("--os-endpoint", "https://127.0.0.1:9", option, missing, "node", "list")
    [line] = done.err.splitlines()
    assert (done.code, done.requests) == (1, [])
    assert missing in line
    assert option in line
    assert "Retrying" not in line


def test_users_without_a_domain_are_told_the_option(run):
    text = "Expecting to find domain in user."

    class Refusing(Cloud):
        def token(self, request):
            return Reply({"error": {"code": 400, "message": text}}, 400)

    with Refusing() as cloud:
        done = run("--os-auth-url", f"{cloud.url}/v3", *USER, "node", "list")
    [line] = done.err.splitlines()
    assert line.startswith(f"Authentication failed: {text} Name the domain of the user by --os-us")


def test_refused_credentials_are_explained_once(run, keystone):
    done = run("--os-auth-url", keystone, *USER, "node", "list")
    assert done.code == 1
    [line] = done.err.splitlines()
    assert line.startswith("Authentication failed: Wrong password. Check the ")
    assert "a token was given, it has expired" in line
    assert line.count("HTTP 401") == 1


@pytest.fixture
def keystone():
    """The URL of an identity service that refuses the password."""
    with Cloud() as cloud:
        yield f"{cloud.url}/v3"


def test_services_that_cannot_be_reached(run, keystone, closed_port):
    no_tls = "the server does not use TLS there; is it http:// instead of https://?"
    refused = "the connection was refused; is the URL right, and is the service running?"
    https = keystone.replace("http:", "https:")
    for url, reason in ((f"http://127.0.0.1:{closed_port}/v3", refused), (https, no_tls)):
        done = run("--os-auth-url", url, *USER, "node", "list")
        told = f"Authentication failed: no connection to the identity service at {url}/auth/tokens"
        assert (done.code, done.err) == (1, f"{told}: {reason}\n")
    done = run("--os-endpoint", https, "node", "list")
    assert (done.code, done.err) == (1, f"Cannot connect to {https}/v1/nodes: {no_tls}\n")


def test_warnings_of_keystoneauth_are_shown_with_verbose(run, closed_port):
    url = f"http://127.0.0.1:{closed_port}/v3"
    done = run("-v", "--os-auth-url", url, *USER, "node", "list")
    assert "Failed to discover available identity versions" in done.err


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (
            Reply({"uuid": 5, "driver_info": {"ipmi_password": "s3cret"}}),
            "is not a node: it has a field 'uuid' that is no text. The content type is "
            'application/json, the beginning \'{"uuid": 5, "driver_info": {"ipmi_password": '
            '"******"}}\'. ',
        ),
        (
            Reply(b'{"uuid": "u", "driver_info": {"ipmi_password": "s3cr'),
            "is not JSON: Unterminated string starting at: line 1 column 48 (char 47). The content "
            'type is application/json, the beginning \'{"uuid": "u", "driver_info": '
            '{"ipmi_password": ******\'. ',
        ),
        (
            Reply(
                b"<!doctype html><title>Log in &amp; go</title><form><input name=p type=password>",
                headers={"Content-Type": "text/html"},
            ),
            "is not JSON but a login page with the title 'Log in & go'. ",
        ),
    ],
)
def test_a_body_that_is_something_else_is_called_that(run, reply, message):
    done = run("node", "show", "n", script=(reply,))
    assert (done.code, done.out) == (1, "")
    [line] = done.err.splitlines()
    assert f"/v1/nodes/n (HTTP 200) {message}" in line
    assert line.endswith("Is this the endpoint of the right service?")
