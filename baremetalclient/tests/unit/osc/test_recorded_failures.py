"""What commands print when the server refuses what they ask, and which server they ask."""

import argparse
import json
import logging
import os
from pathlib import Path

import pytest

from baremetalclient import client as clients
from baremetalclient import shell
from baremetalclient.osc import global_options
from baremetalclient.osc.command_table import COMMANDS
from baremetalclient.tests.unit.osc.test_recorded_requests import ELSEWHERE, base, lines, sent
from baremetalclient.tests.unit.recorded import check
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer, fault

RECORD = Path(__file__).with_name("failures.json")
REPLIES = {
    "400": fault("Wrong value."),
    "404": fault("Node x could not be found.", 404),
    "409": fault("Node x is locked by host h.", 409),
    "empty": Reply({}),
}


@pytest.fixture(scope="module")
def server():
    with ScriptedServer() as made:
        yield made


@pytest.fixture(autouse=True)
def environment(monkeypatch, tmp_path):
    for variable in list(os.environ):
        if variable.startswith("OS_"):
            monkeypatch.delenv(variable)
    monkeypatch.chdir(tmp_path)
    return monkeypatch


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ELSEWHERE])
def test_failures_are_as_recorded(server, request, environment, capsys, name):
    for variable in ("OS_ENDPOINT", "OS_VOLUME_ENDPOINT", "OS_COMPUTE_ENDPOINT"):
        environment.setenv(variable, server.url)
    found = {}
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    for kind, reply in REPLIES.items():
        server.script = [reply]
        server.all_requests.clear()
        capsys.readouterr()
        try:
            code = shell.main(["--max-retries", "0", *base(name)])
        except SystemExit as stop:
            code = stop.code
        finally:
            root.handlers[:] = handlers
            root.setLevel(level)
        printed = capsys.readouterr()
        asked = sorted({sent(each).split(" ")[0] for each in server.all_requests})
        found[kind] = [code or 0, lines(printed.out), lines(printed.err), asked]
    check(request, RECORD, name, json.loads(json.dumps(found).replace(server.url, "URL")))


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


def test_options_choose_the_server_as_recorded(request, environment):
    given = []
    environment.setattr(clients, "get_client", lambda *_, **options: given.append(options))
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
    check(request, RECORD, "(client)", found)
