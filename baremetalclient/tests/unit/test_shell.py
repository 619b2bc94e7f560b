"""The standalone ``baremetal`` as a process: what it loads, what it is told, what it says."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from importlib import metadata

import pytest

from baremetalclient.tests.unit.scripted import Reply, ScriptedServer, fault

NODES = Reply({"nodes": []})
HEAVY = {"requests", "urllib3", "keystoneauth1", "openstack", "osc_lib", "cliff", "stevedore"}


def call(
    *words, code="import sys; from baremetalclient.shell import main; sys.exit(main())", **env
):
    """Run ``baremetal`` in a process of its own, with an environment without a cloud."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OS_")}
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        env={**clean, **env},
        timeout=60,
        check=False,
    )


def modules_of(*words, **env):
    code = (
        "import sys; from baremetalclient.shell import main\n"
        "try:\n    main()\nfinally:\n    print('@', *sys.modules)"
    )
    done = call(*words, code=code, **env)
    return set(done.stdout.decode().rpartition("@")[2].split())


def packages(modules):
    return {name.partition(".")[0] for name in modules}


def test_the_version_loads_nothing_heavy():
    assert packages(modules_of("--version")).isdisjoint({*HEAVY, "yaml", "prettytable"})
    version = call("--version").stdout.decode()
    assert version == f"baremetal {metadata.version('baremetalclient')}\n"


def test_help_of_a_command_loads_no_transport():
    loaded = packages(modules_of("node", "list", "--help"))
    assert loaded.isdisjoint({"requests", "urllib3", "keystoneauth1", "openstack", "osc_lib"})


def test_a_command_loads_what_it_needs():
    with ScriptedServer(Reply({"connectors": []})) as server:
        loaded = modules_of("volume", "connector", "list", OS_ENDPOINT=server.url)
    assert packages(loaded).isdisjoint({"openstack", "osc_lib", "yaml", "jsonpatch", "os_traits"})
    assert loaded.isdisjoint({"keystoneauth1.loading", "keystoneauth1.identity"})
    commands = {name for name in loaded if name.startswith("baremetalclient.osc.v1.")}
    assert commands == {"baremetalclient.osc.v1.volume_connector"}
    managers = {name for name in loaded if name.startswith("baremetalclient.v1.")}
    needed = ("adapter", "client", "http", "volume_connector")
    assert managers == {f"baremetalclient.v1.{name}" for name in needed}


def test_the_plugin_of_openstackclient_loads_nothing():
    done = call(code="import sys, baremetalclient.osc.plugin; print(*sys.modules)")
    loaded = set(done.stdout.decode().split())
    assert packages(loaded).isdisjoint({*HEAVY, "yaml"})
    assert {name for name in loaded if name.startswith("baremetalclient")} == {
        *("baremetalclient", "baremetalclient.osc", "baremetalclient.osc.plugin")
    }


def test_modules_of_commands_load_no_managers():
    code = (
        "import sys, pkgutil, importlib, baremetalclient.osc.v1 as v1\n"
        "for m in pkgutil.walk_packages(v1.__path__, v1.__name__ + '.'):\n"
        "    importlib.import_module(m.name)\n"
        "print(*sys.modules)"
    )
    loaded = set(call(code=code).stdout.decode().split())
    assert "baremetalclient.osc.v1.node.states" in loaded
    assert packages(loaded).isdisjoint({"requests", "keystoneauth1", "openstack", "osc_lib"})
    assert not [name for name in loaded if name.startswith("baremetalclient.v1.")]


@pytest.mark.parametrize("how", ["option", "variable", "override"])
def test_an_endpoint_is_enough(how):
    with ScriptedServer(NODES) as server:
        if how == "option":
            done = call("--os-endpoint", server.url, "node", "list")
        elif how == "override":
            done = call("--os-endpoint-override", server.url, "node", "list")
        else:
            done = call("node", "list", OS_ENDPOINT=server.url)
        assert (done.returncode, done.stderr) == (0, b"")
        assert len(server.requests) == 1


def test_http_basic():
    with ScriptedServer(NODES) as server:
        env = {"OS_AUTH_TYPE": "http_basic", "OS_USERNAME": "me", "OS_PASSWORD": "s3cret"}
        done = call("--debug", "node", "list", OS_ENDPOINT=server.url, **env)
        assert done.returncode == 0
        header = server.requests[0].headers["authorization"]
    assert header == "Basic " + base64.b64encode(b"me:s3cret").decode()
    assert b"s3cret" not in done.stderr
    assert header.encode() not in done.stderr


