"""Resources that tests read, and put into any state."""

from __future__ import annotations

import pytest
import requests

from fake_server.cli import ctl
from fake_server.server import FakeServer
from fake_server.settings import Settings

NODE = {
    "name": "n",
    "provision_state": "active",
    "ports": [{"address": "52:54:00:00:00:01"}],
    "portgroups": [{"name": "bond"}],
    "volume_connectors": [{"type": "iqn", "connector_id": "iqn.1"}],
    "volume_targets": [{"volume_type": "iscsi", "boot_index": 0, "volume_id": "v"}],
}
SEED = {
    "nodes": [NODE, {"name": "m"}],
    "volumes": [{"name": "v", "size": 1}],
    "networks": [{"name": "net"}],
}
NEWEST = {"OpenStack-API-Version": "volume latest"}
LATEST = {"X-OpenStack-Ironic-API-Version": "latest"}


@pytest.fixture
def server():
    with FakeServer(Settings(delay=60), clock="manual", seed=SEED) as server:
        yield server


@pytest.fixture
def ask(server):
    def send(method, path, body=None):
        answer = requests.request(method, server.url + path, json=body, headers=LATEST, timeout=5)
        return answer.status_code, answer.json() if answer.content else None

    return send


def test_what_there_is(server):
    assert [node.name for node in server.nodes] == ["n", "m"]
    assert (len(server.nodes), "n" in server.nodes, "k" in server.nodes) == (2, True, False)
    node = server.nodes["n"]
    assert server.nodes[node.uuid].name == "n"
    assert server.ports["52:54:00:00:00:01"].pxe_enabled is True
    assert server.portgroups["bond"].standalone_ports_supported is True
    assert [one.connector_id for one in server.volume_connectors] == ["iqn.1"]
    assert [one.volume_id for one in server.volume_targets] == ["v"]
    assert (server.volumes["v"].size, server.networks["net"].name) == (1, "net")
    assert (len(server.servers), len(server.allocations)) == (0, 0)
    with pytest.raises(KeyError, match="There is no node 'bund'"):
        server.nodes["bund"]
    with pytest.raises(KeyError, match=r"There is no port group 'bnd'\. Did you mean bond\?"):
        server.portgroups["bnd"]
    with pytest.raises(AttributeError, match="There is no field 'colour'"):
        _ = node.colour


READ = {
    "nodes": "/v1/nodes/{uuid}",
    "ports": "/v1/ports/{uuid}",
    "portgroups": "/v1/portgroups/{uuid}",
    "volume_connectors": "/v1/volume/connectors/{uuid}",
    "volume_targets": "/v1/volume/targets/{uuid}",
    "volumes": "/volume/v3/volumes/{id}",
    "networks": "/networking/v2.0/networks/{id}",
}


@pytest.mark.parametrize("kind", READ)
def test_attributes_are_the_fields_of_the_newest_version(server, kind):
    (first, *_) = getattr(server, kind)
    url = server.url + READ[kind].format(**first.fields())
    answer = requests.get(url, headers={**LATEST, **NEWEST}, timeout=9).json()
    shown = answer if len(answer) > 1 else answer[kind[:-1]]
    asked = server.requests.find()
    assert first.fields() == {name: value for name, value in shown.items() if not of_links(value)}
    # Reading is no request of the program that is tested.
    assert server.requests.find() == asked


def test_attributes_can_be_read_without_a_token():
    with FakeServer(Settings(auth="keystone"), seed=SEED) as server:
        for kind in READ:
            assert [first.fields()["created_at"] for first in getattr(server, kind)]


def of_links(value):
    return isinstance(value, list) and any("href" in one for one in value)


def test_a_state_at_once(server, ask):
    ask("PUT", "/v1/nodes/n/states/provision", {"target": "deleted"})
    node = server.nodes["n"]
    assert (node.provision_state, node.reservation) == ("deleting", "localhost")
    node.set(provision_state="deploy failed", last_error="No space left")
    shown = ask("GET", "/v1/nodes/n")[1]
    assert (shown["provision_state"], shown["last_error"]) == ("deploy failed", "No space left")
    assert (shown["reservation"], shown["target_provision_state"]) == (None, None)
    server.clock.advance(3600)
    assert node.provision_state == "deploy failed"
    assert ask("PUT", "/v1/nodes/n/states/provision", {"target": "active"})[0] == 202


