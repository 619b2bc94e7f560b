"""What becomes of each field of each kind, with values of every type, when it is set or changed.

The answers were recorded from the fake server itself, so that no change goes unnoticed. Those to
POST requests with one field changed were compared with a real Ironic 39: they differ where that
fails with 500, and in the deploy interfaces that are enabled.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict

import pytest

from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.facts import by_fact
from fake_server.tests.baremetal.test_recorded_versions import (
    KINDS,
    NODE,
    STEP,
    UNKNOWN,
    numbered,
)
from tools.recording import masked

VALUES = {
    **{"null": None, "empty": "", "text": "Text with spaces", "trait": "CUSTOM_TEXT"},
    **{"long": "x" * 256, "-1": -1, "1.5": 1.5, "true": True, "[a]": ["a"], "{a: 1}": {"a": 1}},
    **{"known": NODE, "unknown": UNKNOWN, "MAC": "52-54-00-AA-BB-CC"},
}
# Those whose fields the other ones share.
TRIED = ("nodes", "ports", "allocations")
# Those that are enabled in another way than the others.
INTERFACES = ("deploy_interface", "network_interface", "storage_interface")
# Lists, of whose items each part has each of the values.
PARTS = {
    "deploy_templates": {"steps": {**STEP, "priority": 1, "order": 1}},
    "runbooks": {"steps": {**STEP, "priority": 1, "order": 1}},
}


class Lab:
    """One of each kind, on a server of its own."""

    def __init__(self) -> None:
        self.api = Api()
        self.paths = {}
        self.fields = {}
        for kind in KINDS:
            more = {"uuid": NODE, "name": "n"} if kind == "nodes" else {}
            status, created = self.api("POST", f"/v1/{kind}", {**numbered(KINDS[kind], 1), **more})
            assert status == 201, created
            self.paths[kind] = f"/v1/{kind}/{created['uuid']}"
            self.fields[kind] = sorted({*created, "colour"} - {"links"})
        self.api.app.control.snapshots.take("filled")

    def ask(self, method, path, wanted):
        """Send a request, and undo what it does; return the status and the answer."""
        status, answer = self.api(method, path, wanted)
        if status < 300 and method != "GET":
            self.api.app.control.snapshots.restore("filled")
        return status, answer

    def said(self, method, path, wanted, name, value):
        """Return the status and what a field is after a request, or why it isn't taken."""
        status, answer = self.ask(method, path, wanted)
        if status < 300:
            said = answer.get(name, "<nothing>")
            return "as it is" if said == value else f"{status} {masked(json.dumps(said))[:24]}"
        shown = sorted({repr(value), json.dumps(value), str(value)}, key=len, reverse=True)
        text = answer.replace(name, "FIELD")
        for one in shown:
            text = text.replace(one, "VALUE") if len(one) > 1 else text
        return f"{status} {re.sub(r'(?<![0-9.])-?[0-9.]+ is not', 'VALUE is not', masked(text))}"


def told(by_said):
    """Yield what is said, with the values that it is said of, or those that it isn't said of."""
    for said, values in by_said.items():
        others = [name for name in VALUES if name not in values]
        few = len(others) < len(values) and len(by_said) > 1
        yield f"{said}; of {'all but ' if few else ''}{' '.join(others if few else values)}"


@pytest.fixture(scope="module")
def lab():
    return Lab()


@pytest.mark.rows
@pytest.mark.parametrize("kind", TRIED)
def test_fields_take_what_is_recorded(lab, recorded, kind):
    found = {}
    for name in lab.fields[kind]:
        if name.endswith("_interface") and name not in INTERFACES:
            continue
        created, changed = defaultdict(list), defaultdict(list)
        for label, value in VALUES.items():
            wanted = {**numbered(KINDS[kind], 2), name: value}
            created[lab.said("POST", f"/v1/{kind}", wanted, name, value)].append(label)
            # Others are changed as they are set, which records of a real Ironic compare.
            if label == "null" and kind in ("nodes", "ports"):
                patch = [{"op": "add", "path": f"/{name}", "value": value}]
                said = lab.said("PATCH", lab.paths[kind], patch, name, value)
                changed[f"PATCH: {said}"].append(label)
        patch = [{"op": "remove", "path": f"/{name}"}]
        changed[lab.said("PATCH", lab.paths[kind], patch, name, None)].append("remove")
        found[name] = [
            *told(created),
            *(f"{said}; of {' '.join(changed[said])}" for said in changed),
        ]
    recorded(by_fact(found))


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, lists in PARTS.items() for name in lists]
)
def test_items_take_what_is_recorded(lab, recorded, kind, name):
    found = {}
    for part in PARTS[kind][name]:
        by_said = defaultdict(list)
        for label, value in VALUES.items():
            items = [{**PARTS[kind][name], part: value}]
            wanted = {**numbered(KINDS[kind], 2), name: items}
            by_said[lab.said("POST", f"/v1/{kind}", wanted, name, items)].append(label)
        found[part] = told(by_said)
    recorded(by_fact(found))
