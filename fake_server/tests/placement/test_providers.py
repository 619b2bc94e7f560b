"""Providers, and what belongs to them."""

from __future__ import annotations

import re

import pytest

from fake_server.tests.placement.conftest import detail

AGGREGATE = "4e8e5957-649f-477b-9e5b-f1f75b21c03c"


def test_the_root_tells_the_versions(api):
    assert api.get("/", version=None)["versions"][0] == {
        "id": "v1.0",
        "max_version": "1.39",
        "min_version": "1.0",
        "status": "CURRENT",
        "links": [{"rel": "self", "href": ""}],
    }


@pytest.mark.parametrize(
    ("version", "keep", "moment"),
    [("1.14", None, None), ("1.15", "no-cache", r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT")],
)
def test_answers_are_fresh_since_a_version(api, version, keep, moment):
    api("GET", "/traits", version=version)
    assert api.headers.get("Cache-Control") == keep
    told = api.headers.get("Last-Modified")
    assert told is moment or re.fullmatch(moment, told)


def test_a_provider_is_made_shown_renamed_and_removed(api):
    made = api.provider("one")
    uuid = made["uuid"]
    assert made["generation"] == 0
    assert made["root_provider_uuid"] == uuid
    assert api.get(f"/resource_providers/{uuid}") == made
    assert {link["rel"] for link in made["links"]} == {
        *("self", "inventories", "usages", "aggregates", "traits", "allocations"),
    }
    status, renamed = api("PUT", f"/resource_providers/{uuid}", {"name": "two"})
    assert (status, renamed["name"]) == (200, "two")
    assert api("DELETE", f"/resource_providers/{uuid}") == (204, None)
    answer = api("GET", f"/resource_providers/{uuid}")
    assert detail(answer) == f"No resource provider with uuid {uuid} found"
    assert answer[1]["errors"][0]["code"] == "placement.undefined_code"


def test_providers_are_found_by_what_they_have(api):
    first, second = (api.provider(name)["uuid"] for name in ("one", "two"))
    api("PUT", "/traits/CUSTOM_FAST")
    api.set_traits(first, "CUSTOM_FAST")
    api.stock(first, VCPU=2)
    api.stock(second, VCPU=8)
    generation = api.get(f"/resource_providers/{second}")["generation"]
    body = {"aggregates": [AGGREGATE], "resource_provider_generation": generation}
    assert api("PUT", f"/resource_providers/{second}/aggregates", body)[0] == 200

    def found(query):
        rows = api.get(f"/resource_providers?{query}")["resource_providers"]
        return [row["name"] for row in rows]

    assert found("name=one") == ["one"]
    assert found(f"uuid={second}") == ["two"]
    assert found("required=CUSTOM_FAST") == ["one"]
    assert found("required=!CUSTOM_FAST") == ["two"]
    assert found("required=in:CUSTOM_FAST,HW_CPU_X86_VMX") == ["one"]
    assert found("resources=VCPU:4") == ["two"]
    assert found(f"member_of={AGGREGATE}") == ["two"]
    assert found(f"member_of=!{AGGREGATE}") == ["one"]
    assert found(f"in_tree={first}") == ["one"]
