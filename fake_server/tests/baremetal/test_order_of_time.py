"""What is due is done in the order of time, whoever looks first and however late.

Who looks once after a long time has to find what somebody finds who has looked every second.
"""

from __future__ import annotations

from datetime import datetime

import pytest

from fake_server.baremetal.conductor_hosts import parse
from fake_server.tests.baremetal.api import Api

_UUID = "1000000{}-0000-4000-8000-000000000000"
_DELAYS = {
    "verifying": {"default": 10},
    "cleaning": {"default": 7, "cleaning": 4},
    "one moment": {"default": 5},
    "two speeds": {"default": 6, "nodes": {"a": {"default": 2}, "b": {"default": 9}}},
}
#: What is asked for, and after how many seconds.
_SCENES = {
    "two nodes": [
        (0, "PUT", "nodes/b/states/provision", {"target": "manage"}),
        (3, "PUT", "nodes/a/states/provision", {"target": "manage"}),
    ],
    "two nodes at one moment": [
        (0, "PUT", "nodes/b/states/provision", {"target": "manage"}),
        (0, "PUT", "nodes/a/states/provision", {"target": "manage"}),
    ],
    "a node and two that want it": [
        (0, "PUT", "nodes/c/states/provision", {"target": "provide"}),
        (
            1,
            "POST",
            "allocations",
            {"uuid": _UUID.format(1), "name": "early", "resource_class": "gold"},
        ),
        (
            9,
            "POST",
            "allocations",
            {"uuid": _UUID.format(2), "name": "late", "resource_class": "gold"},
        ),
        (
            15,
            "POST",
            "allocations",
            {"uuid": _UUID.format(3), "name": "later", "resource_class": "gold"},
        ),
    ],
    "nodes one after the other and those that want them": [
        (0, "PUT", "nodes/d/states/provision", {"target": "provide"}),
        (
            1,
            "POST",
            "allocations",
            {"uuid": _UUID.format(4), "name": "first", "resource_class": "gold"},
        ),
        (2, "PUT", "nodes/c/states/provision", {"target": "provide"}),
        (
            3,
            "POST",
            "allocations",
            {"uuid": _UUID.format(5), "name": "second", "resource_class": "gold"},
        ),
        (
            4,
            "POST",
            "allocations",
            {"uuid": _UUID.format(6), "name": "third", "resource_class": "gold"},
        ),
    ],
    "a deployment and what follows": [
        (0, "PUT", "nodes/c/states/provision", {"target": "provide"}),
        (1, "PUT", "nodes/e/states/provision", {"target": "active"}),
        (2, "PUT", "nodes/a/states/provision", {"target": "manage"}),
        (3, "PUT", "nodes/d/states/provision", {"target": "inspect"}),
        (
            4,
            "POST",
            "allocations",
            {"uuid": _UUID.format(7), "name": "only", "resource_class": "gold"},
        ),
    ],
}
_LISTS = ("nodes/detail", "allocations")
#: Other requests than those that cause something.
_LOOKS = ("/v1/chassis", "/v1/nodes?fields=uuid", "/v1/nodes/a", "/v1/allocations", "/v1/drivers")


def run(delays, scene, *, often):
    """Ask for what a scene has; return what is there after a hundred seconds.

    :param often: whether somebody looks every second.
    """
    api = Api(automated_clean=True, delay=3)
    for name in "abcde":
        uuid = f"0000000{'abcde'.index(name)}-0000-4000-8000-000000000000"
        api.enrol(name, uuid=uuid, resource_class="gold" if name in "cd" else "other")
        switch_off(api, name)
    for name, verb in (("c", "manage"), ("d", "manage"), ("e", "manage"), ("e", "provide")):
        api.provision(verb, ident=name)
        api.clock.advance(100)
    nodes = {name: dict(some) for name, some in delays.get("nodes", {}).items()}
    times = {name: value for name, value in delays.items() if name not in ("default", "nodes")}
    api.app.control.delays.set(default=delays["default"], transitions=times, nodes=nodes)
    left = list(scene)
    for second in range(100):
        while left and left[0][0] == second:
            _, method, path, body = left.pop(0)
            assert api(method, f"/v1/{path}", body)[0] in (201, 202), path
        api.clock.advance(1)
        if often:
            assert api("GET", _LOOKS[second % len(_LOOKS)])[0] == 200
    assert api("GET", _LOOKS[0])[0] == 200
    found = {path: shown(api, path) for path in _LISTS}
    found |= {name: shown(api, f"nodes/{name}/history") for name in "abcde"}
    api.app.close()
    return found


def switch_off(api, name):
    """Give a node a power state, which those that are allocated need."""
    assert api("PUT", f"/v1/nodes/{name}/states/power", {"target": "power off"})[0] == 202
    api.clock.advance(50)


