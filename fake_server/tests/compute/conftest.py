"""A Compute API in this process, with the services that Nova asks."""

from __future__ import annotations

import json

import pytest

from fake_server.app import Application
from fake_server.clock import Clock
from fake_server.compute.models import block_devices
from fake_server.settings import ENABLED_INTERFACES, Settings
from fake_server.tests import databases
from fake_server.tests.wsgi import request

INTERFACES = {
    **ENABLED_INTERFACES,
    "deploy": ("fake", "direct"),
    "network": ("noop", "flat", "neutron"),
}
SYSTEM = {"system": {"all": True}}
_NEWEST = {"compute": "2.105", "volume": "3.71", "placement": "1.39"}
PREFIXES = {
    "compute": "/compute/v2.1",
    "identity": "/identity/v3",
    "image": "/image/v2",
    "volume": "/volume/v3",
    "network": "/networking/v2.0",
    "placement": "/placement",
    "baremetal": "/baremetal/v1",
    "any": "",
}


def image_device(image):
    """Return the block device that is an image, which has to be among the others."""
    device = {"source_type": "image", "destination_type": "local", "boot_index": 0}
    return {**device, "uuid": image}


class Cloud:
    """Sends requests to the services; returns status and decoded body."""

    def __init__(self, **options):
        self.clock = Clock("manual", start=1_700_000_000)
        settings = Settings(**{"interfaces": INTERFACES, **options})
        self.app = Application(settings, db=databases.new(), clock=self.clock)
        self.token = None

    def send(self, service, method, path, body=None, version=None):
        versions = {**_NEWEST, **({service: version} if version else {})}
        headers = {
            "HTTP_X_OPENSTACK_IRONIC_API_VERSION": "1.115",
            "HTTP_OPENSTACK_API_VERSION": ", ".join(map(" ".join, versions.items())),
        }
        if self.token:
            headers["HTTP_X_AUTH_TOKEN"] = self.token
        response = self.app.answer(request(method, PREFIXES[service] + path, body, **headers))
        self.headers = dict(response.headers)
        if dict(response.headers).get("Content-Type", "").startswith("text/html"):
            return response.status, response.body.decode()
        return response.status, json.loads(response.body) if response.body else None

    def __call__(self, method, path, body=None, version=None):
        """Ask Nova."""
        return self.send("compute", method, path, body, version)

    def log_in(self, name, project="demo"):
        """Let requests come from an account; without a project, for the system.

        Returns the token as it is shown.
        """
        domain = {"id": "default"}
        user = {"name": name, "domain": domain, "password": "secret"}
        identity = {"methods": ["password"], "password": {"user": user}}
        scope = {"project": {"name": project, "domain": domain}} if project else SYSTEM
        self.token = None
        body = {"auth": {"identity": identity, "scope": scope}}
        status, answer = self.send("identity", "POST", "/auth/tokens", body)
        assert status == 201
        self.token = self.headers["X-Subject-Token"]
        return answer["token"]

    def get(self, service, path):
        """Return what a GET that has to succeed answers."""
        status, body = self.send(service, "GET", path)
        assert status == 200, body
        return body

    def ironic(self, method, path, body=None):
        status, answer = self.send("baremetal", method, path, body)
        assert status < 300, answer
        return answer

    def node(self, name="n1", resource_class="gold", traits=(), connected=True, **values):
        """Enrol a node that can be had; return its UUID."""
        body = {"driver": "fake-hardware", "name": name, "resource_class": resource_class}
        uuid = self.ironic("POST", "/nodes", {**body, **values})["uuid"]
        if connected:
            ident = f"iqn.2017-05.org.openstack:{name}"
            connector = {"node_uuid": uuid, "type": "iqn", "connector_id": ident}
            self.ironic("POST", "/volume/connectors", connector)
        if traits:
            self.ironic("PUT", f"/nodes/{uuid}/traits", {"traits": list(traits)})
        for verb in ("manage", "provide"):
            self.ironic("PUT", f"/nodes/{uuid}/states/provision", {"target": verb})
        return uuid

    def flavor(self, name="gold", **specs):
        """Create a flavor and return its id."""
        body = {"name": name, "ram": 1024, "vcpus": 1, "disk": 10}
        status, answer = self("POST", "/flavors", {"flavor": body})
        assert status == 200, answer
        ident = answer["flavor"]["id"]
        wanted = {key.replace("__", ":"): value for key, value in specs.items()}
        wanted = wanted or {"resources:CUSTOM_GOLD": "1"}
        path = f"/flavors/{ident}/os-extra_specs"
        assert self("POST", path, {"extra_specs": wanted})[0] == 200
        return ident

    def volume(self, multiattach=False, bootable=True, **values):
        """Create a volume and return its id."""
        kind = "multiattach" if multiattach else "__DEFAULT__"
        wanted = {"size": 1, "volume_type": kind, **values}
        status, answer = self.send("volume", "POST", "/volumes", {"volume": wanted})
        assert status == 202, answer
        ident = answer["volume"]["id"]
        if bootable:
            action = {"os-set_bootable": {"bootable": True}}
            assert self.send("volume", "POST", f"/volumes/{ident}/action", action)[0] < 300
        return ident

    def boot(self, flavor, volume=None, version=None, mode=None, **values):
        """Ask for servers that boot from a volume, or from an image; return the answer."""
        wanted = {"name": "s", "flavorRef": flavor, "networks": "none", **values}
        if volume is not None:
            device = {
                "uuid": volume,
                "source_type": "volume",
                "destination_type": "volume",
                "boot_index": 0,
            }
            if mode is not None:
                device["attach_mode"] = mode
            wanted["block_device_mapping_v2"] = [device]
        return self("POST", "/servers", {"server": wanted}, version)

    def booted(self, flavor, volume=None, **values):
        """Have a server booted and return it."""
        status, answer = self.boot(flavor, volume, **values)
        assert status == 202, answer
        return self.server(answer["server"]["id"])

    def server(self, ident):
        return self.get("compute", f"/servers/{ident}")["server"]

    def servers(self):
        return self.get("compute", "/servers/detail")["servers"]

    def act(self, ident, action, value=None):
        return self("POST", f"/servers/{ident}/action", {action: value})

    def targets(self):
        return self.get("baremetal", "/volume/targets?detail=True")["targets"]

    def attachments(self):
        return self.get("volume", "/attachments/detail")["attachments"]

    def block_devices(self, server):
        """Return the block devices of a server as they are stored."""
        with self.app.store.transaction(write=False) as tx:
            return block_devices.get_all(tx, server_id=server)

    def network(self):
        """Create a network and return its id."""
        body = {"network": {"name": "private"}}
        return self.send("network", "POST", "/networks", body)[1]["network"]["id"]

    def allocations(self):
        """Return what the consumers of Placement have."""
        path = "/resource_providers"
        paths = [
            f"{path}/{provider['uuid']}/allocations"
            for provider in self.get("placement", path)["resource_providers"]
        ]
        return [one for path in paths for one in self.get("placement", path)["allocations"]]

    def assert_nothing_left(self):
        """Check that servers were cleaned up after."""
        assert self.servers() == self.attachments() == self.targets() == self.allocations() == []
        assert self.get("network", "/ports")["ports"] == []
        for volume in self.get("volume", "/volumes/detail")["volumes"]:
            assert volume["status"] == "available"
        for node in self.get("baremetal", "/nodes?detail=True")["nodes"]:
            found = (node["provision_state"], node["instance_uuid"], node["instance_info"])
            assert found == ("available", None, {})

    def delete_without_a_trace(self, server):
        """Delete a server, of which nothing may be left."""
        assert self("DELETE", f"/servers/{server['id']}") == (204, None)
        self.assert_nothing_left()


def message(answer):
    """Return what an error says."""
    status, body = answer
    (error,) = body.values()
    assert error["code"] == status
    return error["message"]


@pytest.fixture
def cloud():
    return Cloud()
