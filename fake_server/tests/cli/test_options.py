"""Options of ``baremetal-fake-server``: from words, from the environment, from a file."""

from __future__ import annotations

import dataclasses
import os
from importlib.metadata import version
from pathlib import Path

import pytest

from fake_server.cli import capture, main, options
from fake_server.cli.ctl_commands import parser as ctl_parser
from fake_server.cli.messages import tell
from fake_server.cli.options import parse, settings
from fake_server.settings import Settings

PREFIX = "BAREMETAL_FAKE_SERVER_"


@pytest.fixture(autouse=True)
def without_variables(monkeypatch):
    for name in list(os.environ):
        if name.startswith(PREFIX):
            monkeypatch.delenv(name)


@pytest.fixture
def config(tmp_path):
    """Return a function that writes a file of options, and returns the words that name it."""

    def write(text):
        path = tmp_path / "lab.yaml"
        path.write_text(text)
        return ["--config", str(path)]

    return write


def completed(*words):
    return settings(parse(words)).completed()


def refused(capsys, *words, command="serve"):
    """Return what the last line on standard error says of options that can't be."""
    with pytest.raises(SystemExit) as exited:
        parse(words, command)
    assert exited.value.code == 2
    return capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("90s", 90), ("500ms", 0.5), ("10m", 600), ("1.5h", 5400), (".5", 0.5), ("0", 0)],
)
def test_durations(text, seconds):
    assert settings(parse(["--delay", text])).delay == seconds
    assert settings(parse([f"--placement-sync={text}"])).placement_sync == seconds


@pytest.mark.parametrize(
    ("text", "mode", "factor"), [("auto", "auto", 1), ("manual", "manual", 1), ("60", "scaled", 60)]
)
def test_clocks(capsys, text, mode, factor):
    clock = parse([f"--clock={text}"]).clock
    assert (clock.mode, clock.factor) == (mode, factor)
    assert "'fast' is none of auto, manual, real" in refused(capsys, "--clock=fast")


@pytest.mark.parametrize(
    ("variable", "text", "name", "value"),
    [
        ("DIALECT", "spec", "dialect", "spec"),
        ("MAX_MICROVERSION", "1.50", "max_minor", 50),
        ("DELAY", "10m", "delay", 600.0),
        ("AUTOMATED_CLEAN", "true", "automated_clean", True),
        ("AUTOMATED_CLEAN", "0", "automated_clean", False),
        ("AGENT_WITHOUT_TLS", "yes", "agent_tls", False),
        ("AGENT_WITHOUT_TLS", "no", "agent_tls", True),
        ("TLS", "auto", "tls", "auto"),
        ("DEFAULT_NETWORK_PROVIDER", "none", "default_network_provider", "noop"),
        ("BODY_LIMIT", "5", "body_limit", 5),
        # As compose files have it for what isn't set.
        ("BODY_LIMIT", "", "body_limit", 1024 * 1024),
    ],
)
def test_each_is_a_variable_and_a_key(monkeypatch, config, variable, text, name, value):
    key = variable.lower().replace("_", "-")
    if text:
        assert getattr(completed(*config(f"{key}: {text}\n")), name) == value
    monkeypatch.setenv(PREFIX + variable, text)
    assert getattr(completed(), name) == value


def test_words_win_over_variables_and_these_over_the_file(monkeypatch, config):
    file = config("port: 1\nhost: a\nagent: none\nautomated_clean: true\nold-compute: yes\n")
    monkeypatch.setenv(f"{PREFIX}PORT", "2")
    monkeypatch.setenv(f"{PREFIX}HOST", "b")
    found = parse([*file, "--port", "3", "--no-automated-clean"])
    assert (found.port, found.host, found.agent) == (3, "b", "none")
    assert (found.automated_clean, found.old_compute) == (False, True)


def test_lists(monkeypatch, config):
    words = config("enabled-deploy-interfaces: [direct, fake]\n")
    assert settings(parse(words)).interfaces["deploy"] == ("direct", "fake")
    monkeypatch.setenv(f"{PREFIX}ENABLED_DEPLOY_INTERFACES", "fake, direct")
    assert settings(parse(words)).interfaces["deploy"] == ("fake", "direct")


def test_each_setting_has_an_option():
    made_of_others = {"interfaces", "accounts", "periodic", "tls", "host"}
    names = {field.name for field in dataclasses.fields(Settings)}
    assert names - vars(parse([])).keys() <= made_of_others
    found = settings(parse(["--enabled-hardware-types=ipmi,redfish"]))
    assert found.hardware_types == ("ipmi", "redfish")


def test_conductors(monkeypatch, capsys, config):
    words = config("conductors:\n- host1:rack1\n- host2:rack1:fake-hardware\n- host3\n")
    wanted = [("host1", "rack1"), ("host2", "rack1"), ("host3", "")]
    found = completed(*words)
    assert [(host.hostname, host.group) for host in found.conductors] == wanted
    assert found.host == "host1"
    monkeypatch.setenv(f"{PREFIX}CONDUCTORS", "a:g, b")
    assert [host.hostname for host in settings(parse([])).conductors] == ["a", "b"]
    text = refused(capsys, "--conductors=a:b:c:d")
    assert "'a:b:c:d' is not HOST, HOST:GROUP or HOST:GROUP:TYPE+TYPE" in text


