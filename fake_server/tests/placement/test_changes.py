"""Changes of what providers have, and those that cannot be."""

from __future__ import annotations

import re

import pytest

from fake_server.tests.compute.conftest import Cloud
from fake_server.tests.placement.conftest import detail

AGGREGATE = "4e8e5957-649f-477b-9e5b-f1f75b21c03c"
OTHER = "5f8e5957-649f-477b-9e5b-f1f75b21c03c"
CONSUMER = "8b6a6b0e-0b2d-4d7c-9b8b-6f9c0a5c1d11"
OWNER = {"project_id": "p", "user_id": "u", "consumer_generation": None}


def test_usages_are_of_a_type_of_consumers(api):
    provider = api.provider()["uuid"]
    api.stock(provider, VCPU=4, DISK_GB=9)
    api.allocate(CONSUMER, provider, VCPU=1)
    api.allocate(AGGREGATE, provider, DISK_GB=5)
    allocations = {provider: {"resources": {"VCPU": 2}}}
    body = {**OWNER, "allocations": allocations, "consumer_type": "MIGRATION"}
    assert api("PUT", f"/allocations/{OTHER}", body)[0] == 204
    for kind, usages in (
        ("INSTANCE", {"INSTANCE": {"VCPU": 1, "DISK_GB": 5, "consumer_count": 2}}),
        ("MIGRATION", {"MIGRATION": {"VCPU": 2, "consumer_count": 1}}),
        ("MOON", {}),
        ("all", {"all": {"VCPU": 3, "DISK_GB": 5, "consumer_count": 3}}),
    ):
        assert api.get(f"/usages?project_id=p&consumer_type={kind}") == {"usages": usages}


def test_who_reads_the_usages_of_a_project():
    cloud = Cloud(auth="keystone")
    own = cloud.log_in("project-reader")["project"]["id"]
    other = cloud.log_in("other-member", "other")["project"]["id"]
    for name, project, statuses in (
        ("project-reader", "demo", [200, 403]),
        ("other-member", "other", [403, 200]),
        ("admin", "admin", [200, 200]),
        ("nova", "service", [200, 200]),
    ):
        cloud.log_in(name, project)
        paths = [f"/usages?project_id={ident}" for ident in (own, other)]
        assert [cloud.send("placement", "GET", path)[0] for path in paths] == statuses, name


@pytest.mark.parametrize(
    ("amount", "status"), [(1, 409), (2, 204), (3, 409), (4, 204), (6, 409), (7, 409)]
)
def test_amounts_fit_the_inventory(api, amount, status):
    uuid = api.provider()["uuid"]
    row = {"total": 9, "min_unit": 2, "max_unit": 5, "step_size": 2}
    body = {"resource_provider_generation": 0, "inventories": {"VCPU": row}}
    assert api("PUT", f"/resource_providers/{uuid}/inventories", body)[0] == 200
    answer = api.allocate(CONSUMER, uuid, VCPU=amount)
    assert answer[0] == status
    if status == 409:
        assert detail(answer).endswith(
            f"Unable to create allocation for 'VCPU' on resource provider '{uuid}'. The requested "
            "amount would violate inventory constraints."
        )


@pytest.mark.parametrize(
    ("version", "keep", "moment"),
    [("1.14", None, None), ("1.15", "no-cache", r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT")],
)
def test_answers_are_fresh_since_a_version(api, version, keep, moment):
    api("GET", "/traits", version=version)
    assert api.headers.get("Cache-Control") == keep
    told = api.headers.get("Last-Modified")
    assert told is moment or re.fullmatch(moment, told)