@pytest.mark.parametrize(
    ("env", "method", "response"),
    [
        (
            {"OS_USERNAME": "me", "OS_PASSWORD": "s3cret", "OS_USER_DOMAIN_NAME": "Default"},
            "password",
            {"user": {"name": "me", "password": "s3cret", "domain": {"name": "Default"}}},
        ),
        ({"OS_TOKEN": "s3cret"}, "token", {"id": "s3cret"}),
        (
            {
                "OS_AUTH_TYPE": "v3applicationcredential",
                "OS_APPLICATION_CREDENTIAL_ID": "a",
                "OS_APPLICATION_CREDENTIAL_SECRET": "s3cret",
            },
            "application_credential",
            {"id": "a", "secret": "s3cret"},
        ),
    ],
)
def test_keystone(env, method, response):
    with ScriptedServer(NODES) as ironic, ScriptedServer() as keystone:
        catalog = [
            {
                "type": "baremetal",
                "name": "other",
                "endpoints": [
                    {"interface": "internal", "region": "r1", "url": "http://127.0.0.1:1"},
                ],
            },
            {
                "type": "baremetal",
                "name": "ironic",
                "endpoints": [
                    {"interface": "public", "region": "r1", "url": "http://127.0.0.1:1"},
                    {"interface": "internal", "region": "r1", "url": ironic.url},
                ],
            },
        ]
        token = {
            "methods": [method],
            "expires_at": "2099-01-01T00:00:00.000000Z",
            "issued_at": "2026-01-01T00:00:00.000000Z",
            "user": {"id": "u", "name": "me", "domain": {"id": "d", "name": "Default"}},
            "catalog": catalog,
        }
        version = {
            "id": "v3.14",
            "status": "stable",
            "links": [{"rel": "self", "href": f"{keystone.url}/v3/"}],
        }
        login = Reply({"token": token}, 201, {"X-Subject-Token": "a-t0ken"})
        keystone.reply_to = lambda request: (
            login if request.method == "POST" else Reply({"version": version})
        )
        where = {"OS_AUTH_URL": f"{keystone.url}/v3", "OS_REGION_NAME": "r1"}
        options = ("--debug", "--os-interface", "internal", "--os-service-name", "ironic")
        done = call(*options, "node", "list", **where, **env)
        assert done.returncode == 0, done.stderr
        assert keystone.requests[-1].json["auth"]["identity"][method] == response
        assert ironic.requests[0].headers["x-auth-token"] == "a-t0ken"
    assert b"s3cret" not in done.stderr
    assert b"a-t0ken" not in done.stderr


def test_a_cloud_of_a_file(tmp_path):
    with ScriptedServer(NODES) as server:
        cloud = {"auth_type": "none", "baremetal_endpoint_override": server.url}
        cloud["baremetal_default_microversion"] = "1.60"
        path = tmp_path / "clouds.yaml"
        path.write_text(json.dumps({"clouds": {"lab": cloud}}))
        env = {"OS_CLIENT_CONFIG_FILE": str(path), "OS_AUTH_TYPE": "password", "OS_USERNAME": "x"}
        for words, cloud in ((("--os-cloud", "lab"), {}), ((), {"OS_CLOUD": "lab"})):
            done = call(*words, "node", "list", **env, **cloud)
            assert (done.returncode, done.stderr) == (0, b"")
        assert [request.version for request in server.requests] == ["1.60", "1.60"]


def test_no_endpoint_and_no_credentials():
    done = call("node", "list")
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1
    assert b"endpoint" in done.stderr


@pytest.mark.parametrize("how", ["option", "variable"])
def test_versions(how):
    with ScriptedServer(NODES) as server:
        if how == "option":
            call("--os-endpoint", server.url, "--os-baremetal-api-version", "1.60", "node", "list")
        else:
            call("node", "list", OS_ENDPOINT=server.url, OS_BAREMETAL_API_VERSION="1.60")
        assert server.requests[0].version == "1.60"


def test_too_old_a_version_says_what_is_needed():
    with ScriptedServer(NODES) as server:
        words = ("--os-endpoint", server.url, "--os-baremetal-api-version", "1.31")
        done = call(*words, "volume", "connector", "list")
        assert server.requests == []
    assert done.returncode == 1
    assert b"1.32" in done.stderr
    assert b"--os-baremetal-api-version" in done.stderr


