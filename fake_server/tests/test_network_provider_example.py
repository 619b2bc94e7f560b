"""The network provider of the guide, as a package beside the server."""

from __future__ import annotations

import configparser
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "doc" / "source" / "examples" / "network_provider"
FOR_IRONIC = Path(__file__).parent / "baremetal" / "rack_networks.py"
SCRIPT = """
import json
from fake_server.server import FakeServer
from fake_server.settings import ENABLED_INTERFACES, Settings
from baremetalclient.client import get_client

interfaces = {**ENABLED_INTERFACES, "network": ("noop", "lab")}
with FakeServer(Settings(dialect="spec", interfaces=interfaces)) as server:
    ironic = get_client(1, endpoint=server.url, token="none")
    node = ironic.node.create(driver="fake-hardware", network_provider="lab")
    ironic.port.create(node_uuid=node.uuid, address="52:54:00:00:00:01")
    for verb in ("manage", "provide"):
        ironic.node.set_provision_state(node.uuid, verb)
    ironic.node.vif_attach(node.uuid, "vif-1")
    for verb in ("active", "deleted"):
        ironic.node.set_provision_state(node.uuid, verb)
    print(json.dumps(ironic.node.get(node.uuid).extra))
"""


#: The same life with an interface that was written for Ironic.
IRONIC_SCRIPT = """
import json
from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import Api

interfaces = {
    **ENABLED_INTERFACES,
    "boot": ("fake", "ipxe"), "deploy": ("fake", "direct"), "network": ("noop", "rack"),
}
ask = Api(interfaces=interfaces, agent="simulated", automated_clean=True)
uuid = ask.enrol(
    network_interface="rack", boot_interface="ipxe", deploy_interface="direct",
    driver_info={name: "http://192.0.2.1/i" for name in ("deploy_kernel", "deploy_ramdisk")},
    instance_info={"image_source": "http://192.0.2.1/i", "image_checksum": "a" * 32},
)
created = ask("POST", "/v1/ports", {"node_uuid": uuid, "address": "52:54:00:00:00:01"})[1]
group = ask("POST", "/v1/portgroups", {"node_uuid": uuid, "name": "g"})[1]
port = f"/v1/ports/{created['uuid']}"
seen = {"not valid": ask("GET", "/v1/nodes/n/vifs")}
ask.patch("driver_info/rack", "r1")
states = []

def provision(*verbs):
    for verb in verbs:
        assert ask.provision(verb)[0] == 202, verb
        ask.clock.advance(60)
    states.append(ask.state())

provision("manage", "provide")
seen["attached"] = ask("POST", "/v1/nodes/n/vifs", {"id": "vif-1"})
seen["no port free"] = ask("POST", "/v1/nodes/n/vifs", {"id": "vif-2"})
seen["listed"] = ask("GET", "/v1/nodes/n/vifs")
seen["in use"] = ask("DELETE", port)[0]
provision("active")
provision("deleted")
seen["freed"] = ask("GET", "/v1/nodes/n/vifs")
ask("POST", "/v1/nodes/n/vifs", {"id": "vif-3"})
seen["detached"] = ask("DELETE", "/v1/nodes/n/vifs/vif-3")
seen["listed then"] = ask("GET", "/v1/nodes/n/vifs")
patch = [{"op": "replace", "path": "/address", "value": "52:54:00:00:00:02"}]
seen["port"] = ask("PATCH", port, patch)[1]["extra"]
patch = [{"op": "replace", "path": "/name", "value": "h"}]
seen["group"] = ask("PATCH", f"/v1/portgroups/{group['uuid']}", patch)
diary = ask.node()["driver_internal_info"]["rack_diary"]
print(json.dumps({"seen": seen, "states": states, "diary": diary}))
"""


@pytest.fixture
def installed(tmp_path):
    """Return a folder in which the packages are installed."""
    metadata = configparser.ConfigParser()
    metadata.read(EXAMPLE / "setup.cfg")
    (tmp_path / "lab_networks.py").write_text((EXAMPLE / "lab_networks.py").read_text())
    (tmp_path / "rack_networks.py").write_text(FOR_IRONIC.read_text())
    about = tmp_path / "lab_networks-1.0.dist-info"
    about.mkdir()
    name, version = metadata["metadata"]["name"], metadata["metadata"]["version"]
    text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (about / "METADATA").write_text(text)
    groups = metadata["options.entry_points"]
    lines = [f"[{group}]\n{entries.strip()}\n" for group, entries in groups.items()]
    lines.append("rack = rack_networks:RackNetwork\n")
    (about / "entry_points.txt").write_text("".join(lines))
    return tmp_path


def run(installed, script):
    """Run a script beside the installed packages; return what it prints, which is JSON."""
    path = os.pathsep.join([str(installed), str(EXAMPLE.parents[3])])
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_the_provider_of_the_guide_is_asked_for_networks(installed):
    assert run(installed, SCRIPT)["diary"] == [
        *("provisioning", "no provisioning", "tenant vif-1", "no tenant"),
    ]


@pytest.mark.slow("starts another interpreter; the example of the guide runs always")
def test_an_interface_that_was_written_for_ironic_works_as_it_is(installed):
    done = run(installed, IRONIC_SCRIPT)
    assert done["states"] == ["available", "active", "available"]
    assert done["diary"] == [
        *("cleaning in r1", "no cleaning", "no tenant", "provisioning", "no provisioning"),
        *("tenant on 52:54:00:00:00:01", "no tenant", "no provisioning", "cleaning in r1"),
        *("no cleaning",),
    ]
    seen = done["seen"]
    status, message = seen["not valid"]
    assert (status, "is in no rack" in message) == (400, True)
    assert seen["no port free"] == [400, "No port of n is free."]
    assert seen["attached"] == seen["detached"] == [204, None]
    assert seen["listed"] == [200, {"vifs": [{"id": "vif-1"}]}]
    assert seen["freed"] == seen["listed then"] == [200, {"vifs": []}]
    assert seen["in use"] == 409
    assert seen["port"] == {"before": "52:54:00:00:00:01"}
    assert seen["group"] == [400, "RuntimeError: Port groups of racks keep their names."]
