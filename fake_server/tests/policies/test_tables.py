"""The tables of the services are those that the real ones publish."""

from __future__ import annotations

from importlib import import_module

import pytest

from fake_server.tests.policies.judge import judge

#: The modules with the policies of the services, by what OpenStack calls the services.
TABLES = {
    "cinder": "fake_server.block_storage.policies",
    "glance": "fake_server.image.policies",
    "keystone": "fake_server.identity.policies",
    "neutron": "fake_server.networking.policies",
    "nova": "fake_server.compute.policies",
    "placement": "fake_server.placement.policies",
}


@pytest.mark.parametrize("service", TABLES)
def test_the_table_is_the_published_one(service):
    table = import_module(TABLES[service]).POLICIES.rules
    found = {name: (rule.check, rule.scopes) for name, rule in table.items()}
    assert found == {
        name: (" ".join(rule["check"].split()), frozenset(rule.get("scopes", ())))
        for name, rule in judge(service).rules.items()
    }
