"""From which version on a request is answered otherwise: as Ironic answered.

``versions.txt`` has what Ironic's own code answered; ``tools/dev ironic-facts`` writes it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest

from fake_server.tests.baremetal.rights import versions
from fake_server.tests.policies.judge import judge
from tools.rows import some

_FACTS = Path(__file__).with_name("versions.txt").read_text()
ANSWERS = versions.expected(_FACTS)


def by_resource():
    """Return the requests by the first part of their address."""
    found = defaultdict(list)
    for request in ANSWERS:
        path = request.split()[1].removeprefix("/v1/")
        found[path.partition("/")[0].partition("?")[0]].append(request)
    return found


RESOURCES = by_resource()


@pytest.fixture(scope="module")
def things():
    return versions.things()


@pytest.mark.parametrize("resource", RESOURCES)
def test_answers_change_in_the_versions_of_ironic(api, resource):
    wrong = []
    for request in some(RESOURCES[resource]):
        told = ANSWERS[request]
        for minor in _on_both_sides(told):
            expected = told[max(first for first in told if first <= minor)]
            method, path, text = (*request.split(" ", 2), "")[:3]
            status, answer = api(method, path, json.loads(text) if text else None, f"1.{minor}")
            if method != "GET" and status < 400:
                api.go_back()
            here = versions.what_matters(status, answer)
            # Where Ironic fails, the fake answers what it should have answered.
            if here != expected and expected[0] < 500:
                wrong.append(_difference(request, minor, here, expected, answer))
    assert not wrong, "\n".join(wrong)


def _difference(request, minor, here, expected, answer):
    """Tell what another answer is, and what is right."""
    if here[0] != expected[0]:
        return f"{request} in 1.{minor}: {here[0]} {answer}\n  Ironic: {expected[0]}"
    more, less = {*here[1]} - {*expected[1]}, {*expected[1]} - {*here[1]}
    return f"{request} in 1.{minor}: {here[0]}, wrong: {sorted(more)}, missing: {sorted(less)}"


def _on_both_sides(told):
    """Return the versions in which an answer changes, and those before them."""
    changes = [*told][1:]
    return sorted({1, *changes, *(minor - 1 for minor in changes), versions.LATEST})


def test_the_answers_are_of_the_release_that_the_fake_is_compared_with():
    assert _FACTS.startswith(f"# Answers of Ironic {judge('ironic').version};")
