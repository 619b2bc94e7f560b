"""Requests that Neutron refuses are refused, with the status, type and text of the file beside it.

A real Neutron answered them, which has no accounts: headers said who asked.
"""

from __future__ import annotations

import json
from pathlib import Path

import yaml

from fake_server.tests.networking.cloud import Cloud

RECORD = Path(__file__).with_name("refused_by_neutron.txt")
NOWHERE = "00000000-0000-0000-0000-000000000001"


def recorded():
    """Yield each request and what it was answered: requests alike come before their answer."""
    asked = []
    for line in RECORD.read_text("utf-8").splitlines()[1:]:
        if line.lstrip().startswith("#"):
            continue
        if line.startswith(" "):
            yield from ((one, line.strip()) for one in asked)
            asked = []
        elif line:
            asked.append(line)


def test_refusals_are_those_of_neutron():
    cloud = Cloud()
    ids = {"NOWHERE": NOWHERE}
    ids["NETWORK"] = network = cloud.make("member", "network")["id"]
    ids["WIRED"] = wired = cloud.make("member", "network")["id"]
    cloud.make("member", "subnet", network_id=wired, cidr="10.0.0.0/24", ip_version=4)
    ids["PORT"] = cloud.make("member", "port", network_id=network)["id"]
    parent = cloud.make("member", "port", network_id=network)["id"]
    ids["TRUNK"] = cloud.make("member", "trunk", port_id=parent)["id"]
    ids["GROUP"] = cloud.make("member", "security_group", name="g")["id"]
    problems = []
    rows = list(recorded())
    for line, expected in rows:
        text = line
        for name, ident in ids.items():
            text = text.replace(name, ident)
        role, method, path, *body = text.split(" ", 3)
        body = yaml.safe_load(body[0]) if body else None
        status, answer = cloud(role, method, path.replace("LONG", "x" * 61), body)
        error = answer.get("NeutronError", {})
        found = json.dumps(f"{status} {error.get('type')} {error.get('message')}")
        for name, ident in ids.items():
            found = found.replace(ident, name)
        if json.loads(found) != expected.replace("LONG", "x" * 61):
            problems.append(f"{line}: {found}")
    assert problems == []
    assert len(rows) >= 130
