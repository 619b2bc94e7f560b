"""What is due is done in the order of time, whoever looks first and however late.

Who looks once after a long time has to find what somebody finds who has looked every second.
"""

from __future__ import annotations

import pytest

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


def shown(api, path):
    status, answer = api("GET", f"/v1/{path}")
    assert status == 200
    (items,) = (value for value in answer.values() if isinstance(value, list))
    # Entries of the history have names that are drawn.
    left_out = ("links", "uuid") if "history" in path else ("links",)
    return [{name: one[name] for name in one if name not in left_out} for one in items]


@pytest.mark.parametrize("delays", _DELAYS)
@pytest.mark.parametrize("scene", _SCENES)
def test_who_looks_late_finds_what_who_looks_often_has_found(scene, delays):
    often = run(_DELAYS[delays], _SCENES[scene], often=True)
    late = run(_DELAYS[delays], _SCENES[scene], often=False)
    for path in often:
        assert late[path] == often[path], path
