"""Allocations, and who could serve a request."""

from __future__ import annotations

import pytest

from fake_server.tests.placement.conftest import detail

CONSUMER = "8b6a6b0e-0b2d-4d7c-9b8b-6f9c0a5c1d11"
OTHER = "1c6a6b0e-0b2d-4d7c-9b8b-6f9c0a5c1d22"


def candidates(api, query, version="1.39"):
    body = api.get(f"/allocation_candidates?{query}", version)
    return [next(iter(one["allocations"])) for one in body["allocation_requests"]]


def test_nodes_are_candidates_by_class_and_traits(api):
    plain = api.available("a", "gold")
    fast = api.available("b", "gold", ["CUSTOM_FAST"])
    api.available("c", "silver", ["CUSTOM_FAST"])
    assert sorted(candidates(api, "resources=CUSTOM_GOLD:1")) == sorted([plain, fast])
    assert candidates(api, "resources=CUSTOM_GOLD:1&required=CUSTOM_FAST") == [fast]
    assert candidates(api, "resources=CUSTOM_GOLD:1&required=!CUSTOM_FAST") == [plain]
    assert len(candidates(api, "resources=CUSTOM_GOLD:1&limit=1")) == 1
    assert candidates(api, "resources=CUSTOM_GOLD:2") == []


def test_candidates_come_with_what_is_known_of_them(api):
    uuid = api.available("a", "gold", ["CUSTOM_FAST"])
    body = api.get("/allocation_candidates?resources=CUSTOM_GOLD:1")
    assert body["provider_summaries"] == {
        uuid: {
            "resources": {"CUSTOM_GOLD": {"capacity": 1, "used": 0}},
            "traits": ["CUSTOM_FAST"],
            "parent_provider_uuid": None,
            "root_provider_uuid": uuid,
        }
    }
    assert body["allocation_requests"] == [
        {"allocations": {uuid: {"resources": {"CUSTOM_GOLD": 1}}}, "mappings": {"": [uuid]}}
    ]


def test_what_is_taken_is_no_candidate(api):
    uuid = api.available("a", "gold")
    assert api.allocate(CONSUMER, uuid, CUSTOM_GOLD=1) == (204, None)
    assert candidates(api, "resources=CUSTOM_GOLD:1") == []
    answer = api.allocate(OTHER, uuid, CUSTOM_GOLD=1)
    assert answer[0] == 409
    assert detail(answer).endswith("The requested amount would exceed the capacity.")
    assert api("DELETE", f"/allocations/{CONSUMER}") == (204, None)
    assert candidates(api, "resources=CUSTOM_GOLD:1") == [uuid]
    assert api("DELETE", f"/allocations/{CONSUMER}")[0] == 404


def test_an_allocation_tells_whose_it_is(api):
    uuid = api.available("a", "gold")
    api.allocate(CONSUMER, uuid, CUSTOM_GOLD=1)
    body = api.get(f"/allocations/{CONSUMER}")
    assert body["allocations"][uuid]["resources"] == {"CUSTOM_GOLD": 1}
    assert (body["project_id"], body["user_id"]) == ("p", "u")
    assert (body["consumer_generation"], body["consumer_type"]) == (1, "INSTANCE")
    of_provider = api.get(f"/resource_providers/{uuid}/allocations")["allocations"]
    assert of_provider == {CONSUMER: {"resources": {"CUSTOM_GOLD": 1}, "consumer_generation": 1}}
    assert api.get("/usages?project_id=p", "1.9") == {"usages": {"CUSTOM_GOLD": 1}}
    assert api.get("/usages?project_id=p") == {
        "usages": {"INSTANCE": {"CUSTOM_GOLD": 1, "consumer_count": 1}}
    }
    assert api.get("/usages?project_id=p&user_id=u", "1.9") == {"usages": {"CUSTOM_GOLD": 1}}
    assert api.get("/usages?project_id=p&user_id=other", "1.9") == {"usages": {}}


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


def test_several_consumers_at_once_or_not_at_all(api):
    first, second = api.available("a", "gold"), api.available("b", "gold")

    def wish(uuid, amount=1):
        return {
            "allocations": {uuid: {"resources": {"CUSTOM_GOLD": amount}}},
            "project_id": "p",
            "user_id": "u",
            "consumer_generation": None,
            "consumer_type": "INSTANCE",
        }

    assert api("POST", "/allocations", {CONSUMER: wish(first), OTHER: wish(second, 2)})[0] == 409
    assert api.get(f"/allocations/{CONSUMER}")["allocations"] == {}
    assert api("POST", "/allocations", {CONSUMER: wish(first), OTHER: wish(second)})[0] == 204
    assert api.get(f"/resource_providers/{second}/usages")["usages"] == {"CUSTOM_GOLD": 1}
