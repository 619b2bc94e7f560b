"""Who may do what, to whose, by every way to it: as Ironic answered the same requests.

``answers.txt`` has what Ironic's own code answered; ``tools/ironic-facts`` writes it.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path

import pytest

from fake_server.tests.baremetal.rights import matrix
from fake_server.tests.baremetal.rights.cloud import Cloud
from fake_server.tests.policies.judge import judge
from tools.rows import some

_ANSWERS = Path(__file__).with_name("answers.txt").read_text()
_BY_FILE = Path(__file__).with_name("answers_by_file.txt").read_text()
#: Policies that Ironic names in none of its refusals here, by the reason.
_UNNAMED = {
    "who may not is told of another one": (
        *("node:create:self_owned_node", "node:delete", "node:update_owner_provisioned"),
        *("node:set_provision_state:clean_steps", "node:set_provision_state:service_steps"),
    ),
    "what is asked for is left out of the answer": (
        *("node:get:filter_threshold", "node:get:last_error", "node:get:reservation"),
        *("node:get:driver_info", "node:get:driver_internal_info", "volume:view_target_properties"),
    ),
    "Ironic fails where a token has another scope": (
        *("chassis:get", "driver:get", "driver:get_properties"),
        "driver:get_raid_logical_disk_properties",
    ),
    "wrong values are refused before": ("events:post", "node:update:network_data"),
    "everybody may": (
        *("driver:ipa_continue_inspection", "driver:ipa_lookup", "node:ipa_heartbeat"),
    ),
    "it isn't asked": ("allocation:create_pre_rbac", "inspection_rule:list_all"),
}


def by_route(rows):
    """Return the requests of each method and address."""
    found = defaultdict(list)
    for row in rows:
        found[f"{row.method} {row.route}"].append(row)
    return found


ROWS = by_route(matrix.rows())
ROWS_BY_FILE = by_route(matrix.rows_by_file())


@pytest.fixture(scope="module")
def cloud():
    with filled() as made:
        yield made


@pytest.fixture(scope="module")
def cloud_with_file():
    with filled(policies=matrix.POLICIES) as made:
        yield made


@contextmanager
def filled(**options):
    """Yield a cloud as it was when Ironic was asked."""
    made = Cloud(**options)
    made.fill()
    yield made
    made.app.close()


def differs(real, here):
    """Return whether an answer is another than Ironic's."""
    if real.startswith("5"):
        # Where Ironic fails, the fake refuses who may not, and else does what was asked for.
        return here[0] == "5" or ("wrong scope" in real and here[:3] not in ("403", "404"))
    return real != here


def problems(cloud, rows, answers):
    """Return how requests are answered in another way than by Ironic."""
    return "\n".join(
        f"{row}\n  as {person}: {here}\n  Ironic: {real}"
        for turn, row in enumerate(rows)
        for here, people in matrix.told(
            *(cloud, row, cloud.projects, cloud.go_back), some(tuple(matrix.PEOPLE), turn)
        ).items()
        for person in people
        if differs(real := answers[str(row)][person], here)
    )


@pytest.mark.parametrize("route", ROWS)
def test_everybody_is_answered_as_by_ironic(cloud, route):
    assert not problems(cloud, ROWS[route], matrix.expected(_ANSWERS))


def test_only_agents_need_no_token(cloud):
    """Those addresses are Ironic's ``acl_public_routes``."""
    told = {}
    for route, (row, *_) in ROWS.items():
        path = f"/v1/{matrix.filled(row.path, cloud.projects)}"
        told[route] = cloud(None, row.method, path, row.body)[0]
    public = {route for route in told if told[route] != 401}
    assert public == {"GET lookup", "POST heartbeat/{}"}
    assert cloud(None, "GET", "/v1")[0] == cloud(None, "GET", "/")[0] == 200
    assert cloud(None, "POST", "/v1/continue_inspection", {})[0] == 400


@pytest.mark.rows
@pytest.mark.parametrize("route", ROWS_BY_FILE)
def test_a_policy_file_counts_as_in_ironic(cloud_with_file, route):
    assert not problems(cloud_with_file, ROWS_BY_FILE[route], matrix.expected(_BY_FILE))


@pytest.mark.parametrize(("facts", "rows"), [(_ANSWERS, ROWS), (_BY_FILE, ROWS_BY_FILE)])
def test_the_answers_are_of_the_release_that_the_fake_is_compared_with(facts, rows):
    assert facts.startswith(f"# Answers of Ironic {judge('ironic').version};")
    assert matrix.expected(facts).keys() == {str(row) for some in rows.values() for row in some}


def test_each_published_policy_refuses_somebody():
    named = {
        answer.split()[1]
        for told in matrix.expected(_ANSWERS).values()
        for answer in told.values()
        if answer.startswith("403 baremetal:")
    }
    rules = judge("ironic").rules
    # Who may not see a node is told that it isn't there; who may, may do this.
    seeing = rules["baremetal:node:get"]["check"]
    left = {
        name
        for name, rule in rules.items()
        if name.startswith("baremetal:") and name not in named and rule["check"] != seeing
    }
    assert left == {f"baremetal:{name}" for names in _UNNAMED.values() for name in names}
