"""How flows end on nodes whose networks, ports or VIFs aren't as they should be.

Recorded from the fake server, so that no change goes unnoticed. A deliberate change is written
down with ``--record -n 0``.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fake_server.tests import recorded
from fake_server.tests.baremetal.api import Api

RECORD = Path(__file__).with_name("networks.json.gz")
NETWORKING = "/networking/v2.0"
MAC = "52:54:00:00:00:01"
KINDS = ("cleaning", "provisioning", "rescuing", "servicing", "inspection")
LINK = {"switch_id": "00:00:00:00:00:aa", "port_id": "p"}
IMAGES = ("deploy_kernel", "deploy_ramdisk", "rescue_kernel", "rescue_ramdisk")
IN_USE = ("manage", "adopt")
# The way to where a flow begins, and the flow.
FLOWS = {
    "clean": (("manage",), {"clean_steps": [{"interface": "deploy", "step": "erase_devices"}]}),
    "provide": (("manage",), {}),
    "inspect": (("manage",), {}),
    "active": (("manage", "provide"), {}),
    "service": (IN_USE, {"service_steps": [{"interface": "deploy", "step": "burnin_cpu"}]}),
    "rescue": (IN_USE, {"rescue_password": "p"}),
    "rebuild": (IN_USE, {}),
    "deleted": (IN_USE, {}),
}
INTERFACES = {
    "boot": ("fake", "ipxe"),
    "deploy": ("fake", "direct", "ramdisk"),
    "inspect": ("fake", "agent"),
    "network": ("noop", "flat", "neutron"),
    "rescue": ("fake", "agent"),
}
SHOWN = ("provision_state", "power_state", "last_error", "maintenance", "fault")
_OWN = re.compile(f"{recorded.UUID}|{recorded.TIME}|fa:16:3e(:[0-9a-f]{{2}}){{3}}")


class Lab:
    """A node with a port, networks and a VIF.

    :param network_interface: that of the node.
    """

    def __init__(self, network_interface):
        self.api = Api(agent="simulated", interfaces=INTERFACES, automated_clean=False)
        self.networks = {name: self._network(name) for name in (*KINDS, "tenant")}
        info = dict.fromkeys(IMAGES, "http://192.0.2.1/x")
        self.info = info | {f"{kind}_network": self.networks[kind] for kind in KINDS}
        self.uuid = self.api.enrol(
            boot_interface="ipxe",
            deploy_interface="direct",
            inspect_interface="agent",
            rescue_interface="agent",
            network_interface=network_interface,
            driver_info=self.info,
            instance_info={"image_source": "http://192.0.2.1/i", "image_checksum": "c"},
            automated_clean=False,
        )
        self.api.provision("manage")
        body = {"node_uuid": self.uuid, "address": MAC, "local_link_connection": LINK}
        self.port = self._created("/v1/ports", body)["uuid"]
        body = {"port": {"network_id": self.networks["tenant"]}}
        self.vif = self._created(f"{NETWORKING}/ports", body)["port"]["id"]
        if network_interface != "noop":
            assert self.api("POST", "/v1/nodes/n/vifs", {"id": self.vif})[0] == 204

    def outcome(self, flow, trouble):
        """Return the answers, and the node and Neutron's ports afterwards."""
        verbs, arguments = FLOWS[flow]
        for verb in verbs[1:]:
            self.api.provision(verb)
        before = self.api.state()
        TROUBLES[trouble](self)
        status, said = self.api("GET", "/v1/nodes/n/validate")
        said = said["network"] if status == 200 else said
        if flow == "provide":
            self.api.patch("automated_clean", True)
        answer = self.api.provision(flow, **arguments)
        node = self.api.node()
        ports = self.api("GET", f"{NETWORKING}/ports")[1]["ports"]
        names = {ident: name for name, ident in self.networks.items()}
        connected = sorted(
            f"{names.get(port['network_id'], 'another')} {port['mac_address']} {port['status']} "
            f"{'bound' if port['binding:host_id'] else 'unbound'}"
            for port in ports
        )
        history = self.api("GET", "/v1/nodes/n/history?detail=true")[1]["history"]
        told = sorted(one["event"] for one in history)
        found = [before, said, answer, [node[name] for name in SHOWN], connected, told]
        return _OWN.sub("-", repr(found).replace(self.uuid, "NODE").replace(self.vif, "VIF"))

    def change_port(self, **fields):
        """Change the node's port."""
        patch = [{"op": "add", "path": f"/{name}", "value": fields[name]} for name in fields]
        self.api("PUT", "/v1/nodes/n/maintenance")
        assert self.api("PATCH", f"/v1/ports/{self.port}", patch)[0] == 200
        self.api("DELETE", "/v1/nodes/n/maintenance")

    def inform(self, **fields):
        """Change the driver_info of the node."""
        assert self.api.patch("driver_info", {**self.info, **fields})[0] == 200

    def be_strict(self, physical_network):
        """Have the node fail if its VIF can't be bound in a physical network."""
        self.change_port(physical_network=physical_network)
        self.inform(fail_on_binding_failure=True)

    def remove_vif(self):
        """Delete the VIF in Neutron."""
        assert self.api("DELETE", f"{NETWORKING}/ports/{self.vif}")[0] == 204

    def detach(self):
        """Detach the VIF."""
        self.api("DELETE", f"/v1/nodes/n/vifs/{self.vif}")

    def name_twice(self):
        """Have two networks with each name, and the node name them."""
        for kind in KINDS:
            self._network(kind)
        self.inform(**{f"{kind}_network": kind for kind in KINDS})

    def route(self):
        """Make the tenant's network one that the node isn't connected to."""
        found = self.api("GET", f"{NETWORKING}/segments")[1]["segments"]
        (segment,) = (one["id"] for one in found if one["network_id"] == self.networks["tenant"])
        subnet = {"network_id": self.networks["tenant"], "segment_id": segment, "ip_version": 4}
        body = {"subnet": {**subnet, "cidr": "10.1.0.0/24"}}
        status, answer = self.api("POST", f"{NETWORKING}/subnets", body)
        assert status == 201, answer

    def _network(self, name):
        physical = {"provider:network_type": "flat", "provider:physical_network": f"{name}-net"}
        body = {"network": {"name": name, **(physical if name == "tenant" else {})}}
        return self._created(f"{NETWORKING}/networks", body)["network"]["id"]

    def _created(self, path, body):
        status, answer = self.api("POST", path, body)
        assert status == 201, answer
        return answer


