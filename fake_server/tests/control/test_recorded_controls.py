"""What the controls answer to each field with each kind of value."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest

from fake_server.baremetal.models import machines
from fake_server.control import delays
from fake_server.tests.baremetal.api import Api

VALUES = {
    **{"null": None, "text": "texts", "-1": -1, "7": 7, "2.5": 2.5, "true": True},
    **{"[]": ["texts"], "{1}": {"x": 1}, "long": "é" * 300},
}
NODE, MACHINE = "n", "m"
ERROR, BREAKING = {"do": {"status": 503}}, {"do": {"last_error": "Broken."}}
# Method, path, a body that is fine, the object in it that the fields are in, and these.
BODIES = {
    "clock": ("PUT", "clock", {"mode": "manual", "now": 1_800_000_000}, None, "mode now factor"),
    "advance": ("POST", "clock/advance", {"seconds": 5}, None, "seconds bogus"),
    "delays": ("PUT", "delays", {"default": 5}, None, "default transitions names"),
    "transitions": ("PUT", "delays", {}, "transitions", f"bogus {' '.join(delays.DELAYS)}"),
    "faults": ("POST", "faults", ERROR, None, "match do times seconds bogus"),
    "matches": (
        *("POST", "faults", ERROR, "match"),
        "method path node headers nth every probability seed flow bogus",
    ),
    "steps": ("POST", "faults", BREAKING, "match", "flow step node nth path"),
    "doings": (
        *("POST", "faults", {}, "do"),
        "status message headers delay drop locked truncate content_type last_error bogus",
    ),
    "conductors": ("PATCH", "conductors/fake-conductor", {}, None, "alive bogus"),
    "machines": ("PATCH", f"machines/{MACHINE}", {}, None, f"bogus {' '.join(machines.NEW)}"),
    "no machine": ("PATCH", f"machines/{NODE}", {}, None, "power_state"),
    "snapshots": ("POST", "snapshots", {}, None, "id bogus"),
}


@pytest.fixture
def api():
    info = {"redfish_address": "bmc"}
    found = Api(hardware_types=("fake-hardware", "redfish"), interfaces={})
    seed = {"nodes": [{"name": NODE}, {"name": MACHINE, "driver": "redfish", "driver_info": info}]}
    assert found("POST", "/_fake/seed", seed)[0] < 300
    found.keep()
    return found


def tried(api, method, path, body, value):
    """Return what became of a value: that it was taken, or why not."""
    status, answer = api(method, f"/_fake/{path}", body)
    if status < 300:
        api("DELETE", "/_fake/faults")
        api("DELETE", "/_fake/delays")
        api.go_back()
        return str(status)
    text = answer["error"]
    for one in (repr(value), json.dumps(value), str(value)):
        text = text.replace(one, "VALUE") if len(one) > 2 else text
    return f"{status} {text[:50]}"


@pytest.mark.parametrize("control", BODIES)
def test_controls_take_what_is_recorded(api, recorded, control):
    method, path, base, inside, names = BODIES[control]
    found = {}
    for name in names.split():
        outcomes = defaultdict(list)
        for called, value in VALUES.items():
            fields = {name: value}
            body = {**base, **({inside: fields} if inside else fields)}
            text = tried(api, method, path, body, value).replace(name, "NAME")
            outcomes[text].append(called)
        found[name] = [f"{text}: {' '.join(values)}" for text, values in outcomes.items()]
    recorded(found)
