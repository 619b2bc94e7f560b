"""What a node becomes: as at Ironic, by its state and what is asked for.

``effects.txt`` has what Ironic's own code did; ``tools/dev ironic-facts`` writes it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fake_server.baremetal.tables import nodes
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.rights import conditions, effects
from fake_server.tests.policies.judge import judge

_FACTS = Path(__file__).with_name("effects.txt").read_text()
EXPECTED = effects.expected(_FACTS)


@pytest.fixture(scope="module")
def api():
    made = Api(hardware_types=("fake-hardware",))
    for method, path, body in conditions.things():
        status, answer = made(method, f"/v1/{path}", body)
        assert status < 300, (method, path, answer)
    made.keep()
    yield made
    made.app.close()


@pytest.mark.parametrize("condition", conditions.CONDITIONS)
def test_a_node_in_a_condition_becomes_what_it_does_at_ironic(api, condition):
    def prepare():
        api.go_back()
        with api.app.store.transaction() as tx:
            fields = conditions.CONDITIONS[condition]
            tx.update(nodes, [nodes.c.uuid == conditions.NODE], fields)

    assert list(effects.effects(api, prepare)) == EXPECTED[condition]


def test_the_effects_are_of_the_release_that_the_fake_is_compared_with():
    assert _FACTS.startswith(f"# Answers of Ironic {judge('ironic').version};")
