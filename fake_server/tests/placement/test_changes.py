"""Changes of what providers have, and those that cannot be."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import Cloud
from fake_server.tests.placement.conftest import detail

AGGREGATE = "4e8e5957-649f-477b-9e5b-f1f75b21c03c"
OTHER = "5f8e5957-649f-477b-9e5b-f1f75b21c03c"
CONSUMER = "8b6a6b0e-0b2d-4d7c-9b8b-6f9c0a5c1d11"
OWNER = {"project_id": "p", "user_id": "u", "consumer_type": "INSTANCE"}


@pytest.fixture
def provider(api):
    """Return the UUID of a provider with processors."""
    uuid = api.provider()["uuid"]
    api.stock(uuid, VCPU=4)
    return uuid


def code(answer):
    return answer[1]["errors"][0]["code"]


# Aggregates


# Inventories


# Classes and traits


def test_traits_of_a_node_are_taken_away_and_given_back(api):
    uuid = api.available("a", "gold", ["CUSTOM_FAST", "CUSTOM_NEW"])
    path = f"/resource_providers/{uuid}/traits"
    for names in ((), ("CUSTOM_FAST",), ("CUSTOM_FAST", "CUSTOM_NEW", "HW_CPU_X86_VMX")):
        assert api.set_traits(uuid, *names)[0] == 200
        assert api.get(path)["traits"] == list(names)


# Allocations


def claim(generation, **allocations):
    return {**OWNER, "allocations": allocations, "consumer_generation": generation}


def test_a_consumer_changes_what_it_has_and_gives_it_back(api, provider):
    path = f"/allocations/{CONSUMER}"
    assert api.allocate(CONSUMER, provider, VCPU=1)[0] == 204
    body = claim(1, **{provider: {"resources": {"VCPU": 4}}}) | {"user_id": "v"}
    assert api("PUT", path, body) == (204, None)
    shown = api.get(path)
    assert shown["allocations"][provider]["resources"] == {"VCPU": 4}
    assert (shown["user_id"], shown["consumer_generation"]) == ("v", 2)
    answer = api("PUT", path, body)
    assert (answer[0], code(answer)) == (409, "placement.concurrent_update")
    assert detail(answer) == "consumer generation conflict - expected 2 but got 1"
    assert api("POST", "/allocations", {CONSUMER: claim(2)}) == (204, None)
    assert api.get(path) == {"allocations": {}}
    assert api.get(f"/resource_providers/{provider}/usages")["usages"] == {"VCPU": 0}


@pytest.mark.parametrize(
    ("kind", "usages"),
    [
        ("INSTANCE", {"INSTANCE": {"VCPU": 1, "DISK_GB": 5, "consumer_count": 2}}),
        ("MIGRATION", {"MIGRATION": {"VCPU": 2, "consumer_count": 1}}),
        ("MOON", {}),
        ("all", {"all": {"VCPU": 3, "DISK_GB": 5, "consumer_count": 3}}),
    ],
)
def test_usages_are_of_a_type_of_consumers(api, provider, kind, usages):
    api.stock(provider, VCPU=4, DISK_GB=9)
    api.allocate(CONSUMER, provider, VCPU=1)
    api.allocate(AGGREGATE, provider, DISK_GB=5)
    body = claim(None, **{provider: {"resources": {"VCPU": 2}}}) | {"consumer_type": "MIGRATION"}
    assert api("PUT", f"/allocations/{OTHER}", body)[0] == 204
    assert api.get(f"/usages?project_id=p&consumer_type={kind}") == {"usages": usages}


def test_who_reads_the_usages_of_a_project():
    cloud = Cloud(auth="keystone")
    own = cloud.log_in("project-reader")["project"]["id"]
    other = cloud.log_in("other-member", "other")["project"]["id"]
    statuses = {}
    for name, project in (
        ("project-reader", "demo"),
        ("other-member", "other"),
        ("admin", "admin"),
        ("nova", "service"),
    ):
        cloud.log_in(name, project)
        statuses[name] = tuple(
            cloud.send("placement", "GET", f"/usages?project_id={ident}")[0]
            for ident in (own, other)
        )
    assert statuses == {
        "project-reader": (200, 403),
        "other-member": (403, 200),
        "admin": (200, 200),
        "nova": (200, 200),
    }
