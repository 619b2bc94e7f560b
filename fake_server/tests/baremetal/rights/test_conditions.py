"""When what is refused: as Ironic answered, by the state of a node and the version of a request.

``conditions.txt`` has what Ironic's own code answered; ``tools/dev ironic-facts`` writes it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fake_server.tests.baremetal.rights import conditions
from fake_server.tests.policies.judge import judge
from tools.rows import some

_FACTS = Path(__file__).with_name("conditions.txt").read_text()
ANSWERS = conditions.expected(_FACTS)


@pytest.mark.parametrize("condition", conditions.CONDITIONS)
def test_a_node_in_a_condition_is_answered_for_as_by_ironic(api, condition, prepare):
    prepare()
    wrong = []
    turn = list(conditions.CONDITIONS).index(condition)
    for name, first, (method, path, body) in some([*conditions.requests(condition)], turn):
        for minor, real in conditions.expectations(ANSWERS[condition][name], first):
            here, answer = api(method, path, body, f"1.{minor}")
            if method != "GET" and here < 400:
                prepare()
            # Where Ironic fails, the fake answers what it should have answered.
            if here != real and (real < 500 or here >= 500):
                wrong.append(f"{name} in 1.{minor}: {here} {answer}\n  Ironic: {real}")
    assert not wrong, "\n".join(wrong)


def test_the_answers_are_of_the_release_that_the_fake_is_compared_with():
    assert _FACTS.startswith(f"# Answers of Ironic {judge('ironic').version};")
    names = {*conditions.VERBS, *conditions.CHANGES}
    assert ANSWERS.keys() == conditions.CONDITIONS.keys()
    assert all(told.keys() == names for told in ANSWERS.values())
