"""Changes of what providers have, and those that cannot be."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import Cloud

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


# Allocations


def claim(generation, **allocations):
    return {**OWNER, "allocations": allocations, "consumer_generation": generation}


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
