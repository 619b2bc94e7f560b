"""Small labs, and what becomes of them."""

from __future__ import annotations

from baremetalclient import declare

MAC = "52:54:00:00:00:01"
TARGET = {"volume_type": "iscsi", "volume_id": "v", "boot_index": 0}
CONNECTOR = {"type": "iqn", "connector_id": "i"}
UUID = "00000000-0000-4000-8000-000000000001"


def node(**fields):
    return {"nodes": [{"name": "n", **fields}]}


def new(**fields):
    return node(driver="fake-hardware", **fields)


def apply(lab, wanted, **options):
    results = declare.plan(lab.client, wanted).apply(allow_interruptions=True, **options)
    assert [one for one in results if one.result != "done"] == []
    return lab.client.node.get("n")


def steps(lab, wanted, **options):
    return [
        (step.kind, step.id, step.action, step.fields)
        for step in declare.plan(lab.client, wanted, **options).steps
    ]


def refused(lab, wanted):
    return {
        (step.kind, *step.fields): step.reason
        for step in declare.plan(lab.client, wanted).steps
        if step.action == "refused"
    }


def change(old, new_value):
    return {"old": old, "new": new_value}


def apply_all(lab, wanted):
    results = declare.plan(lab.client, wanted).apply(allow_interruptions=True)
    assert {one.result for one in results} == {"done"}
