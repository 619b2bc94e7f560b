"""The standalone ``baremetal``: what it and the library load, what it reads, what it says."""

from __future__ import annotations

import gc
import io
import json
import os
import signal
import subprocess
import sys
import time
from importlib import metadata

import pytest

from baremetalclient.tests.unit.osc.everything import run_here
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer, fault
from baremetalclient.tests.unit.test_client import Cloud
from tools.rows import some

NODES = Reply({"nodes": []})
HEAVY = {"requests", "urllib3", "keystoneauth1", "openstack", "osc_lib", "cliff", "stevedore"}
MAIN = "import sys; from baremetalclient.shell import main; sys.exit(main())"


def call(*words, code=MAIN, **env):
    """Run ``baremetal`` in a process of its own, with an environment without a cloud."""
    return process(sys.executable, "-c", code, *words, **env)


def process(*command, **env):
    """Run a command with an environment without a cloud."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OS_")}
    return subprocess.run(
        command,
        capture_output=True,
        env={**clean, **env},
        timeout=60,
        check=False,
    )


@pytest.fixture
def run(monkeypatch, capsys):
    """Run ``baremetal`` in this process, with an environment without a cloud."""
    for name in [name for name in os.environ if name.startswith("OS_")]:
        monkeypatch.delenv(name)

    def make(*words, **env):
        with monkeypatch.context() as patch:
            for name, value in env.items():
                patch.setenv(name, value)
            return run_here(list(words), capsys)

    return make


def modules_of(*words, **env):
    code = (
        "import sys; from baremetalclient.shell import main\n"
        "try:\n    main()\nfinally:\n    print('@', *sys.modules)"
    )
    done = call(*words, code=code, **env)
    return set(done.stdout.decode().rpartition("@")[2].split())


def loaded_by(code):
    """Return the modules that are loaded when some code has run."""
    done = call(code=f"import sys, {code}; print(*sys.modules)")
    assert done.returncode == 0, done.stderr
    return set(done.stdout.decode().split())


def packages(modules):
    return {name.partition(".")[0] for name in modules}


@pytest.mark.parametrize(
    ("number", "words", "code", "told"),
    some(
        [
            (0, "node manage -", 2, "cannot read '-': Bad file descriptor"),
            (1, "node list", 1, "Can't write to standard output: Bad file descriptor."),
            (2, "node show n", 1, ""),
            (0, "apply -", 1, "cannot read '-': Bad file descriptor"),
            (1, "--help", 1, "Can't write to standard output: Bad file descriptor."),
            (1, "--version", 1, "Can't write to standard output: Bad file descriptor."),
            (0, "node delete --all", 2, "Without a terminal, give --yes."),
        ]
    ),
)
def test_a_stream_that_is_closed(number, words, code, told):
    nodes = Reply({"nodes": [{"uuid": "u", "name": "n"}]})
    reply = fault("No node.", 404) if number == 2 else nodes
    closing = f'exec "$0" -c "$@" {number}{">" if number else "<"}&-'
    with ScriptedServer(reply) as server:
        command = ["sh", "-c", closing, sys.executable, MAIN, *words.split()]
        done = process(*command, OS_ENDPOINT=server.url)
    assert done.returncode == code
    assert done.stderr.decode().strip().endswith(told)
    assert "NoneType" not in done.stderr.decode()


def test_ctrl_c_ends_a_command_that_reads_in_parallel():
    with ScriptedServer(Reply({"uuid": "u", "name": "n"}, delay=20)) as server:
        process = subprocess.Popen(
            [sys.executable, "-c", MAIN, "node", "explain", "n"],
            env={**os.environ, "OS_ENDPOINT": server.url},
            stderr=subprocess.PIPE,
        )
        while not server.all_requests:
            assert process.poll() is None
            time.sleep(0.01)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert time.monotonic() - start < 10
    assert process.returncode == 130
    assert b"Traceback" not in err


def test_the_version_loads_nothing_heavy():
    assert packages(modules_of("--version")).isdisjoint({*HEAVY, "yaml", "prettytable"})
    version = call("--version").stdout.decode()
    assert version == f"baremetal {metadata.version('baremetalclient')}\n"


def test_a_command_loads_what_it_needs():
    with ScriptedServer(Reply({"connectors": []})) as server:
        loaded = modules_of("volume", "connector", "list", OS_ENDPOINT=server.url)
    assert packages(loaded).isdisjoint({"openstack", "osc_lib", "yaml", "jsonpatch", "os_traits"})
    assert loaded.isdisjoint({"keystoneauth1.loading", "keystoneauth1.identity"})
    commands = {name for name in loaded if name.startswith("baremetalclient.osc.v1.")}
    assert commands == {"baremetalclient.osc.v1.volume_connector"}
    managers = {name for name in loaded if name.startswith("baremetalclient.v1.")}
    calls = ("calls", "calls.volume_connector")
    needed = ("adapter", "client", "resources", "volume_connector", *calls)
    assert managers == {f"baremetalclient.v1.{name}" for name in needed}


def test_the_plugin_of_openstackclient_loads_nothing():
    loaded = loaded_by("baremetalclient.osc.plugin")
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
    ours = {name for name in loaded if name.startswith("baremetalclient.v1.")}
    assert ours <= {
        *("baremetalclient.v1.resources", "baremetalclient.v1.types"),
        "baremetalclient.v1.provision_states",
    }


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
def test_keystone(run, env, method, response):
    with Cloud(NODES) as cloud:
        options = ("--debug", "--os-interface", "internal", "--os-service-name", "baremetal")
        code, _, err = run(*options, "node", "list", OS_AUTH_URL=f"{cloud.url}/v3", **env)
        assert code == 0, err
        *_, login, asked = cloud.requests
        assert login.json["auth"]["identity"][method] == response
        assert asked.path == "/internal/v1/nodes"
        assert asked.headers["x-auth-token"] == "the-token"
    assert "s3cret" not in err
    assert "the-token" not in err


def test_a_cloud_of_a_file(run, tmp_path):
    with ScriptedServer(NODES) as server:
        cloud = {"auth_type": "none", "baremetal_endpoint_override": server.url}
        cloud["baremetal_default_microversion"] = "1.60"
        path = tmp_path / "clouds.yaml"
        path.write_text(json.dumps({"clouds": {"lab": cloud}}))
        env = {"OS_CLIENT_CONFIG_FILE": str(path), "OS_AUTH_TYPE": "password", "OS_USERNAME": "x"}
        for words, cloud in ((("--os-cloud", "lab"), {}), ((), {"OS_CLOUD": "lab"})):
            code, _, err = run(*words, "node", "list", **env, **cloud)
            assert (code, err) == (0, "No nodes found.\n")
        assert [request.version for request in server.requests] == ["1.60", "1.60"]


def test_the_endpoint_and_the_version_of_the_environment(run):
    with ScriptedServer(NODES) as server:
        words = ("node", "list")
        assert run(*words, OS_ENDPOINT=server.url, OS_BAREMETAL_API_VERSION="1.60")[0] == 0
        assert server.requests[0].version == "1.60"
    code, _, err = run(*words)
    assert (code, err.count("\n")) == (1, 4)
    assert all(f"  --os-{way} or OS_" in err for way in ("cloud", "auth-url", "endpoint"))


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("--os-baremetal-api-version 1.31 volume connector list", 1, "1.32"),
        ("node lisst", 2, "'node list'"),
        ("volume conector list --long", 2, "'volume connector list'"),
        ("portt show x", 2, "'port show'"),
        ("volume", 2, "Unknown command 'volume'. See 'baremetal help volume'."),
        ("volume connector", 2, "See 'baremetal help volume connector'."),
        ("shard", 2, "Did you mean 'shard list'?"),
        ("frobnicate", 2, "baremetal help"),
        ("--no-such x node list", 2, "Unknown option '--no-such'. See 'baremetal --help'."),
        ("--os-clod x node list", 2, "Did you mean --os-cloud?"),
        ("--os-tokn=s3cret node list", 2, "Unknown option '--os-tokn'."),
        ("node --lst", 2, "Unknown option '--lst'."),
        ("deploy n", 2, "Unknown command 'deploy n'. Did you mean 'node deploy'?"),
        ("power on n", 2, "Did you mean 'node power on'?"),
        ("show n", 2, "Did you mean 'node show'?"),
        ("nod del n", 2, "Unknown command 'nod del n'. Did you mean 'node delete'?"),
        ("node list --drivr x", 2, "unrecognized arguments: --drivr x. Did you mean '--driver'?"),
        ("node list --no-such x", 2, "unrecognized arguments: --no-such x (see --help)"),
        (
            "node list --fields provision_stat",
            2,
            "invalid choice: 'provision_stat'. Did you mean 'provision_state'? (see --help)",
        ),
    ],
)
def test_what_is_wrong_is_told_in_one_line(run, words, code, message):
    found, out, err = run(*words.split(), OS_ENDPOINT="http://127.0.0.1:1")
    assert (found, out, err.count("\n")) == (code, "", 1)
    assert message in err
    assert "s3cret" not in err


def test_errors_have_a_traceback_only_with_debug(run):
    with ScriptedServer(fault("No.", 404)) as server:
        words = ("--os-endpoint", server.url, "node", "show", "x")
        plain, debug = run(*words), run("--debug", *words)
    assert plain[0] == debug[0] == 1
    assert "Traceback" not in plain[2]
    assert plain[2].count("\n") == 1
    assert "Traceback" in debug[2]


def test_debug_masks_secrets(run):
    secrets = {"driver_info": {"ipmi_password": "s3cret"}, "properties": {"auth_token": "t0p"}}
    with ScriptedServer(Reply({"uuid": "u", **secrets})) as server:
        words = ("node", "set", "x", "--driver-info", "ipmi_password=s3cret")
        given = ("--os-endpoint", server.url, *words, "--property", "auth_token=t0p")
        code, _, err = run("--debug", *given)
    assert code == 0
    assert "PATCH" in err
    assert "s3cret" not in err
    assert "t0p" not in err


def test_nothing_raw_reaches_the_terminal(run):
    evil = "\x1b]0;owned\x07\x9b\u202e"
    node = {"uuid": evil, "name": evil, "extra": {evil: evil}}
    with ScriptedServer(Reply({"nodes": [node]}), fault(evil, 404)) as server:
        listed = run("--os-endpoint", server.url, "node", "list", "--fields", "name", "extra")
        failed = run("--debug", "--os-endpoint", server.url, "node", "show", f"a{evil}")
    assert (listed[0], failed[0]) == (0, 1)
    printed = "".join([*listed[1:], *failed[1:]])
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(printed)


@pytest.mark.parametrize("errors", ["surrogateescape", "strict"], ids=["LC_ALL=C", "ascii"])
@pytest.mark.parametrize("form", ["table", "value", "csv", "json", "yaml", "shell"])
def test_any_name_can_be_printed_anywhere(form, errors, run, monkeypatch):
    names = ["caf\u00e9", "\U0001f600", "\ud800"]
    stdout = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors=errors)
    monkeypatch.setattr("sys.stdout", stdout)
    with ScriptedServer(Reply({"nodes": [{"name": name} for name in names]})) as server:
        words = ("node", "list", "--fields", "name", "-f", form)
        assert run(*words, OS_ENDPOINT=server.url) == (0, "", "")
    assert stdout.buffer.getvalue()


def test_a_broken_pipe_is_no_error(run, monkeypatch):
    reader, writer = os.pipe()
    os.close(reader)
    with ScriptedServer(Reply({"nodes": [{"name": "n" * 1000}] * 1000})) as server:
        words = ("--os-endpoint", server.url, "node", "list", "--fields", "name", "-f", "value")
        with open(writer, "w") as stdout:
            monkeypatch.setattr("sys.stdout", stdout)
            assert run(*words) == (141, "", "")


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


FOREIGN = """
    ADDITIONAL_HEADERS ALLOW_API_VERSION_DOWNGRADE API_VERSION AUTH COMPUTE_API_VERSION DEADLINE
    DEBUG GLOBAL_REQUEST_ID IDENTITY_API_VERSION INSECURE IRONIC_API_VERSION IRONIC_URL MAX_RETRIES
    OS_IRONIC_API_VERSION RETRY_INTERVAL SESSION TIMEOUT VALID_INTERFACES VERIFY VOLUME_API_VERSION
