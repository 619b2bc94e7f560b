"""Servers whose nodes take their time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from fake_server.compute import manager
from fake_server.tests.compute.conftest import Cloud
from fake_server.tests.compute.test_attach_modes import IMAGE

#: Seconds after which Nova asks Ironic again, if nothing has changed there.
POLL = 2


def slow(**delays):
    """Return a cloud with a node whose further transitions take time."""
    cloud = Cloud()
    cloud.node()
    cloud.app.control.delays.set(**(delays or {"default": 10}))
    return cloud


def test_a_server_whose_node_is_taken_away_while_it_is_built_fails():
    cloud = slow()
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)
    assert server["OS-EXT-STS:task_state"] == "spawning"
    match = {"method": "GET", "path": f"*/nodes/{server['OS-EXT-SRV-ATTR:hypervisor_hostname']}"}
    cloud.app.control.faults.add(match, {"status": 404}, 1)
    cloud.clock.advance(POLL)
    for _ in range(2):
        found = cloud.server(server["id"])
        assert (found["status"], found["OS-EXT-STS:task_state"]) == ("ERROR", None)
        assert found["fault"]["message"] == f"Instance {server['id']} could not be found."
    # The node is deployed still, and is left once that is over.
    for _ in range(6):
        assert len(cloud.allocations()) in (0, 1)
        cloud.clock.advance(20)
    assert cloud.server(server["id"])["OS-EXT-SRV-ATTR:hypervisor_hostname"] is None
    cloud.delete_without_a_trace(server)


def test_a_server_goes_on_though_nobody_asks_nova():
    cloud = slow()
    path = f"/nodes/{cloud.get('baremetal', '/nodes')['nodes'][0]['uuid']}"
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)["id"]
    cloud.clock.advance(10)
    found = cloud.ironic("GET", path)
    assert (found["provision_state"], found["target_power_state"]) == ("active", "power on")
    cloud.clock.advance(10)
    found = cloud.ironic("GET", path)
    assert (found["instance_uuid"], found["power_state"]) == (server, "power on")


def test_a_server_whose_node_is_free_again_fails():
    cloud = slow()
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)
    path = f"/nodes/{server['OS-EXT-SRV-ATTR:hypervisor_hostname']}"
    # Nova doesn't get to see that the node is deployed.
    cloud.app.control.faults.add({"method": "GET", "path": f"*{path}"}, {"status": 503})
    cloud.clock.advance(10)
    cloud.app.control.delays.set()
    cloud.ironic("PUT", f"{path}/states/provision", {"target": "deleted"})
    patch = [{"op": "add", "path": "/instance_uuid", "value": server["id"]}]
    assert cloud.ironic("PATCH", path, patch)["provision_state"] == "available"
    cloud.app.control.faults.remove()
    cloud.clock.advance(POLL)
    found = cloud.server(server["id"])
    assert found["status"] == "ERROR"
    assert found["fault"]["message"] == f"Instance {server['id']} could not be found."
    assert cloud.ironic("GET", path)["instance_uuid"] is None


def test_a_server_is_stopped_once_its_node_is_off():
    cloud = slow()
    cloud.app.control.delays.set()
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)["id"]
    cloud.app.control.delays.set(default=10)
    assert cloud.act(server, "os-stop")[0] == 202
    for _ in range(2):
        found = cloud.server(server)
        assert (found["status"], found["OS-EXT-STS:task_state"]) == ("ACTIVE", "powering-off")
    cloud.clock.advance(10)
    found = cloud.server(server)
    assert (found["status"], found["OS-EXT-STS:task_state"]) == ("SHUTOFF", None)


def test_a_node_that_is_being_switched_on_is_switched_on_once():
    cloud = slow()
    node = cloud.get("baremetal", "/nodes")["nodes"][0]["uuid"]
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)["id"]
    for _ in range(12):
        cloud.clock.advance(3)
        found = cloud.server(server)
    assert (found["status"], found["OS-EXT-STS:power_state"]) == ("ACTIVE", 1)
    path = f"/baremetal/v1/nodes/{node}/states/power"
    asked = cloud.app.control.requests.find(method="PUT", path=path)
    assert [one.json()["target"] for one in asked] == ["power on"]


def test_a_volume_of_a_deleted_server_is_free_once_its_node_is_cleaned():
    cloud = slow()
    cloud.app.control.delays.set()
    volume = cloud.volume()
    server = cloud.booted(cloud.flavor(), volume)["id"]
    cloud.app.control.delays.set(default=10)
    assert cloud("DELETE", f"/servers/{server}") == (204, None)
    seen = []
    for _ in range(7):
        status, _ = cloud("GET", f"/servers/{server}")
        (node,) = cloud.get("baremetal", "/nodes")["nodes"]
        seen.append((status, node["provision_state"], len(cloud.targets())))
        cloud.clock.advance(5)
    assert seen == [
        (200, "deleting", 1),
        (200, "deleting", 1),
        (200, "cleaning", 1),
        (200, "cleaning", 1),
        # The node is being switched off, so that its target can be deleted.
        (200, "available", 1),
        (200, "available", 1),
        (404, "available", 0),
    ]
    assert cloud.get("volume", f"/volumes/{volume}")["volume"]["status"] == "available"
    cloud.assert_nothing_left()


def test_a_server_that_is_being_scheduled_is_deleted_afterwards(cloud):
    cloud.node()
    flavor = cloud.flavor()
    match = {"method": "PUT", "path": "*/placement/allocations/*"}
    cloud.app.control.faults.add(match, {"delay": 0.3}, 1)
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(cloud.boot, flavor, imageRef=IMAGE)
        while not (found := cloud.servers()):
            pass
        assert found[0]["OS-EXT-STS:task_state"] == "scheduling"
        assert cloud("DELETE", f"/servers/{found[0]['id']}") == (204, None)
        assert made.result()[0] == 202
    cloud.assert_nothing_left()


def test_a_server_whose_step_crashes_fails_and_disturbs_nobody(cloud, monkeypatch, caplog):
    def crash(*arguments):
        raise RuntimeError("boom")

    cloud.node()
    cloud.app.control.delays.set(default=60)
    _, answer = cloud.boot(cloud.flavor(), cloud.volume())
    monkeypatch.setattr(manager, "_look_at_node", crash)
    for service, path in (("compute", "/servers"), ("network", "/ports"), ("placement", "/traits")):
        assert cloud.send(service, "GET", path)[0] == 200
    server = cloud.server(answer["server"]["id"])
    assert (server["status"], server["OS-EXT-STS:task_state"]) == ("ERROR", None)
    assert server["fault"]["message"] == "Unexpected error: RuntimeError('boom')"
    said = [(one.name, one.levelname, one.getMessage()) for one in caplog.records]
    text = f"Going on with server {server['id']} crashed"
    assert said == [("fake_server.compute.manager", "ERROR", text)]