def shown(api, path):
    status, answer = api("GET", f"/v1/{path}")
    assert status == 200
    (items,) = (value for value in answer.values() if isinstance(value, list))
    # Entries of the history have names that are drawn.
    left_out = ("links", "uuid") if "history" in path else ("links",)
    return [{name: one[name] for name in one if name not in left_out} for one in items]


@pytest.mark.rows
@pytest.mark.parametrize("delays", _DELAYS)
@pytest.mark.parametrize("scene", _SCENES)
def test_who_looks_late_finds_what_who_looks_often_has_found(scene, delays):
    often = run(_DELAYS[delays], _SCENES[scene], often=True)
    late = run(_DELAYS[delays], _SCENES[scene], often=False)
    for path in often:
        assert late[path] == often[path], path


def moments(api, began):
    """Return the second of the last change of each node and allocation, and what it is then."""
    found = {}
    for path in _LISTS:
        for one in shown(api, path):
            at = one["provision_updated_at"] if "provision_state" in one else one["updated_at"]
            state = one.get("provision_state") or f"{one['state']} {one['node_uuid']}"
            found[one["name"]] = (second(at, began), state)
    return found


def second(moment, began):
    return moment and (datetime.fromisoformat(moment).timestamp() - began)


@pytest.mark.parametrize("step", [1, 2, 7, 100])
def test_all_happens_at_its_moment(step):
    """However often somebody looks, and by whatever request."""
    api = Api(delay=10)
    a, b = (api.enrol(name, resource_class="gold") for name in "ab")
    switch_off(api, "a")
    began = api.clock.seconds()
    plan = {
        0: ("PUT", f"/v1/nodes/{b}/states/provision", {"target": "manage"}),
        1: ("PUT", f"/v1/nodes/{a}/states/provision", {"target": "manage"}),
        20: ("PUT", f"/v1/nodes/{a}/states/provision", {"target": "provide"}),
        # One finds no node yet, the next the first one, and the last again none.
        21: ("POST", "/v1/allocations", {"name": "x", "resource_class": "silver"}),
        22: ("POST", "/v1/allocations", {"name": "y", "resource_class": "gold"}),
        23: ("POST", "/v1/allocations", {"name": "z", "resource_class": "gold"}),
    }
    for number in range(100):
        if number in plan:
            assert api(*plan[number])[0] in (201, 202)
        api.clock.advance(1)
        if number % step == 0:
            api("GET", _LOOKS[number % len(_LOOKS)])
    assert moments(api, began) == {
        "a": (30, "available"),
        "b": (10, "manageable"),
        "x": (31, "error None"),
        "y": (32, f"active {a}"),
        "z": (33, "error None"),
    }


@pytest.mark.parametrize("names", ["xy", "yx"])
def test_of_two_at_one_moment_the_first_one_gets_the_node(names):
    api = Api(delay=10)
    api.enrol("n", resource_class="gold")
    switch_off(api, "n")
    for verb in ("manage", "provide"):
        api.provision(verb)
        api.clock.advance(50)
    for name in names:
        api("POST", "/v1/allocations", {"name": name, "resource_class": "gold"})
    api.clock.advance(100)
    states = [api("GET", f"/v1/allocations/{name}")[1]["state"] for name in names]
    assert states == ["active", "error"]


def test_what_has_no_conductor_keeps_nothing_else_from_happening():
    hosts = tuple(map(parse, ("a:one", "b:two")))
    api = Api(conductors=hosts, hardware_types=("fake-hardware",))
    api.app.control.delays.set(default=10, nodes={"second": {"default": 80}})
    for name, group in (("first", "one"), ("second", "two"), ("third", "one")):
        api.enrol(name, conductor_group=group)
        api.provision("manage", ident=name)
        api.clock.advance(1)
    api("PATCH", "/_fake/conductors/a", {"alive": False})
    api.clock.advance(100)
    names = ("second", "first", "third")
    assert [api.state(name) for name in names] == ["manageable", "verifying", "verifying"]


def test_a_periodic_task_that_was_due_before_other_work_comes_before_it():
    redfish = {"driver": "redfish", "driver_info": {"redfish_address": "bmc"}}
    api = Api(hardware_types=("redfish",), interfaces={}, delay=150)
    api.enrol(**redfish)
    api.provision("manage")
    api.clock.advance(500)
    # The node is locked while it is inspected, and the task looks at it every two minutes.
    api.provision("inspect")
    api("PATCH", "/_fake/machines/n", {"power_state": "power on"})
    api.clock.advance(151)
    assert api("GET", "/_fake/machines/n")[1]["power_state"] == "power on"
    assert api.state() == "manageable"
    api.clock.advance(120)
    assert api("GET", "/_fake/machines/n")[1]["power_state"] == "power off"
