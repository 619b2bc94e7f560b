"""Requests that Neutron refuses are refused, with the status, type and text of the file beside it.

A real Neutron answered them, which has no accounts: headers said who asked.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from fake_server.tests import asked
from fake_server.tests.networking.cloud import Cloud

RECORD = Path(__file__).with_name("refused_by_neutron.txt")
NOWHERE = "00000000-0000-0000-0000-000000000001"


@pytest.fixture(scope="module")
def cloud():
    return Cloud()


@pytest.fixture(scope="module")
def ids(cloud):
    network = cloud.make("member", "network")["id"]
    wired = cloud.make("member", "network")["id"]
    cloud.make("member", "subnet", network_id=wired, cidr="10.0.0.0/24", ip_version=4)
    port, parent = (cloud.make("member", "port", network_id=network)["id"] for _ in range(2))
    return {
        "NOWHERE": NOWHERE,
        "NETWORK": network,
        "WIRED": wired,
        "PORT": port,
        "TRUNK": cloud.make("member", "trunk", port_id=parent)["id"],
        "GROUP": cloud.make("member", "security_group", name="g")["id"],
    }


@pytest.mark.parametrize("row", asked.alike(RECORD), ids=lambda row: row.place)
def test_refusals_are_those_of_neutron(cloud, ids, row):
    text = row.request
    for name, ident in ids.items():
        text = text.replace(name, ident)
    role, method, path, *body = text.split(" ", 3)
    body = yaml.safe_load(body[0]) if body else None
    status, answer = cloud(role, method, path.replace("LONG", "x" * 61), body)
    error = answer.get("NeutronError", {})
    found = json.dumps(f"{status} {error.get('type')} {error.get('message')}")
    for name, ident in ids.items():
        found = found.replace(ident, name)
    asked.compare(row, json.loads(found).replace("x" * 61, "LONG"))


def test_enough_is_recorded():
    assert len(asked.alike(RECORD)) >= 130
