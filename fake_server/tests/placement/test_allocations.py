"""Allocations, and who could serve a request."""

from __future__ import annotations

import pytest

from fake_server.tests.placement.conftest import detail

CONSUMER = "8b6a6b0e-0b2d-4d7c-9b8b-6f9c0a5c1d11"


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
