"""Traits: set, add, remove, their names and their number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_server.tests.baremetal.api import Api

NAMES = st.from_regex(r"CUSTOM_[A-Z0-9_]{1,20}", fullmatch=True)


@pytest.fixture
def api():
    api = Api()
    api.enrol()
    return api


def listed(api):
    status, body = api("GET", "/v1/nodes/n/traits")
    assert status == 200
    return body["traits"]


@given(st.lists(NAMES, max_size=60))
def test_a_set_is_kept_sorted_or_refused_whole(names):
    api = Api()
    api.enrol()
    api("PUT", "/v1/nodes/n/traits", {"traits": ["CUSTOM_OLD"]})
    status, _ = api("PUT", "/v1/nodes/n/traits", {"traits": names})
    if len(set(names)) <= 50:
        assert (status, listed(api)) == (204, sorted(set(names)))
    else:
        assert (status, listed(api)) == (400, ["CUSTOM_OLD"])


def test_a_locked_node_keeps_its_traits():
    api = Api(delay=10)
    api.enrol()
    api.provision("manage")
    assert api("PUT", "/v1/nodes/n/traits/CUSTOM_A")[0] == 409
    api.clock.advance(10)
    assert listed(api) == []


def test_traits_go_with_their_node(api):
    uuid = api.node()["uuid"]
    api("PUT", "/v1/nodes/n/traits", {"traits": ["CUSTOM_A"]})
    assert api("DELETE", "/v1/nodes/n")[0] == 204
    assert api.enrol("n", uuid=uuid) == uuid
    assert listed(api) == []


def test_the_51st_is_refused_but_not_one_of_the_50(api):
    names = [f"CUSTOM_{number:02}" for number in range(50)]
    api("PUT", "/v1/nodes/n/traits", {"traits": names})
    status, text = api("PUT", "/v1/nodes/n/traits/CUSTOM_ONE_MORE")
    assert status == 400
    assert text.endswith("exceed the maximum number of traits per node (51 vs. 50)")
    assert api("PUT", "/v1/nodes/n/traits/CUSTOM_07")[0] == 204