def test_no_version():
    done = call("--os-baremetal-api-version", "banana", "node", "list")
    assert done.returncode == 2
    assert b"Invalid API version 'banana'" in done.stderr


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (("node", "lisst"), b"'node list'"),
        (("volume", "conector", "list", "--long"), b"'volume connector list'"),
        (("portt", "show", "x"), b"'port show'"),
        (
            ("volume",),
            b"Did you mean 'volume attach', 'volume attachment list', 'volume attachment wait', "
            b"'volume connector create', 'volume connector delete'?\n",
        ),
    ],
)
def test_an_unknown_command_suggests_near_ones(words, near):
    done = call(*words)
    assert done.returncode == 2
    assert done.stdout == b""
    assert near in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_an_unknown_command_far_from_all():
    done = call("frobnicate")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"baremetal help" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--no-such", "x", "node", "list"),
            b"Unknown option '--no-such'. See 'baremetal --help'.",
        ),
        (("--os-clod", "x", "node", "list"), b"Did you mean --os-cloud?"),
        (("--os-tokn=s3cret", "node", "list"), b"Unknown option '--os-tokn'."),
        (("node", "--lst"), b"Unknown option '--lst'."),
    ],
)
def test_an_unknown_option_is_called_an_option(words, message):
    done = call(*words)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr
    assert b"s3cret" not in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_errors_have_a_traceback_only_with_debug():
    with ScriptedServer(fault("No.", 404)) as server:
        words = ("--os-endpoint", server.url, "node", "show", "x")
        plain, debug = call(*words), call("--debug", *words)
    assert plain.returncode == debug.returncode == 1
    assert b"Traceback" not in plain.stderr
    assert plain.stderr.count(b"\n") == 1
    assert b"Traceback" in debug.stderr


def test_debug_masks_secrets():
    secrets = {"driver_info": {"ipmi_password": "s3cret"}, "properties": {"auth_token": "t0p"}}
    reply = Reply({"uuid": "u", **secrets})
    with ScriptedServer(reply) as server:
        words = ("node", "set", "x", "--driver-info", "ipmi_password=s3cret")
        done = call("--debug", "--os-endpoint", server.url, *words, "--property", "auth_token=t0p")
    assert done.returncode == 0
    assert b"PATCH" in done.stderr
    assert b"s3cret" not in done.stderr
    assert b"t0p" not in done.stderr


def test_nothing_raw_reaches_the_terminal():
    evil = "\x1b]0;owned\x07\x9b\u202e"
    node = {"uuid": evil, "name": evil, "extra": {evil: evil}}
    with ScriptedServer(Reply({"nodes": [node]}), fault(evil, 404)) as server:
        listed = call("--os-endpoint", server.url, "node", "list", "--fields", "name", "extra")
        failed = call("--debug", "--os-endpoint", server.url, "node", "show", f"a{evil}")
    assert listed.returncode == 0
    for text in (listed.stdout, listed.stderr, failed.stdout, failed.stderr):
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(text.decode())
    assert failed.returncode == 1


@pytest.mark.parametrize("output", ["table", "value", "csv", "json", "yaml", "shell"])
@pytest.mark.parametrize(
    "env",
    [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "ascii"}],
    ids=str,
)
def test_any_name_can_be_printed_anywhere(env, output):
    names = ["caf\u00e9", "\U0001f600", "\ud800"]
    with ScriptedServer(Reply({"nodes": [{"name": name} for name in names]})) as server:
        words = ("node", "list", "--fields", "name", "-f", output)
        done = call("--os-endpoint", server.url, *words, **env)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout


def test_a_broken_pipe_is_no_error():
    with ScriptedServer(Reply({"nodes": [{"name": "n" * 1000}] * 1000})) as server:
        code = (
            "import os, sys; from baremetalclient.shell import main; r, w = os.pipe(); os.close(r);"
            "os.dup2(w, 1); sys.exit(main())"
        )
        words = ("--os-endpoint", server.url, "node", "list", "--fields", "name", "-f", "value")
        done = call(*words, code=code)
    assert b"Traceback" not in done.stderr


def test_version_show():
    with ScriptedServer() as server:
        done = call("--os-endpoint", server.url, "version", "show", "-f", "json")
    shown = json.loads(done.stdout)
    assert shown["client"] == metadata.version("baremetalclient")
    assert (shown["server_min"], shown["server_max"]) == ("1.1", "1.115")
    assert shown["negotiated"] == "1.115"


def test_completion():
    done = call("complete", "--shell", "zsh")
    assert done.returncode == 0
    assert b"compdef _baremetal baremetal" in done.stdout
    done = call("complete", "--candidates", "words", "volume", "connector", "li")
    assert (done.returncode, done.stdout) == (0, b"list\n")
    assert call("complete", "--candidates").returncode == 2


def test_help_lists_the_commands():
    done = call("--help")
    assert done.returncode == 0
    assert b"volume connector create" in done.stdout
    assert b"--os-endpoint" in done.stdout


def test_a_program_can_run_thousands_of_commands():
    # Each of them prepares the handlers of the program's log.
    code = (
        "import logging, sys\n"
        "from baremetalclient.shell import main\n"
        "handler = logging.NullHandler()\n"
        "logging.getLogger().addHandler(handler)\n"
        "main(['no-such-command'])\n"
        "first = handler.formatter\n"
        "main(['no-such-command'])\n"
        "sys.exit(handler.formatter is not first)"
    )
    assert call(code=code).returncode == 0
