"""What each role sees of nodes and targets, and which owners it may name, word for word.

Recorded from the fake server, so that no change goes unnoticed. A deliberate change is written
down with ``--record -n 0``.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fake_server.tests import recorded

RECORD = Path(__file__).with_name("owners.json.gz")
ACCOUNTS = (
    *("system-admin", "system-member", "system-reader", "admin", "nova"),
    *("project-admin", "project-member", "project-reader", "other-member"),
)
STEP = {"interface": "bios", "step": "x", "args": {}}
BOOK = {"steps": [{**STEP, "order": 1}]}
OWNERS = ({}, {"owner": None}, {"owner": ""}, {"owner": "DEMO"}, {"owner": "OTHER"}, {"owner": "x"})
CREATED = {
    "nodes": [
        {"driver": "fake-hardware", **more}
        for more in (*OWNERS, {"lessee": "DEMO"}, {"lessee": "OTHER", "owner": "DEMO"})
    ],
    "allocations": [
        *({"resource_class": "r", **more} for more in OWNERS),
        *(
            {"resource_class": "r", "candidate_nodes": [name]}
            for name in ("owned", "leased", "others", "nobodys", "bogus")
        ),
    ],
    "runbooks": [
        {**BOOK, "name": "CUSTOM_A", **owner, **more}
        for owner in OWNERS
        for more in ({}, {"public": True}, {"public": False})
    ],
    "deploy_templates": [{"name": "CUSTOM_A", "steps": [{**STEP, "priority": 1}]}],
    "chassis": [{"description": "d"}],
}
LISTS = (
    *(f"/v1/{kind}" for kind in ("nodes", "ports", "portgroups", "runbooks", "allocations")),
    *(f"/v1/{kind}?owner={owner}" for kind in ("nodes", "allocations") for owner in ("DEMO", "x")),
    *(f"/v1/allocations?node={name}" for name in ("owned", "leased", "others", "bogus")),
    "/v1/allocations?node=owned&owner=DEMO",
    "/v1/allocations?node=owned&resource_class=r",
    "/v1/allocations?node=owned&state=active",
    *(f"/v1/nodes?{query}" for query in ("lessee=DEMO", "lessee=x", "project=DEMO", "project=x")),
    "/v1/nodes?detail=true",
    "/v1/volume/targets?detail=true",
)
SECRET = ("driver_info", "driver_internal_info", "last_error", "reservation", "instance_info")


@pytest.fixture
def said(call, server):
    """Ask and return the status and the whole answer, with names in the place of ids."""
    ids = {call.project("project-admin"): "DEMO", call.project("other-member"): "OTHER"}
    ids |= {call.project(name): name.upper() for name in ("admin", "nova")}

    def ask(account, method, path, body=None, shown=()):
        text = json.dumps(body)
        for ident, name in ids.items():
            path, text = path.replace(name, ident), text.replace(name, ident)
        answer = call(account, method, path, json=json.loads(text))
        found = answer.json() if answer.content else None
        if answer.status_code < 300 and shown:
            found = {name: found.get(name, "<nothing>") for name in shown}
        uuid = answer.json().get("uuid") if answer.status_code == 201 else None
        text = json.dumps(found, sort_keys=True).replace(server.url, "http://fake")
        for ident, name in ids.items():
            text = text.replace(ident, name)
        return f"{answer.status_code} {recorded.masked(text)}", uuid

    return ask


@pytest.mark.parametrize("account", ACCOUNTS)
def test_owners_are_as_recorded(call, said, request, account):
    found = {}
    for kind, bodies in CREATED.items():
        for body in bodies:
            shown = ("owner", "lessee", "public", "candidate_nodes", "name")
            found[f"{kind} {body}"], uuid = said(account, "POST", f"/v1/{kind}", body, shown)
            if uuid:
                call("system-admin", "DELETE", f"/v1/{kind}/{uuid}")
    recorded.check(request, RECORD, f"created, {account}", found)


@pytest.mark.parametrize("account", ACCOUNTS)
def test_secrets_are_shown_as_recorded(call, said, request, account):
    found = {}
    for node in ("owned", "leased", "nobodys"):
        path = f"/v1/nodes/{node}"
        patch = [
            {"op": "add", "path": "/driver_info", "value": {"a": 1, "b_password": "p"}},
            {"op": "add", "path": "/instance_info", "value": {"a": 1, "image_url": "u"}},
        ]
        assert call("system-admin", "PATCH", path, json=patch).status_code == 200
        power = {"target": "power off"}
        call("system-admin", "PUT", f"{path}/states/power", json=power)
        target = {
            "node_uuid": call("system-admin", "GET", path).json()["uuid"],
            "volume_type": "iscsi",
            "volume_id": "v",
            "boot_index": 0,
            "properties": {"target_iqn": "iqn.1", "auth_password": "p"},
        }
        made = call("system-admin", "POST", "/v1/volume/targets", json=target).json()["uuid"]
        found[node] = said(account, "GET", path, None, SECRET)[0]
        found[f"{node}, detail"] = said(account, "GET", f"{path}?fields=last_error,driver_info")[0]
        shown = ("properties", "volume_id", "extra")
        path = f"/v1/volume/targets/{made}"
        found[f"target of {node}"] = said(account, "GET", path, None, shown)[0]
        found[f"properties of {node}"] = said(account, "GET", f"{path}?fields=properties")[0]
        call("system-admin", "DELETE", path)
    for path in LISTS:
        status, _, text = said(account, "GET", path)[0].partition(" ")
        answer = json.loads(text)
        rows = next(iter(answer.values()))
        if status == "200":
            answer = sorted(str(row.get("name")) for row in rows)
        found[path] = [status, answer]
    recorded.check(request, RECORD, f"shown, {account}", found)