def test_what_is_given_with_a_state_stays(server):
    step = {"interface": "deploy", "step": "erase"}
    node = server.nodes["n"]
    node.set(
        provision_state="clean wait",
        target_provision_state="available",
        clean_step=step,
        provision_updated_at="-3h",
        driver_internal_info={"agent_url": "x"},
    )
    assert (node.clean_step, node.target_provision_state) == (step, "available")
    assert node.driver_internal_info == {"agent_url": "x"}
    server.clock.advance(1801)
    assert node.provision_state == "clean failed"


def test_ages_and_times(server):
    server.clock.switch("manual", start=1_000_000_000)
    node = server.nodes["n"]
    for given, shown in (
        ("-2d", "2001-09-07T01:46:40+00:00"),
        ("2020-01-01T02:00:00+02:00", "2020-01-01T00:00:00+00:00"),
        (None, None),
    ):
        node.set(provision_updated_at=given)
        assert node.provision_updated_at == shown


def test_verbs_of_nodes(server):
    node = server.nodes["n"]
    with pytest.raises(ValueError, match="'active': nothing is under way"):
        node.fail("x")
    node.set(provision_state="inspecting", target_provision_state="manageable")
    node.fail("The agent is gone")
    assert (node.provision_state, node.last_error) == ("inspect failed", "The agent is gone")
    assert node.target_provision_state == "manageable"
    node.lock()
    assert node.reservation == "localhost"
    node.lock("other")
    assert node.reservation == "other"
    node.unlock()
    assert node.reservation is None
    node.power("off")
    assert node.power_state == "power off"
    with pytest.raises(ValueError, match="not 'power on'"):
        node.power("power on")


def test_the_machine_is_switched_too():
    node = {"name": "r", "driver": "redfish", "provision_state": "active"}
    with FakeServer(clock="manual", seed={"nodes": [node]}) as server:
        server.nodes["r"].power("off")
        assert server.machines.get("r")["power_state"] == "power off"
        server.clock.advance(600)
        assert server.nodes["r"].power_state == "power off"


def test_other_resources_can_be_set(server):
    port = server.ports["52:54:00:00:00:01"]
    port.set(pxe_enabled=False, extra={"a": 1})
    assert (port.pxe_enabled, port.extra) == (False, {"a": 1})
    server.portgroups["bond"].set(name="bond1")
    assert server.portgroups["bond1"].name == "bond1"


WRONG = [
    ({"colour": 1}, "A node has no field 'colour' that can be set. Fields: automated_clean"),
    ({"provison_state": "active"}, "that can be set. Did you mean provision_state?"),
    ({"provision_state": "activ"}, "provision_state can't be 'activ'. Did you mean active?"),
    ({"provision_state": "gone"}, "provision_state has to be one of active"),
    ({"maintenance": "yes"}, "maintenance "),
    ({"provision_updated_at": "soon"}, "or an age such as '-3h'"),
    ({"provision_updated_at": "-soon"}, "'soon' is not a duration"),
    ({"name": 5}, "name is not a valid name"),
]


@pytest.mark.parametrize(("fields", "why"), WRONG)
def test_what_can_not_be_set(server, ask, fields, why):
    with pytest.raises(ValueError, match=why):
        server.nodes["n"].set(last_error="x", **fields)
    assert server.nodes["n"].last_error is None
    status, answer = ask("PATCH", "/_fake/nodes/n", fields)
    assert (status, why in answer["error"]) == (400, True)


def test_read_only_and_gone(server, ask):
    with pytest.raises(ValueError, match="it can only be read"):
        server.volumes["v"].set(size=2)
    node = server.nodes["m"]
    ask("DELETE", "/v1/nodes/m")
    with pytest.raises(KeyError, match="any more"):
        _ = node.name


def test_over_http(ask):
    status, answer = ask("PATCH", "/_fake/nodes/n", {"reservation": "host", "last_error": "x"})
    assert (status, answer["node"]["reservation"]) == (200, "host")
    assert ask("PATCH", "/_fake/nodes/n", {"name": "m"})[0] == 409
    assert ask("PATCH", "/_fake/nodes/k", {"name": "m"})[0] == 404


def test_the_command(server, capsys):
    def run(*words):
        return ctl.main(["ctl", "--url", server.url, "node", *words])

    assert run("set", "n", "last_error=x", "maintenance:=true", "description=null") == 0
    assert run("show", "n") == 0
    assert '"last_error": "x"' in capsys.readouterr().out
    node = server.nodes["n"]
    assert (node.maintenance, node.last_error, node.description) == (True, "x", None)
    assert run("set", "n", "colour=red") == 1
    assert "no field 'colour'" in capsys.readouterr().err
    assert run("show", "k") == 1
