"""Flavors and key pairs, and what else clients ask Nova for."""

from __future__ import annotations

from fake_server.tests.compute.conftest import Cloud, message

SPEC = {"ram": 1024, "vcpus": 2, "disk": 20}


def test_a_server_keeps_its_flavor_when_that_is_gone(cloud):
    cloud.node()
    ident = cloud.flavor()
    server = cloud.booted(ident, imageRef="3a8b6a6b-0b2d-4d7c-9b8b-6f9c0a5c1d11")
    cloud("DELETE", f"/flavors/{ident}")
    found = cloud.server(server["id"])["flavor"]
    assert (found["original_name"], found["extra_specs"]) == (
        "gold",
        {"resources:CUSTOM_GOLD": "1"},
    )


def test_a_flavor_for_some_projects(cloud):
    body = {"flavor": {"name": "f", "id": "one", "os-flavor-access:is_public": False, **SPEC}}
    assert cloud("POST", "/flavors", body)[0] == 200
    assert cloud.get("compute", "/flavors")["flavors"] == []
    assert len(cloud.get("compute", "/flavors?is_public=None")["flavors"]) == 1
    granted = {"flavor_access": [{"flavor_id": "one", "tenant_id": "p"}]}
    action = {"addTenantAccess": {"tenant": "p"}}
    assert cloud("POST", "/flavors/one/action", action) == (200, granted)
    assert cloud("POST", "/flavors/one/action", action)[0] == 409
    assert cloud.get("compute", "/flavors/one/os-flavor-access") == granted
    action = {"removeTenantAccess": {"tenant": "p"}}
    assert cloud("POST", "/flavors/one/action", action) == (200, {"flavor_access": []})


def test_nodes_are_hypervisors(cloud):
    node = cloud.node(properties={"memory_mb": 4096, "cpus": 4, "local_gb": 50})
    (found,) = cloud.get("compute", "/os-hypervisors/detail")["hypervisors"]
    assert (found["id"], found["hypervisor_type"]) == (node, "ironic")
    assert cloud.get("compute", f"/os-hypervisors/{node}")["hypervisor"] == found
    old = cloud("GET", "/os-hypervisors/detail", version="2.1")[1]["hypervisors"][0]
    assert (old["id"], old["memory_mb"], old["vcpus"]) == (1, 4096, 4)
    assert cloud("GET", "/os-hypervisors/none")[0] == 404


def test_projects_have_servers_of_their_own():
    cloud = Cloud(auth="keystone")
    cloud.log_in("admin", "admin")
    flavor = cloud.flavor()
    cloud.log_in("project-member", "demo")
    assert message(cloud("POST", "/flavors", {"flavor": {"name": "x", **SPEC}})) == (
        "Policy doesn't allow os_compute_api:os-flavor-manage:create to be performed."
    )
    image = "3a8b6a6b-0b2d-4d7c-9b8b-6f9c0a5c1d11"
    server = cloud.booted(flavor, imageRef=image)
    assert "OS-EXT-SRV-ATTR:host" not in server
    cloud.log_in("project-reader", "demo")
    assert [one["id"] for one in cloud.servers()] == [server["id"]]
    assert cloud("DELETE", f"/servers/{server['id']}")[0] == 403
    cloud.log_in("other-member", "other")
    assert cloud.servers() == []
    assert cloud("GET", f"/servers/{server['id']}")[0] == 404
    assert cloud("GET", "/servers/detail?all_tenants=1")[0] == 403
    cloud.log_in("admin", "admin")
    assert cloud.servers() == []
    (found,) = cloud.get("compute", "/servers/detail?all_tenants=1")["servers"]
    assert found["OS-EXT-STS:vm_state"] == "error"
