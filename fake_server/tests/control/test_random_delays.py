"""Delays and outcomes that are drawn at random, and can be repeated."""

from __future__ import annotations

from random import Random

import pytest

from fake_server.cli.options import parse
from fake_server.common import timing
from fake_server.settings import Settings
from fake_server.tests.baremetal.api import Api


@pytest.mark.parametrize(
    ("value", "least", "mean", "greatest"),
    [
        (5, 5, 5, 5),
        ("5", 5, 5, 5),
        ("10m", 600, 600, 600),
        ("5±2", 3, 5, 7),
        ("5+-2", 3, 5, 7),
        ("1m ± 30s", 30, 60, 90),
        ("uniform(2,9)", 2, 5.5, 9),
        ("uniform(2s, 1m)", 2, 31, 60),
        ("normal(100,10)", 40, 100, 160),
        ("normal(0,1)", 0, 0.4, 7),
        ("5±2, 90% active, 10% deploy failed", 3, 5, 7),
        ("100% active", 0, 0, 0),
    ],
)
def test_seconds_are_of_their_distribution(value, least, mean, greatest):
    generator, found = Random(1), timing.parse(value)
    drawn = [found.seconds(generator) for _ in range(4000)]
    assert least <= min(drawn) <= max(drawn) <= greatest
    assert sum(drawn) / len(drawn) == pytest.approx(mean, rel=0.05)


@pytest.mark.parametrize(
    "value",
    [
        *("", "x", "-1", "5±", "5±6", "uniform(9,2)", "uniform(1)", "poisson(1,2)", "normal(1)"),
        *("5, 6", "90% active", "60% active, 60% deploy failed", "1,2,3", "50%, 50%", -1, 1e10),
        *(True, None, [], "normal(5,1", "nan"),
        # These would take minutes.
        *("(" * 300_000, "1" + " " * 300_000 + "x"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_no_delay_is_refused_in_one_line(value):
    status, answer = Api()("PUT", "/_fake/delays", {"transitions": {"deploying": value}})
    assert status == 400
    assert answer["error"].startswith("transitions.deploying has ")
    assert "\n" not in answer["error"]


def test_a_wrong_delay_starts_no_server(capsys):
    with pytest.raises(SystemExit) as ended:
        parse(["--delay", "uniform(9,2)"])
    assert ended.value.code == 2
    assert "argument --delay: has to be from a number of seconds" in capsys.readouterr().err
    with pytest.raises(ValueError, match=r"^delay has outcomes that aren't 100 % together"):
        Api(delay="90% active")
    with pytest.raises(ValueError, match=r"^delay has the outcome 'available again': use some of "):
        Api(delay="100% available again")


def lives(count, **options):
    """Deploy nodes one after the other; return how long each took and how it ended."""
    api = Api(**options)
    for number in range(count):
        api.enrol(f"n{number}")
    found = {}
    for number in range(count):
        ident = f"n{number}"
        api.provision("manage", ident=ident)
        api.clock.advance(100)
        api.provision("provide", ident=ident)
        api.clock.advance(100)
        api.provision("active", ident=ident)
        began = api.clock.seconds()
        while api.state(ident) == "deploying":
            api.clock.advance(1)
        found[ident] = (api.clock.seconds() - began, api.state(ident))
    return api, found


WEIGHTED = "5±2, 70% active, 30% deploy failed"


def test_a_seed_repeats_a_run():
    api, found = lives(12, delay=WEIGHTED)
    seed = api("GET", "/_fake/requests")[1]["seed"]
    assert seed == api("GET", "/_fake/delays")[1]["seed"]
    assert lives(12, delay=WEIGHTED, delay_seed=seed)[1] == found
    assert lives(12, delay=WEIGHTED, delay_seed=seed + 1)[1] != found


def test_each_node_takes_its_own_time_and_ends_by_the_weights():
    _, found = lives(40, delay=WEIGHTED, delay_seed=3)
    times, ends = zip(*found.values(), strict=True)
    # As seen by who looks every second.
    assert set(times) == {4, 5, 6, 7}
    assert set(ends) == {"active", "deploy failed"}
    assert 4 <= ends.count("deploy failed") <= 20


def test_what_happens_to_others_changes_nothing():
    _, three = lives(3, delay=WEIGHTED, delay_seed=5)
    _, all_of_them = lives(6, delay=WEIGHTED, delay_seed=5)
    assert {name: all_of_them[name] for name in three} == three


@pytest.mark.parametrize(
    ("before", "verb", "arguments", "transition", "failed"),
    [
        (["manage"], "inspect", {}, "inspecting", "inspect failed"),
        (["manage"], "adopt", {}, "adopting", "adopt failed"),
        (["manage", "provide"], "active", {}, "deploying", "deploy failed"),
        (["manage", "provide", "active"], "deleted", {}, "deleting", "error"),
        (
            ["manage", "provide", "active"],
            *("rescue", {"rescue_password": "p"}, "rescuing", "rescue failed"),
        ),
        (
            ["manage"],
            "clean",
            {"clean_steps": [{"interface": "bios", "step": "factory_reset"}]},
            *("cleaning", "clean failed"),
        ),
        (
            ["manage", "provide", "active"],
            "service",
            {"service_steps": [{"interface": "bios", "step": "factory_reset"}]},
            *("servicing", "service failed"),
        ),
    ],
)
def test_a_transition_fails_as_its_outcome_says(before, verb, arguments, transition, failed):
    api = Api()
    api.enrol()
    api.provision(*before)
    delays = {"transitions": {transition: f"100% {failed}"}}
    assert api("PUT", "/_fake/delays", delays)[0] == 200
    assert api.provision(verb, **arguments)[0] == 202
    node = api.node()
    assert node["provision_state"] == failed
    assert node["last_error"] == f"This time, {transition} was to end in state {failed}."
    assert node["reservation"] is None


def test_what_is_shown_can_be_sent_back():
    api = Api(delay="uniform(2,9)")
    shown = api("GET", "/_fake/delays")[1]
    assert shown["default"] == "uniform(2,9)"
    assert api("PUT", "/_fake/delays", shown) == (200, {**shown, "warnings": []})


def test_allocations_and_volumes_take_such_times():
    api = Api(delay="uniform(2,9)")
    values = {"name": "a", "resource_class": "gold"}
    assert api("POST", "/v1/allocations", values)[1]["state"] == "allocating"
    api.clock.advance(9)
    assert api("GET", "/v1/allocations/a")[1]["state"] == "error"
    _, made = api("POST", "/volume/v3/volumes", {"volume": {"size": 1, "name": "v"}})
    assert made["volume"]["status"] == "creating"
    api.clock.advance(9)
    path = f"/volume/v3/volumes/{made['volume']['id']}"
    assert api("GET", path)[1]["volume"]["status"] == "available"


def test_the_options_are_read():
    options = parse(["--delay", "5±2", "--delay-seed", "7"])
    assert (options.delay, options.delay_seed) == ("5±2", 7)
    assert parse(["--delay", "10m"]).delay == 600.0
    assert Settings(delay="5±2").delay == "5±2"
