"""What commands print when the server refuses what they ask, and which server they ask."""

import argparse

import pytest

from baremetalclient import client as clients
from baremetalclient.osc import global_options
from baremetalclient.osc.command_table import COMMANDS
from baremetalclient.tests.unit.osc.everything import lines, run_here, words_of
from baremetalclient.tests.unit.osc.test_requests import ELSEWHERE
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer, fault

REPLIES = {
    "refused": fault("Wrong value."),
    "empty": Reply({}),
}


@pytest.mark.rows
@pytest.mark.parametrize("kind", REPLIES)
def test_refusals_are_as_recorded(recorded, monkeypatch, tmp_path, capsys, kind):
    monkeypatch.chdir(tmp_path)
    found = {}
    with ScriptedServer(REPLIES[kind]) as server:
        for variable in ("OS_ENDPOINT", "OS_VOLUME_ENDPOINT", "OS_COMPUTE_ENDPOINT"):
            monkeypatch.setenv(variable, server.url)
        for name in (name for name in COMMANDS if name not in ELSEWHERE):
            code, _, err = run_here(["--max-retries", "0", *words_of(name)], capsys)
            told = lines(err.replace(server.url, "URL"))
            if kind == "empty":
                told = [line.split("(HTTP")[0][:100].strip() for line in told if code]
            found[name] = [f"exit {code}", *told]
    recorded(found)


CLOUD = {"OS_CLOUD": "c"}
PASSWORD = {
    "OS_AUTH_URL": "http://k",
    "OS_USERNAME": "u",
    "OS_PASSWORD": "p",
    "OS_PROJECT_NAME": "n",
}
SITUATIONS = {
    "nothing": ({}, ""),
    "an endpoint": ({}, "--os-endpoint http://e"),
    "another name of it": ({}, "--os-endpoint-override http://e"),
    "an endpoint of the environment": ({"OS_ENDPOINT": "http://e"}, ""),
    "both": ({"OS_ENDPOINT": "http://e"}, "--os-endpoint http://f"),
    "a password": (PASSWORD, ""),
    "another user": (PASSWORD, "--os-username v --os-project-name o"),
    "a cloud": (CLOUD, ""),
    "a cloud and a password": ({**CLOUD, **PASSWORD}, ""),
    "a cloud of the command line": (PASSWORD, "--os-cloud d"),
    "two clouds": (CLOUD, "--os-cloud d"),
    "a cloud and an endpoint": ({**CLOUD, **PASSWORD}, "--os-endpoint http://e"),
    "a cloud beside settings": (
        {**CLOUD, **PASSWORD, "OS_ENDPOINT": "http://e", "OS_REGION_NAME": "r"},
        "--os-interface internal",
    ),
    "a token": ({"OS_TOKEN": "t", "OS_ENDPOINT": "http://e"}, ""),
    "old variables": (
        {"OS_AUTH_TOKEN": "t", "IRONIC_URL": "http://i", "OS_TENANT_NAME": "n"},
        "",
    ),
    "a type": ({"OS_AUTH_TYPE": "http_basic", "OS_USERNAME": "u"}, "--os-endpoint http://e"),
    "an unknown type": ({"OS_AUTH_TYPE": "bogus", "OS_BOGUS": "b"}, "--os-endpoint http://e"),
    "a type with options of its own": (
        {"OS_IDENTITY_PROVIDER": "i", "OS_PROTOCOL": "p"},
        "--os-auth-type v3oidcpassword --os-client-id c",
    ),
    "what others use": ({"OS_COLOUR": "red", "OS_ENDPOINT": "http://e"}, ""),
    "empty variables": ({"OS_ENDPOINT": "", "OS_CLOUD": ""}, ""),
    "insecure": ({"OS_INSECURE": "true", "OS_ENDPOINT": "http://e"}, ""),
    "verified": ({"OS_INSECURE": "true", "OS_ENDPOINT": "http://e"}, "--verify"),
    "neither yes nor no": ({"OS_INSECURE": "maybe", "OS_ENDPOINT": "http://e"}, ""),
    "TLS": ({"OS_CACERT": "a", "OS_CERT": "b", "OS_KEY": "c"}, "--os-endpoint https://e"),
    "a version": ({"OS_BAREMETAL_API_VERSION": "1.50"}, "--os-endpoint http://e"),
    "the latest version": ({}, "--os-endpoint http://e --os-baremetal-api-version latest"),
    "times": (
        {},
        "--os-endpoint http://e --timeout 1.5 --max-retries 2 --retry-interval 3",
    ),
    "a region": (
        {**PASSWORD, "OS_REGION_NAME": "r", "OS_INTERFACE": "admin", "OS_SERVICE_TYPE": "s"},
        "",
    ),
    "a system": ({"OS_SYSTEM_SCOPE": "all", **PASSWORD}, "--os-user-domain-name d"),
}


def test_options_choose_the_server_as_recorded(recorded, monkeypatch):
    given = []
    monkeypatch.setattr(clients, "get_client", lambda *_, **options: given.append(options))
    found = {}
    for name, (variables, words) in SITUATIONS.items():
        with pytest.MonkeyPatch.context() as patch:
            for variable, value in variables.items():
                patch.setenv(variable, value)
            argv = words.split()
            parser = argparse.ArgumentParser()
            global_options.add_options(parser, argv)
            global_options.make_client(parser.parse_args(argv))
        found[name] = {key: value for key, value in given.pop().items() if value is not None}
    recorded(found)
