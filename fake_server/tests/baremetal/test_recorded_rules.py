"""What each operation of inspection rules does with each kind of argument.

Recorded from the fake server, so that no change goes unnoticed. A deliberate change is written
down with ``--record -n 0``.
"""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from fake_server.tests import recorded
from fake_server.tests.baremetal.test_inspection_rules import MAC, REPORT, RULES, api, operation

__all__ = ["api"]

PARTS = 4
# Conditions that are tried in one inspection, unless one of them fails it.
TOGETHER = 10
RECORD = Path(__file__).with_name("rules.json.gz")
PORT = "33333333-3333-4333-8333-333333333333"
FILLED = (
    *("{inventory[cpu][count]}", "{inventory[cpu][architecture]}", "{inventory[nothing]}"),
    *("{node.name}", "{node.traits}", "{node._node}", "{node.nothing}", "{plugin_data[found]}"),
    *("{inventory[bmc_password]}", "{0}", "{", "{inventory[interfaces][0][name]}"),
)
PLAIN = (None, True, False, 0, 4, 1.5, "", "yes", "TRUE", "No", "none", "[]", [], [1], {}, {"a": 1})
PATHS = (
    *("extra/a", "extra.a", "/extra/a", "extra/a/b/c", "extra/list", "extra/list/0", "extra"),
    *("resource_class", "driver_info/x", "properties/capabilities", "properties/cpus", "name"),
    *("uuid", "bogus", "bogus/a", "", "traits", "instance_info", "provision_state", "extra/"),
)
# Of values of different types, few can be compared.
COMPARED = (None, True, 0, 4, 1.5, "", "yes", [1], {"a": 1}, FILLED[0], FILLED[2])
LISTS = ("extra/list", "extra/a", "extra/list/0", "extra.a")
PLUGIN_PATHS = ("one", "one.two", "one.two.three", "found.list", "found.list.0", ["a", "b"], "", 7)
NETS = ("192.0.2.0/24", "192.0.2.5/24", "10.0.0.0/8", "2001:db8::/32", "nonsense", "", None, 7)
REGEXES = ("x86", "x86_64", "x86$", "^x86.*", ".*", "(", "4", "86")
LOOPS = ([1, 2], ["a", "{node.name}"], {"a": 1}, [{"b": 4}, {"b": 5}], "ab", [], "{inventory}", 7)


def conditions():
    """Yield conditions with their arguments."""
    for one, other in product((*PLAIN, *FILLED[:3]), (4, "4", True, [1], "x86_64", None)):
        yield operation("eq", values=[one, other])
    for op, other, one in product(("lt", "gt"), (4, "4", [1], None), COMPARED):
        yield operation(op, values=[one, other])
    for op in ("eq", "lt", "gt"):
        for values in ([], [1], [1, 2, 3], [3, 2, 1], [1, 3, 2], [2, 2, 2], "aa", None, {"a": 1}):
            yield operation(op, values=values)
            yield operation(op, values=values, force_strings=True)
            yield {"op": op, "args": [values]}
    for op in ("is-empty", "is-none", "is-true", "is-false", "one-of"):
        for value in (*PLAIN, *FILLED):
            yield operation(op, value=value)
            yield {"op": op, "args": [value]}
    for value, values in product(
        (4, "4", None, "{inventory[cpu][count]}"), ([4], ["4"], "4", None)
    ):
        yield operation("one-of", value=value, values=values)
    for address, net in product(("192.0.2.1", "{inventory[bmc_address]}", "::1", "x", 7), NETS):
        yield operation("in-net", address=address, subnet=net)
    for op in ("matches", "contains"):
        for value, regex in product(("x86_64", "{inventory[cpu][architecture]}", 4, None), REGEXES):
            yield operation(op, value=value, regex=regex)
    for op in ("!eq", "! eq", "!!eq", "not eq", " eq ", "EQ", "dance", "", 7):
        yield operation(op, values=[1, 1])
    for loop, multiple in product(LOOPS, ("any", "all", "first", "last", "none", None)):
        for values in (["{item}", 1], ["{item}", "{item}"], ["{item[b]}", 4]):
            yield operation("eq", values=values) | {"loop": loop, "multiple": multiple}


