"""Nodes as resource providers, kept as the Bare Metal API has them."""

from __future__ import annotations

from fake_server.tests.placement.conftest import Api


def traits_of(api, uuid):
    return api.get(f"/resource_providers/{uuid}/traits")["traits"]


def inventories_of(api, uuid):
    return api.get(f"/resource_providers/{uuid}/inventories")["inventories"]


def test_a_node_is_a_provider_with_one_of_its_class(api):
    uuid = api.available("n", "baremetal-gold.1", ["CUSTOM_RAID", "HW_CPU_X86_VMX"])
    (provider,) = api.get("/resource_providers")["resource_providers"]
    assert (provider["uuid"], provider["name"]) == (uuid, uuid)
    assert traits_of(api, uuid) == ["CUSTOM_RAID", "HW_CPU_X86_VMX"]
    assert inventories_of(api, uuid) == {
        "CUSTOM_BAREMETAL_GOLD_1": {
            "total": 1,
            "reserved": 0,
            "min_unit": 1,
            "max_unit": 1,
            "step_size": 1,
            "allocation_ratio": 1.0,
        }
    }


def test_a_node_that_cannot_be_had_is_reserved(api):
    uuid = api.ironic.enrol("n", resource_class="gold")
    assert inventories_of(api, uuid)["CUSTOM_GOLD"]["reserved"] == 1
    api.ironic.provision("manage", "provide")
    assert inventories_of(api, uuid)["CUSTOM_GOLD"]["reserved"] == 0
    api.ironic("PUT", "/v1/nodes/n/maintenance", {})
    assert inventories_of(api, uuid)["CUSTOM_GOLD"]["reserved"] == 1


def test_traits_and_class_follow_the_node_at_once(api):
    uuid = api.available("n", "gold", ["CUSTOM_A"])
    assert traits_of(api, uuid) == ["CUSTOM_A"]
    api.ironic("PUT", "/v1/nodes/n/traits", {"traits": ["CUSTOM_B", "CUSTOM_C"]})
    assert traits_of(api, uuid) == ["CUSTOM_B", "CUSTOM_C"]
    api.ironic("DELETE", "/v1/nodes/n/traits/CUSTOM_B")
    assert traits_of(api, uuid) == ["CUSTOM_C"]
    api.ironic("PUT", "/v1/nodes/n/maintenance", {})
    api.ironic.patch("resource_class", "silver")
    assert list(inventories_of(api, uuid)) == ["CUSTOM_SILVER"]


def test_what_was_edited_by_hand_is_undone_by_the_next_report():
    api = Api(placement_sync=5.0)
    uuid = api.available("n", "gold", ["CUSTOM_A"])
    api.clock.advance(5 - api.clock.seconds() % 5)
    assert traits_of(api, uuid) == ["CUSTOM_A"]
    assert api("PUT", "/traits/CUSTOM_BY_HAND")[0] == 201
    assert api.set_traits(uuid, "CUSTOM_BY_HAND")[0] == 200
    api.stock(uuid, VCPU=4)
    api.clock.advance(4)
    assert traits_of(api, uuid) == ["CUSTOM_BY_HAND"]
    assert list(inventories_of(api, uuid)) == ["VCPU"]
    api.clock.advance(1)
    assert traits_of(api, uuid) == ["CUSTOM_A"]
    assert list(inventories_of(api, uuid)) == ["CUSTOM_GOLD"]
