"""What the services answer when any part of a body has another kind of value."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest
import yaml

from fake_server.tests.filled_cloud import Filled, said

pytestmark = pytest.mark.night("sends 9,000 bodies; those of published schemas are in bodies/")
#: Values and what they are called.
VALUES = {
    **{"null": None, '""': "", "odd": "odd", "-7": -70707, "9e11": 987654321012},
    **{"[]": ["odd"], "{}": {"odd": 1}},
}
BODIES = Path(__file__).with_name("bodies.txt")
INVALID = "Invalid input for field/attribute FIELD."
# Where an error quotes nothing.
_SHORT = r"''|\"\"|(?<=Value: )(?=\.)"
SERVICES = ("volume", "compute", "placement", "image", "identity")


def requests(service):
    """Yield method, path and body of each request to a service."""
    text = BODIES.read_text("utf-8").partition("\n")[2]
    for line in text.replace("\n ", " ").splitlines():
        asked, method, path, body = line.split(" ", 3)
        if asked == service:
            yield method, path, yaml.safe_load(body)


def places(value, at=()):
    """Yield the ways to all that is within a value."""
    yield at
    inside = value.items() if isinstance(value, dict) else ()
    inside = enumerate(value) if isinstance(value, list) else inside
    for key, part in inside:
        yield from places(part, (*at, key))


def replaced(value, place, other):
    """Return a value with another one in a place within it."""
    if not place:
        return other
    changed = dict(value) if isinstance(value, dict) else list(value)
    changed[place[0]] = replaced(value[place[0]], place[1:], other)
    return changed


def without(value, place):
    """Return a value without a member."""
    changed = dict(value)
    if len(place) > 1:
        changed[place[0]] = without(value[place[0]], place[1:])
    else:
        del changed[place[0]]
    return changed


def variants(body):
    """Yield bodies with one change each: where, what it is called, what it is, and the body."""
    for place in places(body):
        for name, value in VALUES.items():
            yield place, f": {name}", value, replaced(body, place, value)
        if place and all(isinstance(key, str) for key in place):
            yield (*place, "gone"), "", None, without(body, place)
    for place in places(body):
        found = body
        for key in place:
            found = found[key]
        if isinstance(found, dict):
            yield (*place, "moon"), "", 1, replaced(body, place, {**found, "moon": 1})


def outcome(status, answer, place, value):
    """Return what became of a value: whether it was taken, as another one, or why not."""
    if status >= 400:
        text = said(answer).partition("Failed validating")[0].strip()
        for one in (json.dumps(value), repr(value), str(value)):
            if len(one) > 2:
                text = re.sub(rf"(?<!\w){re.escape(one)}(?!\w)", "VALUE", text)
        text = text.replace("'VALUE'", "VALUE")
        if not value:
            text = re.sub(_SHORT, "VALUE", text)
        for key in place:
            if isinstance(key, str) and key:
                text = re.sub(rf"(?<!\w){re.escape(key)}(?!\w)", "FIELD", text)
        text = re.sub(r"Value: \{.*\}\.", "Value: OBJECT.", text)
        text = text.replace(f"{INVALID} Value: VALUE. VALUE", "it").replace(INVALID, "it:")
        return f"{status} {text[:40]}"
    shown = answer
    for key in place:
        try:
            shown = shown[key]
        except (KeyError, IndexError, TypeError):
            return f"{status} not shown"
    if isinstance(shown, str) and shown == str(value) != value:
        return f"{status} as text"
    return f"{status} as it is" if shown == value else f"{status} as {json.dumps(shown)[:60]}"


@pytest.mark.parametrize("service", SERVICES)
def test_values_are_answered_as_recorded(recorded, service):
    cloud = Filled("keystone" if service == "identity" else "none")
    cloud.log_in("admin", "admin")
    found = {}
    for method, path, body in requests(service):
        root = next(iter(body)) if len(body) == 1 else "the body"
        outcomes = defaultdict(lambda: defaultdict(list))
        for place, called, value, changed in variants(body):
            status, answer = cloud.ask(service, method, path, changed)
            name = ".".join(map(str, place)).removeprefix(f"{root}.") or "the body"
            name = name.replace("block_device_mapping_v2.0", "disk")
            # Most members may be left out, and all do the same then.
            if place and (status >= 400 or place[-1] != "gone"):
                outcomes[name][outcome(status, answer, place, value)].append(called)
            if status < 300:
                cloud.restore()
                cloud.log_in("admin", "admin")
        alike = defaultdict(list)
        for name, by_outcome in outcomes.items():
            lines = (
                f"{text}{values[0]} {' '.join(one[2:] for one in values[1:])}".rstrip()
                for text, values in by_outcome.items()
            )
            alike[tuple(lines)].append(name)
        for lines, names in alike.items():
            found[f"{method} {path[-14:]} {', '.join(names)}"] = list(lines)
    recorded(found)