def actions():
    """Yield actions with their arguments."""
    for path, value in product(PATHS, (1, "t", None, ["x"], {"k": 1}, "{inventory[cpu][count]}")):
        yield operation("set-attribute", path=path, value=value)
        yield operation("set-port-attribute", port_id=PORT, path=path, value=value)
    for path in PATHS:
        yield operation("del-attribute", path=path)
        yield operation("del-port-attribute", port_id=PORT, path=path)
        yield operation("extend-attribute", path=path, value=["x"])
        yield operation("extend-port-attribute", port_id=PORT, path=path, value=2)
    for path, value in product(LISTS, (1, 2, "t", None, {"k": 1}, "{inventory[cpu][count]}")):
        yield operation("extend-attribute", path=path, value=value)
    for path, value, unique in product(LISTS, (1, 2), (True, False, None)):
        yield operation("extend-attribute", path=path, value=value, unique=unique)
        more = {"port_id": PORT, "unique": unique}
        yield operation("extend-port-attribute", path=path, value=value, **more)
    yield operation("set-port-attribute", port_id=MAC, path="extra/a", value=1)
    yield operation("set-port-attribute", port_id=None, path="extra/a", value=1)
    for path, value in product(PLUGIN_PATHS, (1, "{node.name}", None, ["x"])):
        yield operation("set-plugin-data", path=path, value=value)
        yield operation("extend-plugin-data", path=path, value=value)
        yield operation("extend-plugin-data", path=path, value=value, unique=True)
        yield operation("unset-plugin-data", path=path)
    for name, value in product(("boot", "cpu", "a:b", "", None), ("x", "{node.name}", None, 1)):
        yield operation("set-capability", name=name, value=value)
        yield operation("unset-capability", name=name)
    for name in ("CUSTOM_A", "CUSTOM_B", "HW_CPU_X86_AVX", "bad", ""):
        yield operation("add-trait", name=name)
        yield operation("remove-trait", name=name)
    for level in ("debug", "INFO", "warning", "loud", "", None, 7):
        yield operation("log", msg="{node.name}", level=level)
    for msg in ("{node.name}", "", None, ["m"], 7):
        yield operation("fail", msg=msg)
        yield {"op": "fail", "args": [msg]}
    for loop in LOOPS:
        yield operation("set-attribute", path="extra/{item}", value="{item}") | {"loop": loop}
        yield operation("extend-attribute", path="extra/all", value="{item}") | {"loop": loop}
    for args in ([], ["extra/a"], ["extra/a", 1], ["extra/a", 1, 2], "extra", None, 7):
        yield {"op": "set-attribute", "args": args}
    # Nothing is sent: the URL has no scheme.
    for timeout in (None, "", "x", "1", -1, 0, 0.001, True, [], {}):
        yield operation("api-call", url="{node.name}", timeout=timeout)
    for name, value in product(("retries", "backoff_factor"), (None, "x", "1", -1, 0, [])):
        yield operation("api-call", **{"url": "n", name: value})
    for url in (None, "", 7, "{node.nothing}"):
        yield operation("api-call", url=url)
    yield {"op": "api-call", "args": ["n", {}, {}, 0]}


def impossible_actions():
    """Yield actions that fail on a node with odd capabilities and as many traits as can be."""
    for name in ("boot", "cpu", ""):
        yield operation("set-capability", name=name, value="x")
        yield operation("unset-capability", name=name)
    for name in ("CUSTOM_T0", "CUSTOM_T49", "CUSTOM_T50", "HW_CPU_X86_AVX"):
        yield operation("add-trait", name=name)
        yield operation("remove-trait", name=name)


