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
    ("version", "status", "text"),
    [
        ("1.40", 406, "Invalid microversion: Unacceptable version header: 1.40"),
        (
            "1.x",
            400,
            "Invalid microversion: invalid version string: 1.x; invalid literal for int() with "
            "base 10: 'x'",
        ),
    ],
)
def test_versions_that_there_are_not(api, version, status, text):
    answer = api("GET", "/resource_providers", version=version)
    assert (answer[0], detail(answer)) == (status, text)


def test_latest_is_the_newest_version(api):
    assert api("GET", "/resource_providers", version="latest")[0] == 200
    assert api.headers["OpenStack-API-Version"] == "placement 1.39"


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
        "self",
        "inventories",
        "usages",
        "aggregates",
        "traits",
        "allocations",
    }
    status, renamed = api("PUT", f"/resource_providers/{uuid}", {"name": "two"})
    assert (status, renamed["name"]) == (200, "two")
    assert api("DELETE", f"/resource_providers/{uuid}") == (204, None)
    answer = api("GET", f"/resource_providers/{uuid}")
    assert detail(answer) == f"No resource provider with uuid {uuid} found"
    assert answer[1]["errors"][0]["code"] == "placement.undefined_code"


def test_an_old_version_shows_less(api):
    status, body = api("POST", "/resource_providers", {"name": "one"}, version="1.0")
    assert (status, body) == (201, None)
    (shown,) = api.get("/resource_providers", version="1.0")["resource_providers"]
    assert sorted(shown) == ["generation", "links", "name", "uuid"]
    assert [link["rel"] for link in shown["links"]] == ["self", "inventories", "usages"]


def test_a_name_is_there_once(api):
    api.provider("one")
    answer = api("POST", "/resource_providers", {"name": "one"})
    assert answer[0] == 409
    assert answer[1]["errors"][0]["code"] == "placement.duplicate_name"


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


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("resources=GOLD:1", "Invalid resource class in resources parameter"),
        ("required=CUSTOM_NONE", 'Invalid trait(s) in "required" parameter'),
        ("colour=red", "Invalid query string parameters"),
        ("uuid=x", "Invalid query string parameters: 'x' is not a 'uuid'"),
        ("in_tree=x", "Invalid query string parameters: 'x' is not a 'uuid'"),
        (
            "required=",
            "Invalid query string parameters: Expected 'required' parameter value of the form: "
            "HW_CPU_X86_VMX,!CUSTOM_MAGIC. Got an empty trait in:",
        ),
        ("resources=VCPU", "Badly formed resources parameter"),
    ],
)
def test_filters_that_cannot_be(api, query, text):
    answer = api("GET", f"/resource_providers?{query}")
    assert answer[0] == 400
    assert detail(answer).startswith(text)


def test_a_change_needs_the_present_generation(api):
    uuid = api.provider()["uuid"]
    body = {"resource_provider_generation": 7, "inventories": {}}
    answer = api("PUT", f"/resource_providers/{uuid}/inventories", body)
    assert (answer[0], detail(answer)) == (409, "resource provider generation conflict")
    assert answer[1]["errors"][0]["code"] == "placement.concurrent_update"


def test_inventories_one_by_one(api):
    uuid = api.provider()["uuid"]
    path = f"/resource_providers/{uuid}/inventories"
    status, made = api("POST", path, {"resource_class": "DISK_GB", "total": 10})
    assert (status, made["total"], made["resource_provider_generation"]) == (201, 10, 1)
    body = {"resource_provider_generation": 1, "total": 20, "reserved": 5}
    status, changed = api("PUT", f"{path}/DISK_GB", body)
    assert (status, changed["total"], changed["reserved"]) == (200, 20, 5)
    assert api.get(f"{path}/DISK_GB")["total"] == 20
    assert api("DELETE", f"{path}/DISK_GB") == (204, None)
    assert api("DELETE", f"{path}/DISK_GB")[0] == 404
    answer = api("POST", path, {"resource_class": "CUSTOM_NONE", "total": 1})
    assert answer[0] == 400
    assert detail(answer).endswith("No such resource class CUSTOM_NONE.")


def test_all_may_be_reserved_since_a_version(api):
    uuid = api.provider()["uuid"]
    path = f"/resource_providers/{uuid}/inventories"
    body = {"resource_class": "DISK_GB", "total": 1, "reserved": 1}
    assert api("POST", path, body, version="1.25")[0] == 400
    assert api("POST", path, body, version="1.26")[0] == 201


def test_classes_and_traits_of_ones_own(api):
    assert api("PUT", "/resource_classes/CUSTOM_GOLD") == (201, None)
    assert api("PUT", "/resource_classes/CUSTOM_GOLD") == (204, None)
    assert api("POST", "/resource_classes", {"name": "CUSTOM_GOLD"})[0] == 409
    assert api.get("/resource_classes/CUSTOM_GOLD")["name"] == "CUSTOM_GOLD"
    assert api("PUT", "/resource_classes/GOLD")[0] == 400
    assert api("DELETE", "/resource_classes/VCPU")[0] == 400
    assert api("DELETE", "/resource_classes/CUSTOM_GOLD") == (204, None)
    assert api("PUT", "/traits/CUSTOM_A") == (201, None)
    assert api("GET", "/traits/CUSTOM_A") == (204, None)
    assert api.get("/traits?name=startswith:CUSTOM")["traits"] == ["CUSTOM_A"]
    assert "HW_CPU_X86_VMX" in api.get("/traits")["traits"]
    assert api.get("/traits?associated=true")["traits"] == []
    assert api("PUT", "/traits/FAST")[0] == 400
    assert api("DELETE", "/traits/CUSTOM_A") == (204, None)
    assert api("GET", "/traits/CUSTOM_A")[0] == 404


def test_what_a_version_does_not_know(api):
    assert api("GET", "/traits", version="1.5")[0] == 404
    assert api("GET", "/resource_classes", version="1.1")[0] == 404
    assert api("GET", "/nothing")[0] == 404
    answer = api("PATCH", "/resource_providers")
    assert answer[0] == 405
    assert detail(answer) == "The method specified is not allowed for this resource."
    assert api.headers["Allow"] == "GET, POST"
    uuid = api.provider()["uuid"]
    assert api("DELETE", f"/resource_providers/{uuid}/inventories", version="1.4")[0] == 405


def test_a_tree_cannot_lose_its_root(api):
    root = api.provider("root")["uuid"]
    below = api.provider("below", parent_provider_uuid=root)
    assert below["root_provider_uuid"] == root
    answer = api("DELETE", f"/resource_providers/{root}")
    assert answer[0] == 409
    assert "It has child resource providers" in detail(answer)
