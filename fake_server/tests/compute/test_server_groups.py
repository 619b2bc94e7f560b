"""Server groups."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import Cloud, message
from fake_server.tests.compute.test_attach_modes import IMAGE

_PATH = "/os-server-groups"


def create(cloud, policy="affinity", version="2.105", **rules):
    group = {"name": "g", "policy": policy, **({"rules": rules} if rules else {})}
    return cloud("POST", _PATH, {"server_group": group}, version)


def boot(cloud, flavor, group):
    body = {
        "server": {"name": "s", "flavorRef": flavor, "imageRef": IMAGE, "networks": "none"},
        "os:scheduler_hints": {"group": group},
    }
    return cloud("POST", "/servers", body)


def test_a_group_is_shown_with_its_servers(cloud):
    cloud.node()
    status, body = create(cloud)
    group = body["server_group"]
    assert status == 200
    server = boot(cloud, cloud.flavor(), group["id"])[1]["server"]["id"]
    shown = {**group, "members": [server]}
    assert cloud.get("compute", f"{_PATH}/{group['id']}") == {"server_group": shown}
    assert cloud.get("compute", _PATH) == {"server_groups": [shown]}
    assert cloud.server(server)["server_groups"] == [group["id"]]
    assert cloud("DELETE", f"/servers/{server}")[0] == 204
    assert cloud.get("compute", f"{_PATH}/{group['id']}")["server_group"]["members"] == []
    assert cloud("DELETE", f"{_PATH}/{group['id']}") == (204, None)
    answer = cloud("GET", f"{_PATH}/{group['id']}")
    text = f"Instance group {group['id']} could not be found."
    assert (answer[0], message(answer)) == (404, text)


@pytest.mark.parametrize(
    ("version", "names"),
    [
        ("2.1", "id name policies members metadata"),
        ("2.13", "id name policies members metadata project_id user_id"),
        ("2.64", "id name policy rules members project_id user_id"),
    ],
)
def test_a_group_has_the_fields_of_the_version(cloud, version, names):
    ident = create(cloud)[1]["server_group"]["id"]
    shown = cloud("GET", f"{_PATH}/{ident}", version=version)[1]["server_group"]
    assert sorted(shown) == sorted(names.split())


@pytest.mark.parametrize(
    ("version", "policy", "status"),
    [("2.1", "affinity", 200), ("2.14", "soft-affinity", 400), ("2.15", "soft-affinity", 200)],
)
def test_older_versions_have_a_list_of_policies(cloud, version, policy, status):
    body = {"server_group": {"name": "g", "policies": [policy]}}
    answer = cloud("POST", _PATH, body, version)
    assert answer[0] == status
    if status == 200:
        assert answer[1]["server_group"]["policies"] == [policy]


def test_only_one_policy_has_rules(cloud):
    answer = create(cloud, max_server_per_host=2)
    assert (answer[0], message(answer)) == (400, "Only anti-affinity policy supports rules.")


@pytest.mark.parametrize(("rules", "most"), [({}, 1), ({"max_server_per_host": 2}, 2)])
def test_servers_apart_need_hosts_of_their_own(cloud, rules, most):
    for number in range(3):
        cloud.node(f"n{number}")
    group = create(cloud, "anti-affinity", **rules)[1]["server_group"]["id"]
    flavor = cloud.flavor()
    found = [boot(cloud, flavor, group)[1]["server"]["id"] for _ in range(3)]
    states = [cloud.server(ident)["status"] for ident in found]
    assert states == ["ACTIVE"] * most + ["ERROR"] * (3 - most)
    text = "No valid host was found. There are not enough hosts available."
    assert cloud.server(found[-1])["fault"]["message"] == text


@pytest.mark.parametrize(
    ("group", "text"),
    [
        (
            "g",
            "Invalid input for field/attribute group. Value: g. 'g' is not valid under any of the "
            "given schemas",
        ),
        (
            "00000000-0000-0000-0000-000000000000",
            "Instance group 00000000-0000-0000-0000-000000000000 could not be found.",
        ),
    ],
)
def test_a_server_needs_a_group_that_is_there(cloud, group, text):
    answer = boot(cloud, cloud.flavor(), group)
    assert (answer[0], message(answer)) == (400, text)


def test_groups_are_a_projects_own():
    cloud = Cloud(auth="keystone")
    cloud.log_in("project-member")
    ident = create(cloud)[1]["server_group"]["id"]
    cloud.log_in("other-member", "other")
    assert cloud("GET", f"{_PATH}/{ident}")[0] == 404
    assert cloud.get("compute", f"{_PATH}?all_projects=1")["server_groups"] == []
    cloud.log_in("admin", "admin")
    assert len(cloud.get("compute", f"{_PATH}?all_projects=1")["server_groups"]) == 1
    assert cloud.get("compute", _PATH)["server_groups"] == []
