"""Quotas of the Networking API; the answers are those of Neutron 29."""

from __future__ import annotations

import pytest

from fake_server.tests.networking.cloud import Cloud

DEFAULTS = {
    "network": 100,
    "subnet": 100,
    "subnetpool": -1,
    "port": 500,
    "rbac_policy": 10,
    "security_group": 10,
    "security_group_rule": 100,
    "trunk": -1,
}


@pytest.fixture
def cloud():
    return Cloud()


@pytest.fixture
def path(cloud):
    project = cloud.make("member", "network")["project_id"]
    return f"/quotas/{project}"


def limit(cloud, path, **changes):
    return cloud("admin", "PUT", path, {"quota": changes})


def error(answer):
    status, body = answer
    return status, body["NeutronError"]["type"], body["NeutronError"]["message"]


def test_a_project_has_the_defaults(cloud, path):
    assert cloud("admin", "GET", "/quotas") == (200, {"quotas": []})
    assert cloud("member", "GET", path) == (200, {"quota": DEFAULTS})
    assert cloud("member", "GET", f"{path}/default") == (200, {"quota": DEFAULTS})


def test_a_project_can_not_have_more(cloud, path):
    assert limit(cloud, path, network=2) == (200, {"quota": {**DEFAULTS, "network": 2}})
    over = (409, "OverQuota", "Quota exceeded for resources: ['network'].")
    both = {"networks": [{"name": "a"}, {"name": "b"}]}
    assert error(cloud("member", "POST", "/networks", both)) == over
    assert len(cloud("member", "GET", "/networks?name=a")[1]["networks"]) == 0
    net = cloud.make("member", "network")
    assert error(cloud("member", "POST", "/networks", {"network": {}})) == over
    cloud.make("other", "network")
    cloud("member", "DELETE", f"/networks/{net['id']}")
    cloud.make("member", "network")


def test_limits_of_a_project_are_listed_and_removed(cloud, path):
    project = path.rpartition("/")[2]
    limit(cloud, path, port=7)
    own = {**DEFAULTS, "port": 7, "project_id": project, "tenant_id": project}
    assert cloud("admin", "GET", "/quotas") == (200, {"quotas": [own]})
    assert cloud("admin", "DELETE", path)[0] == 204
    text = f"Quota for project {project} could not be found."
    assert error(cloud("admin", "DELETE", path)) == (404, "TenantQuotaNotFound", text)
    assert cloud("member", "GET", path) == (200, {"quota": DEFAULTS})


def test_a_limit_below_what_there_is_can_be_forced(cloud, path):
    assert limit(cloud, path, network=0, force=True)[1]["quota"]["network"] == 0


@pytest.mark.parametrize(
    ("changes", "kind", "message"),
    [
        ({"bogus": 1}, "HTTPBadRequest", "Unrecognized attribute(s) 'bogus'"),
        (
            {"port": -2},
            "HTTPBadRequest",
            "Invalid input for port. Reason: '-2' is too small - must be at least '-1'.",
        ),
        (
            {"port": 2**31},
            "HTTPBadRequest",
            "Invalid input for port. Reason: '2147483648' is too large - must be no larger than "
            "'2147483647'.",
        ),
        ({"port": "x"}, "InvalidInput", "Invalid input for operation: 'x' is not an integer."),
        (
            {"network": 0},
            "HTTPBadRequest",
            "Quota limit 0 for network must be greater than or equal to already used 1",
        ),
    ],
)
def test_limits_that_can_not_be(cloud, path, changes, kind, message):
    assert error(limit(cloud, path, **changes)) == (400, kind, message)
