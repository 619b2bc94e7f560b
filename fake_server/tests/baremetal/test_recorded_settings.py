"""What is said of settings that fit, or don't fit, together.

Recorded from the fake server, so that no change goes unnoticed. A deliberate change is written
down with ``--record -n 0``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fake_server.app import Application
from fake_server.baremetal import hardware_types, periodic
from fake_server.baremetal.conductor_hosts import ConductorHost, parse
from fake_server.settings import Settings
from fake_server.tests import databases, recorded

RECORD = Path(__file__).with_name("settings.json.gz")
TEXTS = (
    *(
        "a",
        "a:g",
        "a:g:ipmi",
        "a:g:ipmi+redfish",
        "a::ipmi",
        "a:",
        "a::",
        ":g",
        "",
        " a:g ",
        "a: g",
    ),
    *("a:b:c:d", "a:b:c:", ":::", "a:g:+", "a:g:ipmi+", "a.b-c_d:G"),
)
GROUPS = ("", "g", "GROUP", "a_b.c-d", "a b", "ä", "a/b", "x" * 255, "x" * 256, "1")
SOME = ("fake-hardware", "ipmi")
HOSTS = (
    *((ConductorHost("a", group),) for group in GROUPS),
    (ConductorHost("a"), ConductorHost("a")),
    (ConductorHost("a"), ConductorHost("A")),
    (ConductorHost("a", "x"), ConductorHost("a", "y"), ConductorHost("b")),
    *((ConductorHost(name),) for name in ("", " ", "a.b", "a b")),
    *((ConductorHost("a", "", types),) for types in (("ipmi",), ("ipmi", "x"), ("redfish", "x"))),
    (ConductorHost("a", "", ("ipmi",)), ConductorHost("b", "g"), ConductorHost("c", "", ("y",))),
)
OPTIONS = (
    *({name: 0} for name in ("all", *periodic.DEFAULTS)),
    *({name: 7} for name in ("all", *periodic.DEFAULTS)),
    *({name: -1} for name in ("all", *periodic.DEFAULTS)),
    *({"all": 5, name: 0.5} for name in periodic.DEFAULTS),
    *({}, {"x": 1}, {"all": 0, "x": 1}, {"x": -1}, {"all": -0.1}, {"all": float("nan")}),
)
DRIVERS = ("fake-hardware", "ipmi", "redfish", "manual-management")


def outcome(make):
    """Return what is made, or why it isn't."""
    try:
        return repr(make())
    except ValueError as exc:
        return f"refused: {exc}"


def settled(**options):
    """Return the interesting settings of a server with these options."""
    settings = Settings(**options)
    Application(settings, db=databases.new())
    return settings.host, settings.conductors, settings.hardware_types


def test_texts_name_conductors_as_recorded(request):
    found = {text: outcome(lambda text=text: parse(text)) for text in TEXTS}
    recorded.check(request, RECORD, "texts", found)


def test_conductors_are_as_recorded(request):
    found = {
        str(hosts): outcome(lambda hosts=hosts: settled(conductors=hosts, hardware_types=SOME))
        for hosts in HOSTS
    }
    recorded.check(request, RECORD, "hosts", found)


def test_options_of_periodic_tasks_are_as_recorded(request):
    found = {
        str(options): outcome(lambda options=options: dict(periodic.completed(options)))
        for options in OPTIONS
    }
    found["defaults"] = repr(dict(Settings().periodic))
    recorded.check(request, RECORD, "periodic", found)


@pytest.mark.parametrize("driver", DRIVERS)
def test_hardware_types_need_interfaces_as_recorded(request, driver):
    found = {}
    for kind, known in hardware_types.TYPES[driver].interfaces.items():
        for names in ((), known[:1], known[-1:], ("x",), ("x", *known[:1])):
            options = {"hardware_types": (driver,), "interfaces": {kind: names}}
            found[f"{kind} {names}"] = outcome(lambda options=options: settled(**options))
    recorded.check(request, RECORD, f"types, {driver}", found)


def test_network_providers_are_as_recorded(request):
    found = {}
    for provider in (None, "noop", "flat", "neutron", "x"):
        for names in ((), ("noop",), ("noop", "flat"), ("neutron",), ("x",)):
            options = {"default_network_provider": provider, "interfaces": {"network": names}}
            found[f"{provider} of {names}"] = outcome(lambda options=options: settled(**options))
    recorded.check(request, RECORD, "networks", found)