class Lab:
    """A node whose agent reports again and again."""

    def __init__(self, api, capabilities="boot:slow,other:1", traits=("CUSTOM_A",)):
        self._api = api
        self._uuid = api.node()["uuid"]
        (port,) = api("GET", "/v1/ports")[1]["ports"]
        api("DELETE", f"/v1/ports/{port['uuid']}")
        body = {"node_uuid": self._uuid, "address": MAC, "uuid": PORT, "extra": {"list": [1]}}
        assert api("POST", "/v1/ports", body)[0] == 201
        assert api("PUT", "/v1/nodes/n/traits", {"traits": traits})[0] == 204
        api.provision("inspect")
        api.patch("properties", {"capabilities": capabilities})
        api.app.control.snapshots.take("before")
        self._before = self._reported()

    def do(self, action):
        """Return what an action does, or why it is refused."""
        refusal, shown = self._add(action)
        if refusal:
            return self._plain(refusal)
        after = self._reported()
        changed = {name: after[name] for name in after if after[name] != self._before[name]}
        return self._plain([changed, *shown])

    def hold(self, conditions):
        """Yield conditions and whether they hold, or why they are refused or fail."""
        tried = {}
        for number, condition in enumerate(conditions):
            noting = operation("set-attribute", path=f"extra/{number}", value=1)
            refusal, shown = self._add(noting, condition)
            if refusal:
                yield condition, self._plain(refusal)
            else:
                tried[number] = condition, shown
        after = self._reported()
        if after["provision_state"] == "manageable":
            for number, (condition, shown) in tried.items():
                yield condition, self._plain([str(number) in after["extra"], *shown])
        elif len(tried) == 1:
            ((condition, _),) = tried.values()
            yield condition, self._plain(after["last_error"])
        else:
            for condition, _ in tried.values():
                yield from self.hold([condition])

    def _add(self, action, *conditions):
        """Add a rule; return why it is refused, and what it is shown as if that isn't as sent."""
        body = {"actions": [action], "conditions": conditions}
        status, rule = self._api("POST", RULES, body)
        if status != 201:
            return [status, rule], []
        shown = [rule["actions"], rule["conditions"]]
        return None, ["shown", shown] if shown != [[action], list(conditions)] else []

    def _reported(self):
        """Return what there is after a report, and return to before it."""
        assert self._api("POST", "/v1/continue_inspection", REPORT)[0] == 202
        node = self._api.node(self._uuid)
        names = ("extra", "properties", "driver_info", "resource_class", "name", "instance_info")
        names += ("last_error", "provision_state", "uuid", "traits")
        found = {name: node[name] for name in names}
        port = self._api("GET", f"/v1/ports/{PORT}")[1]
        found["port"] = {name: port[name] for name in port if not name.endswith("_at")}
        found["inventory"] = self._api("GET", f"/v1/nodes/{self._uuid}/inventory")[1]
        self._api.app.control.snapshots.restore("before")
        return found

    def _plain(self, found):
        own = rf"{recorded.UUID}| at 0x[0-9a-f]+"
        return re.sub(own, "<own>", repr(found))


@pytest.mark.parametrize("part", range(PARTS))
def test_conditions_hold_as_recorded(api, part, request):
    lab, found = Lab(api), {}
    all_ = list(conditions())
    for first in range(part * TOGETHER, len(all_), PARTS * TOGETHER):
        said = lab.hold(all_[first : first + TOGETHER])
        found |= {str(condition): holds for condition, holds in said}
    recorded.check(request, RECORD, f"conditions {part}", found)


@pytest.mark.parametrize("part", range(PARTS))
def test_actions_do_as_recorded(api, part, request):
    lab = Lab(api)
    found = {str(one): lab.do(one) for one in list(actions())[part::PARTS]}
    recorded.check(request, RECORD, f"actions {part}", found)


@pytest.mark.parametrize("capabilities", ["", None, 5, ["boot:x"]])
@pytest.mark.parametrize("count", [49, 50])
def test_impossible_actions_fail_as_recorded(api, capabilities, count, request):
    lab = Lab(api, capabilities, [f"CUSTOM_T{number}" for number in range(count)])
    found = {str(one): lab.do(one) for one in impossible_actions()}
    recorded.check(request, RECORD, f"{count} traits, {capabilities}", found)
