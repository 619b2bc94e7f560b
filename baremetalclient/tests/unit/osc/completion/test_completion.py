"""The words that complete a command line, and the names among them."""

from __future__ import annotations

import json
import os
import stat
import threading
import time

import pytest

from baremetalclient.osc.completion import candidates, names
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer
from fake_server.server import FakeServer

NODES = Reply({"nodes": [{"uuid": "1f9a", "name": "rack-1"}, {"uuid": "2c0e", "name": None}]})


@pytest.fixture(autouse=True)
def environment(monkeypatch, tmp_path):
    for variable in [name for name in os.environ if name.startswith("OS_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("OS_ENDPOINT", "http://127.0.0.1:1")
    return monkeypatch


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "baremetalclient" / "completion.json"


def complete(line):
    """Return the candidates for a line, which ends at the cursor."""
    *before, current = line.split(" ")
    return candidates.candidates(before, current)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("deploy ", ["template"]),
        ("deploy template s", ["set", "show"]),
        ("volume att", ["attach", "attachment"]),
        ("help volume connector s", ["set", "show"]),
        ("--debug --os-cloud x conductor ", ["list", "show"]),
        ("--os-region-n", ["--os-region-name"]),
        ("--os-bare", ["--os-baremetal-api-version"]),
        ("--os-base", ["--os-baremetal-api-version"]),
        ("node list --os-base", ["--os-baremetal-api-version"]),
        ("node list --long --os-region-n", ["--os-region-name"]),
        ("node list --long --max-r", ["--max-retries"]),
        ("nonsense ", []),
        ("node list --long --os-cloud x --unass", ["--unassociated"]),
        ("node list --provision-state=act", ["--provision-state=active"]),
        ("node list --fields uuid prov", ["provision_updated_at", "provision_state"]),
        ("node wait --for provision_s", ["provision_state="]),
        ("node wait --for provision_state=act", ["provision_state=active"]),
        ("node list --select state=avail", ["state=available"]),
        (
            "node list --select state=available,maintenance_",
            ["state=available,maintenance_reason="],
        ),
        (
            "node list --select state=avail,protected=",
            ["state=avail,protected=true", "state=avail,protected=false"],
        ),
        ("node list --select !fault!=po", ["!fault!=power failure"]),
        ("node list --select trait=HW_CPU_X86_AESN", ["trait=HW_CPU_X86_AESNI"]),
        ("port list --select node.state=ava", ["node.state=available"]),
        ("port list --select node.maint", ["node.maintenance=", "node.maintenance_reason="]),
        ("node list --select no_field=x", []),
        ("node list --select name=x", []),
        ("--timeout 5 node wait --timeout 30m --for power_st", ["power_state="]),
        ("node watch --timeout 2h -f js", ["json"]),
        ("node list -c power_s", ["power_state"]),
        ("node add trait n HW_CPU_X86_AESN", ["HW_CPU_X86_AESNI"]),
        ("node list --trait HW_CPU_X86_AESNI HW_CPU_X86_VM", ["HW_CPU_X86_VMX"]),
    ],
)
def test_words(line, found):
    assert complete(line) == found


def test_an_option_is_offered_once_unless_it_can_be_repeated():
    assert "--uuid" not in complete("node create --uuid x --")
    assert "--property" in complete("node create --property a=b --")


def test_hidden_options_are_not_offered():
    assert "--provision-state" not in complete("node manage n --")


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("baremetal node list --fault cl", "clean\\ failure\n"),
        ("baremetal node list --fault clean\\ f", "clean\\ failure\n"),
        ("baremetal node list --fault 'cl", "clean failure\n"),
        ("baremetal node list --fault=po", "power\\ failure\n"),
        ("baremetal node create --driver=red", "redfish\n"),
        ("baremetal node list --select state=wait", "wait\\ call-back\n"),
        (
            "baremetal node list --select 'state=available or name=x and power_state=power of",
            "power off\n",
        ),
    ],
)
def test_bash_gets_what_it_puts_in_place_of_the_last_part(capsys, line, printed):
    assert candidates.main(["bash", line, " \t\n\"'><=;|&(:"]) == 0
    assert capsys.readouterr().out == printed


def test_names_are_asked_for_once(environment, cache):
    with ScriptedServer(NODES) as server:
        environment.setenv("OS_ENDPOINT", server.url)
        assert complete("node show ") == ["2c0e", "rack-1"]
        assert complete("node show 1") == ["1f9a"]
        assert complete("port list --node rack") == ["rack-1"]
        (request,) = server.requests
        assert request.query["fields"] == "uuid,name"
    assert stat.S_IMODE(cache.stat().st_mode) == 0o600


@pytest.mark.parametrize("command", ["node trait remove", "node remove trait"])
def test_traits_to_remove_are_those_of_the_node(environment, command):
    with ScriptedServer(Reply({"traits": ["CUSTOM_GOLD", "CUSTOM_GPU", "HW_NIC"]})) as server:
        environment.setenv("OS_ENDPOINT", server.url)
        assert complete(f"{command} rack-1 CUSTOM_") == ["CUSTOM_GOLD", "CUSTOM_GPU"]
        assert complete(f"{command} rack-1 CUSTOM_GPU H") == ["HW_NIC"]
        (request,) = server.requests
    assert request.path == "/v1/nodes/rack-1/traits"