def test_options_of_periodic_tasks(monkeypatch, capsys, config):
    words = config("periodic: [sync_power_state_interval=10m, all=0]\n")
    found = completed(*words).periodic
    assert found["sync_power_state_interval"] == 600
    assert found["deploy_callback_timeout"] == 0
    assert found["power_state_sync_max_retries"] == 3
    monkeypatch.setenv(f"{PREFIX}PERIODIC", "sync_power_state_interval=5,inspect_wait_timeout=1m")
    found = completed("--periodic", "sync_power_state_interval=7").periodic
    assert (found["sync_power_state_interval"], found["inspect_wait_timeout"]) == (7, 60)
    assert found["power_failure_recovery_interval"] == 300
    assert "'all' is not of the form NAME=DURATION" in refused(capsys, "--periodic=all")
    with pytest.raises(ValueError, match="There is no option 'bogus' of periodic tasks: use all"):
        completed("--periodic", "bogus=1")


def test_images_of_agents(monkeypatch, capsys):
    assert completed("--agent=none").deploy_kernel is None
    assert completed("--agent=none", "--deploy-kernel=http://k").deploy_kernel == "http://k"
    found = completed("--agent=simulated", "--rescue-kernel=", "--bootloader=http://b")
    assert (found.deploy_kernel, found.deploy_ramdisk, found.rescue_kernel, found.bootloader) == (
        *("file:///images/agent.kernel", "file:///images/agent.initramfs", "", "http://b"),
    )
    monkeypatch.setenv(f"{PREFIX}DEPLOY_KERNEL_BY_ARCH", "x86_64:http://k:1,arm:file:///k")
    found = completed().deploy_kernel_by_arch
    assert found == {"x86_64": "http://k:1", "arm": "file:///k"}
    text = refused(capsys, "--bootloader-by-arch=x86_64")
    assert "'x86_64' is not of the form ARCH:URL" in text


def test_hardware_types_that_are_like_others(monkeypatch, capsys):
    found = completed("--hardware-type=netdev=like:fake-hardware", "--hardware-type=a=like:ipmi")
    assert found.hardware_types[-2:] == ("netdev", "a")
    monkeypatch.setenv(f"{PREFIX}HARDWARE_TYPE", "netdev=like:fake-hardware,a=like:ipmi")
    assert completed("--enabled-hardware-types=redfish,a").hardware_types == (
        *("redfish", "a", "netdev"),
    )
    text = refused(capsys, "--hardware-type=netdev=fake-hardware")
    assert "'netdev=fake-hardware' is not of the form NAME=like:TYPE" in text


def test_a_file_of_policies(tmp_path, monkeypatch):
    path = tmp_path / "policy.yaml"
    path.write_text('"baremetal:driver:get": "@"\n')
    monkeypatch.setenv(f"{PREFIX}POLICY", str(path))
    assert completed().policies == {"baremetal:driver:get": "@"}
    path.write_text("a: [")
    with pytest.raises(ValueError, match=r"policy.yaml, line 2: did not find expected node"):
        completed()


def test_variables_that_others_set_are_ignored(monkeypatch):
    for name in ("SERVICE_HOST", "PORT_6385_TCP_ADDR", "URL", "TOKEN", "OPTIONS"):
        monkeypatch.setenv(PREFIX + name, "x")
    assert parse([]).port == 6385


def test_the_version(capsys):
    with pytest.raises(SystemExit) as exited:
        main(["--version"])
    assert exited.value.code == 0
    assert capsys.readouterr().out == f"baremetal-fake-server {version('baremetalclient')}\n"


def test_what_controls_a_terminal_is_escaped(capsys):
    tell("a\x1b[2J\u202eé\u200b\nb")
    assert capsys.readouterr().err == "baremetal-fake-server: a\\x1b[2J\\u202eé\\u200b\nb\n"


@pytest.mark.parametrize(
    "parser",
    [
        *(options.parser(name) for name in ("serve", "exec", "twin")),
        ctl_parser.parser(),
        capture._parser(),
    ],
    ids=lambda parser: parser.prog,
)
def test_the_examples_of_the_help_are_accepted(parser, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("lab.yaml").touch()
    assert parser.examples
    for example in parser.examples:
        assert f"\n  {example}\n" in parser.format_help()
        words = example.partition(" > ")[0].removeprefix(parser.prog).removeprefix(options.NAME)
        parser.parse_args(words.split())


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("[" * 200_000, "exceeded maximum nesting depth"),
        ("[&a [x], " + ", ".join(f"&b{n} [{'*a, ' * 9}*a]" for n in range(3)) + "]", "to be text"),
        ("[{}]", "has to be text"),
        ("{a: b, a: c}", "the key 'a' is there twice"),
    ],
)
def test_a_file_that_costs_much_is_refused(capsys, config, value, reason):
    assert reason in refused(capsys, *config(f"image-stores: {value}"))


def test_a_file_whose_aliases_repeat_without_end_is_refused(capsys, config):
    lists = ["&a0 [x, x]"] + [f"&a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    said = refused(capsys, *config(f"image-stores: [{', '.join(lists)}]"))
    assert "aliases repeat more than 1,000,000 values" in said