TROUBLES = {
    "none": lambda lab: None,
    "no networks": lambda lab: lab.inform(**{f"{kind}_network": None for kind in KINDS}),
    "unknown networks": lambda lab: lab.inform(**{f"{kind}_network": "x" for kind in KINDS}),
    "named networks": lambda lab: lab.inform(**{f"{kind}_network": kind for kind in KINDS}),
    "names of two": Lab.name_twice,
    "no port to boot from": lambda lab: lab.change_port(pxe_enabled=False),
    "no link": lambda lab: lab.change_port(local_link_connection={}),
    "VIF gone": Lab.remove_vif,
    "VIF detached": Lab.detach,
    "same network, strict": lambda lab: lab.be_strict("tenant-net"),
    "another network, strict": lambda lab: lab.be_strict("x"),
    "another network": lambda lab: lab.change_port(physical_network="x"),
    "routed network": Lab.route,
    "fast track": lambda lab: lab.inform(fast_track="x"),
}


@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize("network_interface", ["flat", "neutron", "noop"])
def test_flows_end_as_recorded(request, network_interface, trouble):
    lab = Lab(network_interface)
    lab.api.keep()
    found = {}
    for flow in FLOWS:
        found[flow] = lab.outcome(flow, trouble)
        lab.api.go_back()
    recorded.check(request, RECORD, f"{network_interface}, {trouble}", found)
