"""The facts about published policies are those of the releases that the fake is compared with."""

from __future__ import annotations

import pytest

from fake_server.tests.policies.judge import SERVICES, judge
from tools import policies


@pytest.mark.parametrize("service", SERVICES)
def test_facts_are_of_the_release_that_the_fake_is_compared_with(service):
    source = policies.sources()[service]
    found = judge(service)
    assert (found.package, found.version) == (source.package, source.version)


def test_each_service_has_its_facts():
    assert set(SERVICES) == set(policies.sources())


def test_a_release_that_is_not_the_compared_one_is_an_error(monkeypatch, tmp_path):
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\necho \'{"package": "nova", "version": "1.0", "rules": {}}\'\n')
    python.chmod(0o755)
    monkeypatch.setattr(policies, "installed", lambda service, source: python)
    with pytest.raises(policies.PolicyError, match=r"those of nova 1\.0, but .* with 34\.0\.0"):
        policies.read("nova", policies.Source("nova", "34.0.0", "nova"))


def test_a_service_that_publishes_nothing_is_an_error(monkeypatch, tmp_path):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho no entry point >&2\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setattr(policies, "installed", lambda service, source: python)
    with pytest.raises(policies.PolicyError, match="nova does not tell its policies: no entry"):
        policies.read("nova", policies.Source("nova", "34.0.0", "nova"))


OWN = {"roles": ["reader"], "project_id": "p", "user_id": "u"}


@pytest.mark.parametrize(
    ("service", "name", "credentials", "target", "allowed"),
    [
        ("nova", "os_compute_api:servers:show", OWN, {"project_id": "p"}, True),
        ("nova", "os_compute_api:servers:show", OWN, {"project_id": "q"}, False),
        ("nova", "os_compute_api:servers:show", {**OWN, "roles": []}, {"project_id": "p"}, False),
        (
            *("nova", "os_compute_api:servers:show"),
            {"roles": ["admin"], "system_scope": "all"},
            {"project_id": "p"},
            False,
        ),
        ("neutron", "get_network", OWN, {"project_id": "q", "shared": True}, True),
        ("neutron", "get_network", OWN, {"project_id": "q", "shared": False}, False),
        ("placement", "placement:usages", OWN, {"project_id": "p"}, True),
    ],
)
def test_the_judge_decides_by_rule_and_scope(service, name, credentials, target, allowed):
    assert judge(service).allows(name, dict(credentials), target) is allowed
