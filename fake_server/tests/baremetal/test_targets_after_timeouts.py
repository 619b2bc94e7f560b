"""Where a node is bound for after the time limit of its agent.

Ironic (``ConductorManager._check_*_timeouts``, ``keep_target_state``) keeps the target of cleaning,
service and rescue, and gives the usual one of their failure to deployments and inspections.
"""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api


@pytest.mark.parametrize(
    ("state", "target", "failed"),
    [
        ("wait call-back", "manageable", ("deploy failed", "active")),
        ("inspect wait", "available", ("inspect failed", "manageable")),
        ("clean wait", "manageable", ("clean failed", "manageable")),
        ("service wait", "rescue", ("service failed", "rescue")),
        ("rescue wait", "active", ("rescue failed", "active")),
    ],
)
def test_a_target_is_kept_where_ironic_keeps_it(state, target, failed):
    api = Api(agent="external")
    api.enrol()
    put = {"provision_state": state, "target_provision_state": target}
    assert api("PATCH", "/_fake/nodes/n", put)[0] == 200
    api.clock.advance(1801)
    node = api.node()
    assert (node["provision_state"], node["target_provision_state"]) == failed
