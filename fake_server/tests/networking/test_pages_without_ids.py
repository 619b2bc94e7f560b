"""Pages of what has no id, by the primary keys in neutron-lib's API definitions."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from fake_server.tests.networking.cloud import Cloud

PRIMARY_KEYS = {"network_ip_availabilities": "network_id", "bindings": "host"}


@pytest.fixture(scope="module")
def paths():
    """The cloud, and the address of each list, which has three items."""
    cloud = Cloud()
    for _ in range(3):
        _, made = cloud("admin", "POST", "/networks", {"network": {}})
    values = {"network_id": made["network"]["id"], "device_owner": "compute:nova"}
    port = cloud("admin", "POST", "/ports", {"port": values})[1]
    bindings = f"/ports/{port['port']['id']}/bindings"
    for host in ("a", "b", "c"):
        answer = cloud("service", "POST", bindings, {"binding": {"host": host}})
        assert answer[0] == 201, answer
    return cloud, {"bindings": bindings, "network_ip_availabilities": "/network-ip-availabilities"}


@pytest.mark.parametrize("plural", PRIMARY_KEYS)
def test_each_is_on_one_page(paths, plural):
    cloud, addresses = paths
    key = PRIMARY_KEYS[plural]
    everything = [one[key] for one in cloud("service", "GET", addresses[plural])[1][plural]]
    assert len(everything) >= 3
    found, query = [], "limit=1"
    while True:
        status, page = cloud("service", "GET", f"{addresses[plural]}?{query}")
        assert status == 200
        if not page[plural]:
            break
        found += [one[key] for one in page[plural]]
        links = {one["rel"]: one["href"] for one in page[f"{plural}_links"]}
        query = urlsplit(links["next"]).query
        assert f"marker={found[-1]}" in query
    assert found == everything
