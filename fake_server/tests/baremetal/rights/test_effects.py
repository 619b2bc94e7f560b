"""What a node becomes: as at Ironic, by its state and what is asked for.

``effects.txt`` has what Ironic's own code did; ``tools/dev ironic-facts`` writes it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fake_server.tests.baremetal.rights import conditions, effects
from fake_server.tests.policies.judge import judge

_FACTS = Path(__file__).with_name("effects.txt").read_text()
EXPECTED = conditions.expected(_FACTS)


@pytest.mark.rows
@pytest.mark.parametrize("condition", conditions.CONDITIONS)
def test_a_node_in_a_condition_becomes_what_it_does_at_ironic(api, condition, prepare):
    assert effects.effects(api, prepare) == EXPECTED.get(condition, {})


def test_the_effects_are_of_the_release_that_the_fake_is_compared_with():
    assert _FACTS.startswith(f"# Answers of Ironic {judge('ironic').version};")