"""


@pytest.mark.parametrize("auth_type", ["", "none"])
def test_foreign_variables_of_the_environment_do_no_harm(run, auth_type):
    foreign = {f"OS_{name}": "something-else" for name in FOREIGN.split()}
    with ScriptedServer(NODES) as server:
        done = run("node", "list", OS_ENDPOINT=server.url, OS_AUTH_TYPE=auth_type, **foreign)
        asked = [request.path for request in server.all_requests]
    assert done == (0, "", "No nodes found.\n")
    assert asked == ["/v1/nodes"]


@pytest.mark.parametrize(
    ("variables", "header", "sent"),
    [
        ({"USER_NAME": "u", "PASSWORD": "p", "AUTH_TYPE": "http_basic"}, "authorization", "dTpw"),
        ({"AUTH_TOKEN": "t"}, "x-auth-token", "t"),
    ],
)
def test_older_names_of_variables_are_read(run, variables, header, sent):
    with ScriptedServer(NODES) as server:
        given = {f"OS_{name}": value for name, value in variables.items()}
        assert run("node", "list", OS_ENDPOINT=server.url, **given)[0] == 0
        assert server.all_requests[0].headers[header].endswith(sent)


def test_variables_of_the_plugin_are_read(run):
    given = {"OS_AUTH_TYPE": "v3oidcpassword", "OS_AUTH_URL": "http://localhost:1/v3"}
    assert "discovery-endpoint" in run("node", "list", **given)[2]
    given["OS_DISCOVERY_ENDPOINT"] = "http://localhost:1"
    assert "discovery-endpoint" not in run("node", "list", **given)[2]


def test_commands_in_one_process_leave_its_garbage_collector_alone(run):
    with ScriptedServer() as server:
        server.script = [NODES]
        before = gc.get_freeze_count()
        assert run("--os-endpoint", server.url, "node", "list")[0] == 0
    # Some of what was frozen may be gone since.
    assert (gc.get_freeze_count() <= before, gc.isenabled()) == (True, True)