@pytest.mark.parametrize(
    "words", ["node trait remove --select name=a CUSTOM_A", "node delete --all"]
)
def test_options_instead_of_nodes_leave_none_to_complete(environment, words):
    with ScriptedServer() as server:
        environment.setenv("OS_ENDPOINT", server.url)
        assert complete(f"{words} ") == []
        assert not server.requests


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("manage", ["broken", "free", "new"]),
        ("deploy", ["free"]),
        ("undeploy", ["used"]),
        ("rebuild", ["used"]),
        ("abort", []),
        ("show", ["broken", "free", "kept", "new", "used"]),
    ],
)
def test_nodes_are_offered_that_accept_the_verb(environment, command, found):
    states = {
        "broken": {"provision_state": "available", "maintenance": True},
        "free": {"provision_state": "available"},
        "kept": {"provision_state": "active", "protected": True},
        "new": {"provision_state": "enroll"},
        "used": {"provision_state": "active"},
    }
    nodes = [{"name": name, "driver": "fake-hardware", **more} for name, more in states.items()]
    with FakeServer(seed={"nodes": nodes}) as server:
        environment.setenv("OS_ENDPOINT", server.url)
        assert complete(f"node {command} ") == found


def test_nodes_are_offered_in_old_versions(environment):
    nodes = [{"name": "n", "driver": "fake-hardware", "provision_state": "available"}]
    with FakeServer(seed={"nodes": nodes}) as server:
        environment.setenv("OS_ENDPOINT", server.url)
        environment.setenv("OS_BAREMETAL_API_VERSION", "1.31")
        assert complete("node deploy ") == ["n"]
        assert complete("node provide ") == []


def test_names_can_do_no_harm_in_a_shell(environment, capsys):
    names = ("$(touch x)", "a;b", "a\nb", "\x1b[2J")
    nodes = [{"uuid": str(number), "name": name} for number, name in enumerate(names)]
    with ScriptedServer(Reply({"nodes": nodes})) as server:
        environment.setenv("OS_ENDPOINT", server.url)
        candidates.main(["bash", "baremetal node show ", "=:"])
    assert capsys.readouterr().out == "\\$\\(touch\\ x\\)\na\\;b\n"


def test_other_clouds_and_users_have_other_names(environment):
    with ScriptedServer(NODES, Reply({"nodes": [{"uuid": "3d", "name": "other"}]})) as server:
        environment.setenv("OS_ENDPOINT", server.url)
        assert complete("node show r") == ["rack-1"]
        environment.setenv("OS_PROJECT_NAME", "other")
        assert complete("node show o") == ["other"]


def test_global_options_say_which_server_is_asked():
    with ScriptedServer(NODES) as server:
        assert complete(f"--os-endpoint {server.url} node show r") == ["rack-1"]


def test_names_are_kept_for_minutes(environment, cache):
    with ScriptedServer(NODES, Reply({"nodes": []})) as server:
        environment.setenv("OS_ENDPOINT", server.url)
        complete("node show ")
        entries = json.loads(cache.read_text())
        for entry in entries.values():
            entry["until"] = time.time() - 1
        cache.write_text(json.dumps(entries))
        assert complete("node show ") == []


def test_a_cache_that_others_could_read_is_no_longer_theirs(environment, cache):
    cache.parent.mkdir(mode=0o755)
    cache.write_text("{}")
    cache.chmod(0o644)
    with ScriptedServer(NODES) as server:
        environment.setenv("OS_ENDPOINT", server.url)
        complete("node show ")
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (cache.parent, cache)]
    assert modes == [0o700, 0o600]


@pytest.mark.parametrize("content", ["", "[]", '{"a": 1}', '{"a": {"until": 1e99, "names": [1]}}'])
def test_a_broken_cache_is_replaced(environment, cache, content):
    cache.parent.mkdir()
    cache.write_text(content)
    with ScriptedServer(NODES) as server:
        environment.setenv("OS_ENDPOINT", server.url)
        assert complete("node show r") == ["rack-1"]
    assert json.loads(cache.read_text())


def test_names_that_are_no_text_are_left_out(monkeypatch):
    found = [(1, None), (["r"], {}), (None, 2), ("", None), ("rack-1", "u")]
    monkeypatch.setattr(names, "_listed", lambda *_: found)
    assert complete("node show ") == ["rack-1"]
    assert complete("node show ") == ["rack-1"]


def test_secrets_do_not_reach_the_cache(environment, cache):
    environment.setenv("OS_PASSWORD", "geheim")
    complete("--os-token hush node show ")
    complete("node show ")
    text = cache.read_text()
    assert "geheim" not in text
    assert "hush" not in text
    assert len(json.loads(text)) == 1


def test_a_server_that_cannot_be_reached_is_left_alone_for_a_while(capfd, monkeypatch):
    asked = []
    make_client = names.global_options.make_client

    def counted(options):
        asked.append(options)
        return make_client(options)

    monkeypatch.setattr(names.global_options, "make_client", counted)
    assert complete("node show ") == []
    assert complete("node show ") == []
    assert len(asked) == 1
    assert capfd.readouterr() == ("", "")


def test_a_server_that_does_not_answer_keeps_nobody_waiting(monkeypatch):
    over = threading.Event()
    monkeypatch.setattr(names, "TIME_LIMIT", 0.01)
    monkeypatch.setattr(names, "_listed", lambda *_: over.wait())
    assert complete("node show ") == []
    over.set()
