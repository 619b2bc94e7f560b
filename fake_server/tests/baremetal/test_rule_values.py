"""Inspection rules store what Ironic's do, and refuse what they refuse.

``rule_values.txt`` has what Ironic's own code did; ``tools/dev ironic-facts`` writes it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fake_server.baremetal.conductor.sessions import open_session
from fake_server.baremetal.models import nodes as node_models
from fake_server.baremetal.rules.actions import ACTIONS
from fake_server.baremetal.tables import nodes, ports
from fake_server.baremetal.task.task import Task
from fake_server.tests.baremetal import rule_values
from fake_server.tests.baremetal.api import Api
from fake_server.tests.policies.judge import judge

_FACTS = Path(__file__).with_name("rule_values.txt").read_text().splitlines()
_NOTHING_KEPT = ("bogus", "chassis_uuid", "updated_at")


@pytest.fixture(scope="module")
def api():
    made = Api()
    uuid = made.enrol()
    made("POST", "/v1/ports", {"node_uuid": uuid, "address": "52:54:00:00:00:01"})
    with made.app.store.transaction() as tx:
        tx.update(nodes, [nodes.c.uuid == uuid], {"provision_state": "inspecting"})
    made.keep()
    yield made
    made.app.close()


def acted(api, name, arguments):
    """Carry an action out; return the fact about it."""
    api.go_back()
    with api.app.store.transaction() as tx:
        session = open_session(api.app.lab, tx)
        (row,) = tx.rows(nodes, "id", name="n")
        (port,) = tx.rows(ports, "id", node_id=row["id"])
        on_port = {"port_id": port["uuid"]} if "port" in name else {}
        error = None
        try:
            with tx.savepoint():
                ACTIONS[name][1](Task(session, row), **on_port, **arguments)
        except Exception as exc:
            error = str(exc)
        field = arguments.get("path", "/traits").removeprefix("/")
        stored = None
        if field == "traits":
            stored = sorted(node_models.traits(session, [row["id"]]).get(row["id"], []))
        elif field not in _NOTHING_KEPT:
            table, ident = (ports, port["id"]) if on_port else (nodes, row["id"])
            stored = tx.get(table, id=ident)[field]
    return rule_values.line(name, arguments, error, stored)


def alike(fact):
    """Return a fact without what differs for no reason of the API.

    Ironic's objects have an empty object where nothing was stored.
    """
    return fact.removesuffix(": {}") + ": null" if fact.endswith(": {}") else fact


def test_values_become_what_they_become_in_ironic(api):
    found = [acted(api, name, arguments) for name, arguments in rule_values.cases()]
    assert len(found) == len(_FACTS) - 1
    wrong = [
        f"{ours}\n  Ironic: {fact}"
        for ours, fact in zip(found, _FACTS[1:], strict=True)
        if alike(ours) != alike(fact)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_facts_are_of_the_release_that_the_fake_is_compared_with():
    assert _FACTS[0].startswith(f"# Answers of Ironic {judge('ironic').version};")
