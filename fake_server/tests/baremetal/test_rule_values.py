"""Inspection rules store what Ironic's do, and refuse what they refuse.

``rule_values.txt`` has what Ironic's own code did; ``tools/dev ironic-facts`` writes it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fake_server.baremetal.conductor.task import Task
from fake_server.baremetal.models import nodes as node_models
from fake_server.baremetal.rules.actions import ACTIONS
from fake_server.baremetal.session import open_session
from fake_server.baremetal.tables import nodes, ports
from fake_server.tests.baremetal import rule_values
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.test_inspection_rules import (
    INTERFACES,
    MAC,
    create,
    inspect,
    operation,
)
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


def inspected(*actions):
    """Inspect a node of a server with rules; return it as it is then."""
    api = Api(agent="external", interfaces=INTERFACES)
    images = {"deploy_kernel": "http://k", "deploy_ramdisk": "http://r"}
    api.enrol(boot_interface="ipxe", inspect_interface="agent", driver_info=images)
    api("POST", "/v1/ports", {"node_uuid": api.node()["uuid"], "address": MAC})
    api.provision("manage")
    create(api, actions)
    return inspect(api)


def test_a_provision_state_that_a_rule_writes_gives_way_to_the_end_of_the_inspection():
    rule = operation("set-attribute", path="/provision_state", value="no such state")
    node = inspected(rule)
    assert (node["provision_state"], node["last_error"]) == ("manageable", None)


@pytest.mark.parametrize("field", ["chassis_id", "allocation_id"])
def test_what_is_not_there_can_not_be_referred_to(field):
    node = inspected(operation("set-attribute", path=f"/{field}", value=4711))
    assert node["provision_state"] == "inspect failed"
    assert "FOREIGN KEY constraint failed" in node["last_error"]
