"""The steps that interfaces offer are those of Ironic 39.0.0, with the same arguments.

``steps_of_ironic.json`` was written by asking Ironic's own interfaces for ``clean_steps``,
``deploy_steps`` and ``service_steps``.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fake_server.baremetal.conductor.work import node_task
from fake_server.baremetal.hardware_types import TYPES, enabled_interfaces
from fake_server.baremetal.models.nodes import NODES
from fake_server.baremetal.session import open_session
from fake_server.tests.baremetal.api import Api

STEPS = json.loads(Path(__file__).with_name("steps_of_ironic.json").read_text())
FLOWS = ("clean", "deploy", "service")
# The first passes on the steps of another interface, the next takes them from the node's agent, and
# the API takes no step of the last, which nobody can run therefore.
LEFT_OUT = {"deploy.autodetect", "raid.agent", "network.neutron"}
# Ironic reads them from a file that is not in its package.
FROM_A_FILE = {"deploy.ansible": {"clean"}}


@pytest.fixture(scope="module")
def api():
    enabled = {kind: set(names) for kind, names in enabled_interfaces(TYPES).items()}
    for interface in STEPS:
        kind, name = interface.split(".")
        enabled[kind].add(name)
    interfaces = {kind: tuple(sorted(names)) for kind, names in enabled.items()}
    return Api(hardware_types=tuple(TYPES), interfaces=interfaces)


def offered(api, kind, name):
    """Return by flow the steps that an interface offers, sorted by name."""
    for driver in TYPES:
        body = {"driver": driver, f"{kind}_interface": name}
        status, node = api("POST", "/v1/nodes", body)
        if status == 201:
            break
    assert status == 201, node
    with api.app.store.transaction() as tx:
        session = open_session(api.app.lab, tx)
        record = NODES.get_by_uuid(session, node["uuid"])
        with node_task(session, record, shared=True) as task:
            found = {flow: task.driver.interface(kind).offered(task, flow) for flow in FLOWS}
    return {
        flow: sorted(steps, key=lambda step: step["step"])
        for flow, steps in found.items()
        if steps and flow not in FROM_A_FILE.get(f"{kind}.{name}", ())
    }


@pytest.mark.parametrize("interface", sorted(STEPS.keys() - LEFT_OUT))
def test_steps(api, interface):
    assert offered(api, *interface.split(".")) == STEPS[interface]


def test_no_other_interface_offers_steps(api):
    others = [
        f"{kind}.{name}"
        for kind, names in enabled_interfaces(TYPES).items()
        for name in names
        if f"{kind}.{name}" not in STEPS and offered(api, kind, name)
    ]
    assert others == []
