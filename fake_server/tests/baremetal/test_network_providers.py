"""Network providers as their documents have them, in dialect ``spec``."""

from __future__ import annotations

import pytest

from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import Api

INTERFACES = {**ENABLED_INTERFACES, "network": ("noop", "flat", "neutron")}
MAC = "52:54:00:00:00:01"
LINK = {"switch_id": "0a:1b:2c:3d:4e:5f", "port_id": "eth1", "switch_info": "s"}


def cloud(dialect="spec", **options):
    networks = {"provisioning_network": "provisioning", "cleaning_network": "cleaning"}
    return Api(dialect=dialect, interfaces=INTERFACES, **networks, **options)


@pytest.fixture
def api():
    return cloud()


def neutron(api, method, path, body=None):
    status, answer = api(method, f"/networking/v2.0/{path}", body)
    assert status < 300, answer
    return answer


def tenant_port(api):
    network = neutron(api, "POST", "networks", {"network": {"name": "tenant"}})["network"]["id"]
    return neutron(api, "POST", "ports", {"port": {"network_id": network}})["port"]


def node_with_port(api, provider="neutron", **port):
    uuid = api.enrol(network_provider=provider)
    body = {"node_uuid": uuid, "address": MAC, "local_link_connection": LINK, **port}
    status, created = api("POST", "/v1/ports", body)
    assert status == 201, created
    for verb in ("manage", "provide"):
        api.provision(verb)
    return uuid


def test_nodes_name_a_provider(api):
    # "Both the node field and the configuration option may be set to 'none' or 'neutron'"
    api.enrol(network_provider="none")
    node = api.node()
    assert node["network_provider"] == "none"
    assert "network_interface" not in node
    patch = [{"op": "replace", "path": "/network_provider", "value": "neutron"}]
    assert api("PATCH", "/v1/nodes/n", patch)[1]["network_provider"] == "neutron"
    shown = api("GET", "/v1/nodes/n?fields=network_provider,uuid")[1]
    assert shown["network_provider"] == "neutron"
    listed = api("GET", "/v1/nodes?fields=network_provider&sort_key=network_provider&limit=1")[1]
    assert listed["nodes"][0]["network_provider"] == "neutron"
    assert "network_interface" not in listed["next"]


def test_null_means_the_default(api):
    # "The default value for node.network_provider will be NULL, meaning use the configuration
    # option."
    api.enrol()
    assert api.node()["network_provider"] is None
    assert api("POST", "/v1/nodes/n/vifs", {"id": "anything"}) == (204, None)
    api = cloud(default_network_provider="flat")
    api.enrol()
    assert api.node()["network_provider"] is None
    status, message = api("POST", "/v1/nodes/n/vifs", {"id": "anything"})
    assert (status, message) == (422, "Neutron port anything was not found")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/v1/nodes", {"driver": "fake-hardware", "network_interface": "flat"}),
        ("PATCH", "/v1/nodes/n", [{"op": "add", "path": "/network_interface", "value": "flat"}]),
        ("GET", "/v1/nodes/n?fields=network_interface", None),
        ("GET", "/v1/nodes?sort_key=network_interface", None),
    ],
)
def test_the_released_name_is_unknown(api, method, path, body):
    api.enrol()
    message = "Nodes have no field network_interface: they have a network_provider."
    assert api(method, path, body) == (400, message)


def test_a_default_that_is_not_enabled_is_refused():
    with pytest.raises(ValueError, match="isn't enabled: use one of noop, flat, neutron"):
        cloud(default_network_provider="bogus")


def test_the_default_of_the_released_dialect_is_the_same_option():
    api = cloud("ironic", default_network_provider="flat")
    api.enrol()
    assert api.node()["network_interface"] == "flat"


def test_a_port_that_is_bound_already_stays_as_it_is(api):
    # "if the ports are already bound with the correct info, do nothing"
    uuid = node_with_port(api)
    vif = tenant_port(api)
    api("POST", "/v1/nodes/n/vifs", {"id": vif["id"]})
    binding = {
        "binding:host_id": uuid,
        "binding:vnic_type": "baremetal",
        "binding:profile": {"local_link_information": [LINK]},
        "mac_address": MAC,
    }
    bound = neutron(api, "PUT", f"ports/{vif['id']}", {"port": binding})["port"]
    api.provision("active")
    after = neutron(api, "GET", f"ports/{vif['id']}")["port"]
    assert after["revision_number"] == bound["revision_number"]


def test_nodes_outside_the_provisioning_network_boot_from_their_disks(api):
    # "Any deploys outside of the provisioning network that do not use local boot should error."
    node_with_port(api)
    patch = [
        {"op": "add", "path": "/instance_info/capabilities", "value": {"boot_option": "netboot"}}
    ]
    assert api("PATCH", "/v1/nodes/n", patch)[0] == 200
    status, message = api.provision("active")
    assert (status, "boot_option netboot needs the provisioning network" in message) == (400, True)
    patch[0]["value"] = {"boot_option": "local"}
    api("PATCH", "/v1/nodes/n", patch)
    assert api.provision("active")[0] == 202


@pytest.mark.parametrize(
    ("smart", "link", "usable"),
    [
        (True, {"port_id": "p", "hostname": "h"}, True),
        (True, {"port_id": "p", "hostname": "h", "network_type": "managed"}, True),
        (True, LINK, False),
        (False, {"port_id": "p", "hostname": "h"}, False),
        (False, LINK, True),
    ],
)
def test_smart_cards_have_the_name_of_a_host(smart, link, usable):
    api = Api(interfaces={**ENABLED_INTERFACES, "network": ("neutron",)})
    seed = {
        "name": "n",
        "network_interface": "neutron",
        "ports": [{"address": MAC, "is_smartnic": smart, "local_link_connection": link}],
    }
    assert api("POST", "/_fake/seed", {"nodes": [seed]})[0] == 201
    vif = tenant_port(api)["id"]
    assert (api("POST", "/v1/nodes/n/vifs", {"id": vif})[0] == 204) is usable


def test_vifs_in_extra_count(api):
    # "Code will need to be added to ensure that the network interfaces will still process a
    # vif_port_id set via that method."
    vif = tenant_port(api)["id"]
    node_with_port(api, extra={"vif_port_id": vif})
    assert api("GET", "/v1/nodes/n/vifs") == (200, {"vifs": [{"id": vif}]})
    status, message = api("POST", "/v1/nodes/n/vifs", {"id": vif})
    assert (status, "is already attached" in message) == (409, True)
    api.provision("active")
    bound = neutron(api, "GET", f"ports/{vif}")["port"]
    assert bound["binding:host_id"] == api.node()["uuid"]
    api.provision("deleted")
    assert api("GET", "/v1/ports?detail=true")[1]["ports"][0]["extra"] == {}
