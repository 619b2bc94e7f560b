"""Forty-odd situations with a known cause: the cause is what ``node explain`` names first.

Those that need nothing but the API happen on a real Ironic, too, by its own failures. It has to
have all hardware types: ``IRONIC_HARDWARE=all``.
"""

from __future__ import annotations

import re
import shlex
import time
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

import pytest

from baremetalclient import client as clients
from baremetalclient.tests.functional.cli import Cli
from baremetalclient.v1.provision_states import find_state
from fake_server.server import FakeServer
from fake_server.settings import ConductorHost, Settings

if TYPE_CHECKING:
    from collections.abc import Callable

MAC = "52:54:00:00:00:01"
IMAGE = {"image_source": "http://127.0.0.1:1/image", "image_checksum": "1"}
BMC = {"redfish_address": "https://192.0.2.1", "redfish_password": "secret"}
RAMDISK = {"deploy_kernel": "http://127.0.0.1:1/k", "deploy_ramdisk": "http://127.0.0.1:1/r"}
DIRECT = {
    "deploy_interface": "direct",
    "driver": "ipmi",
    "driver_info": {"ipmi_address": "bmc", **RAMDISK},
}
HARDWARE = ("fake-hardware", "redfish", "ipmi", "manual-management")


@pytest.fixture(scope="module")
def own_server():
    interfaces = {
        "boot": ("ipxe", "fake"),
        "deploy": ("fake", "direct"),
        "inspect": ("fake", "redfish", "agent", "no-inspect"),
        "network": ("noop", "flat", "neutron"),
        "rescue": ("fake", "agent", "no-rescue"),
    }
    settings = Settings(
        hardware_types=HARDWARE,
        interfaces=interfaces,
        agent="external",
        agent_tls=False,
        automated_clean=True,
        cleaning_network="cleaning",
        conductors=(ConductorHost("host1"), ConductorHost("host2")),
    )
    with FakeServer(settings) as server:
        yield server


class Bench:
    """A node in a situation, on a fake or a real Ironic.

    :param server: the fake server, None for a real Ironic.
    """

    def __init__(self, client, server=None):
        self.client = client
        self.server = server
        self.made = []
        self.name = f"test-{uuid4().hex[:12]}"

    def node(self, *, port=True, state=None, **fields):
        """Enrol a node, with a port unless told otherwise, and seed it where it has a state."""
        fields = {"driver": "fake-hardware", "resource_class": "gold", **fields}
        address = f"52:54:00:{self.name[-6:-4]}:{self.name[-4:-2]}:{self.name[-2:]}"
        port = port and {"address": address, **(port if isinstance(port, dict) else {})}
        if state is not None:
            ports = {"ports": [port] if port else []} if "ports" not in fields else {}
            node = {"name": self.name, "provision_state": state, **ports, **fields}
            self.server.seed({"nodes": [node]})
            return
        if fields["driver"] not in [driver.name for driver in self.client.driver.list()]:
            pytest.skip(f"The hardware type {fields['driver']} is not enabled there.")
        made = self.client.node.create(name=self.name, **fields)
        self.made.append(made.uuid)
        if port:
            self.client.port.create(node_uuid=made.uuid, **port)

    def go(self, *verbs, **arguments):
        """Ask for verbs one after the other, and wait for each."""
        for verb in verbs:
            self.client.node.set_provision_state(self.name, verb, **arguments)
            self.settle()

    def settle(self):
        """Wait until nothing works on the node any more."""
        for _ in range(400):
            node = self.client.node.get(self.name)
            moving = find_state(node.provision_state).is_moving
            if self.server is not None or not (node.reservation or moving):
                return
            time.sleep(0.1)
        pytest.fail(f"The node stays in {node.provision_state}.")

    def release(self):
        """Wait until no periodic task of a real Ironic holds the node."""
        for _ in range(400):
            if self.server is not None or not self.client.node.get(self.name).reservation:
                return
            time.sleep(0.1)

    def later(self, **age):
        """Let some time pass."""
        seconds = age.get("seconds", 0) + 60 * age.get("minutes", 0)
        self.server.clock.advance(seconds)

    def clean_up(self):
        for uuid in self.made:
            node = self.client.node.get(uuid)
            if node.provision_state in ("active", "deploy failed"):
                if node.protected:
                    self.client.node.update(uuid, protected=False)
                self.client.node.set_maintenance(uuid, False)
                self.go("deleted")
            self.client.node.set_maintenance(uuid, True)
            self.client.node.delete(uuid)


class Situation(NamedTuple):
    """A situation.

    :param arrange: how it comes about.
    :param rule: the rule of the first finding.
    :param cause: what the finding says, a regular expression.
    :param repair: what is done outside of Ironic about the cause, before any advice can help.
    """

    arrange: Callable[[Bench], object]
    rule: str
    cause: str
    repair: Callable[[Bench], object] = lambda bench: None


def managed(driver, **driver_info):
    """Return what lets Ironic try to manage a node."""

    def arrange(bench):
        bench.node(driver=driver, driver_info=driver_info)
        bench.go("manage")

    return arrange


def ready(state="manageable", **fields):
    """Return what leads a node without automated cleaning to a state."""
    verbs = {"manageable": ["manage"], "available": ["manage", "provide"]}
    verbs["active"] = [*verbs["available"], "active"]

    def arrange(bench):
        bench.node(automated_clean=False, **fields)
        bench.go(*verbs[state])

    return arrange


def then(first, *more):
    """Return what does one after the other."""

    def arrange(bench):
        for action in (first, *more):
            action(bench)

    return arrange


def update(**fields):
    return lambda bench: bench.client.node.update(bench.name, **fields)


def clean(bench, *steps):
    bench.go("clean", cleansteps=list(steps))


def with_volume(bench):
    uuid = bench.client.node.get(bench.name).uuid
    bench.client.volume_target.create(
        node_uuid=uuid, volume_type="iscsi", volume_id="v", boot_index=0
    )


def maintained(bench):
    bench.client.node.set_maintenance(bench.name, True, maint_reason="Moved to rack 7")


def powered_off(bench):
    bench.client.node.set_power_state(bench.name, "off")
    for _ in range(100):
        node = bench.client.node.get(bench.name)
        if node.power_state == "power off" and not node.target_power_state:
            return
        time.sleep(0.1)


EVERYWHERE = {
    "the address of the controller is missing": Situation(
        managed("ipmi"), "validation", "ipmi_address"
    ),
    "the key of the address is misspelt": Situation(
        managed("redfish", redfish_adress="https://192.0.2.1"),
        "unknown-driver-info",
        "redfish_adress.* did you mean .redfish_address",
    ),
    "the address is no host": Situation(
        managed("ipmi", ipmi_address="bad host!"), "validation", "Invalid IPMI address .bad host!"
    ),
    "the port is no number": Situation(
        managed("ipmi", ipmi_address="192.0.2.1", ipmi_port="x"),
        "validation",
        "ipmi_port .x. is not a valid port",
    ),
    "the privilege is unknown": Situation(
        managed("ipmi", ipmi_address="192.0.2.1", ipmi_priv_level="GOD"),
        "validation",
        "Invalid privilege level",
    ),
    "the address is no URL": Situation(
        managed("redfish", redfish_address="not a uri %%"), "validation", "Invalid Redfish address"
    ),
    "the way to log in is unknown": Situation(
        managed("redfish", **BMC, redfish_auth_type="ntlm"), "validation", "ntlm.*one of .basic"
    ),
    "the certificate authority is none": Situation(
        managed("redfish", **BMC, redfish_verify_ca="banana"), "validation", "redfish_verify_ca"
    ),
    "the power is managed by hand": Situation(
        managed("manual-management"), "validation", "Fast track mode must be enabled"
    ),
    "nobody has tried to manage it": Situation(lambda bench: bench.node(), "next-step", "enrolled"),
    "somebody has put it into maintenance": Situation(
        then(ready(), maintained), "maintenance", "Moved to rack 7"
    ),
    "it has no ports": Situation(ready("available", port=None), "no-ports", "no ports"),
    "no port boots from the network": Situation(
        ready("available", port={"pxe_enabled": False}), "no-boot-port", "PXE is disabled"
    ),
    "it has no resource class": Situation(
        then(ready("available"), update(resource_class=None)), "no-resource-class", "allocation"
    ),
    "the instance needs a trait": Situation(
        then(ready("available"), update(instance_info={"traits": ["CUSTOM_GPU"]})),
        "trait-missing",
        "CUSTOM_GPU",
    ),
    "a step of cleaning does not exist": Situation(
        then(ready(), lambda bench: clean(bench, {"interface": "deploy", "step": "no_such"})),
        "last-error",
        "does not support this clean step.*no_such",
    ),
    "a service step does not exist": Situation(
        then(
            ready("active"),
            lambda bench: bench.go(
                "service", servicesteps=[{"interface": "deploy", "step": "no_such"}]
            ),
        ),
        "last-error",
        "(failed step.*no_such|does not support this serv)",
    ),
    "a volume has no connector": Situation(
        then(ready(), with_volume), "connector-unmatched", "iqn"
    ),
    "it is to leave the pool": Situation(
        then(ready(), update(retired=True, retired_reason="Too old")), "retired", "Too old"
    ),
    "its instance is not to be lost": Situation(
        then(ready("active"), update(protected=True, protected_reason="Billing")),
        "protected",
        "Billing",
    ),
    "the instance is switched off": Situation(
        then(ready("active"), powered_off), "power-off-active", "power is off"
    ),
}
"""What happens on a real Ironic, too."""


def unreachable(bench):
    bench.server.machines.change(bench.name, {"reachable": False})


def no_answer_to_manage(bench):
    bench.node(driver="redfish", driver_info=BMC)
    unreachable(bench)
    bench.go("manage")
    bench.later(minutes=5)


def wrong_password(bench):
    bench.node(driver="redfish", driver_info=BMC)
    bench.server.machines.change(bench.name, {"password": "other"})
    bench.go("manage")
    bench.later(minutes=5)


def power_failure(bench):
    bench.node(state="active", driver="redfish", driver_info=BMC, power_state="power on")
    unreachable(bench)
    for _ in range(9):
        bench.later(minutes=3)


def cleaning(bench, **fields):
    bench.node(**{**DIRECT, **fields})
    bench.go("manage", "provide")


def deploying(bench):
    bench.node(**DIRECT, automated_clean=False)
    bench.go("manage", "provide")
    bench.client.node.update(bench.name, instance_info=IMAGE)
    bench.go("active")


def inspecting(bench):
    bench.node(**DIRECT, inspect_interface="agent")
    bench.go("manage", "inspect")


def waiting(state, **fields):
    def arrange(bench):
        bench.node(state=state, **DIRECT, instance_info=IMAGE, **fields)
        bench.later(minutes=10)

    return arrange


def fallen_silent(bench):
    beat = bench.server.clock.now().isoformat()
    step = {"interface": "deploy", "step": "erase_devices"}
    internal = {"agent_last_heartbeat": beat}
    waiting(
        "clean wait",
        clean_step=step,
        driver_internal_info=internal,
    )(bench)


def conductor_lost(bench):
    """The conductor that verifies the node dies."""
    bench.node(driver="redfish", driver_info=BMC)
    unreachable(bench)
    bench.client.node.set_provision_state(bench.name, "manage")
    host = bench.client.node.get(bench.name).reservation
    bench.server.conductors.change(host, {"alive": False})


def no_conductor(bench):
    bench.node()
    for host in ("host1", "host2"):
        bench.server.conductors.change(host, {"alive": False})


def later(**age):
    return lambda bench: bench.later(**age)


def reached(bench):
    bench.server.machines.change(bench.name, {"reachable": True})
    bench.later(minutes=5)


def known_password(bench):
    bench.server.machines.change(bench.name, {"password": "secret"})


def restarted(bench):
    for host in ("host1", "host2"):
        bench.server.conductors.change(host, {"alive": True})
    bench.later(minutes=5)


ERROR = {
    "severity": "ERROR",
    "event": "Disk on fire",
    "state": "cleaning",
    "created_at": "2026-01-01T00:00:00+00:00",
}
FOLLOWED = {
    **ERROR,
    "event": "Failed to power off",
    "state": "clean failed",
    "created_at": "2026-01-01T00:02:00+00:00",
}
BONDED = {
    "network_interface": "flat",
    "ports": [{"address": MAC, "portgroup": "g", "internal_info": {"tenant_vif_port_id": "vif-1"}}],
    "portgroups": [{"name": "g", "standalone_ports_supported": False}],
}

ON_THE_FAKE = {
    "the controller does not answer": Situation(
        no_answer_to_manage, "last-error", "Failed to get power state.*[Rr]edfish", reached
    ),
    "the password is wrong": Situation(
        wrong_password, "last-error", "Failed to get power state.*401", known_password
    ),
    "the controller has stopped to answer": Situation(
        power_failure, "fault", "power failure.*(?i:during sync_power_state)", reached
    ),
    "the ramdisk for cleaning does not start": Situation(
        then(cleaning, later(minutes=12)),
        "waiting",
        "cleaning waits.* for 12 minutes.*no heartbeat.*by default after 30 minutes",
    ),
    "the machine can't boot the ramdisk": Situation(
        then(lambda bench: cleaning(bench, port={"pxe_enabled": False}), later(minutes=5)),
        "no-boot-port",
        "PXE is disabled on all ports",
    ),
    "the ramdisk has fallen silent": Situation(
        fallen_silent, "waiting", "last heartbeat.* 10 minutes ago.*deploy.erase_devices"
    ),
    "the ramdisk for cleaning never came": Situation(
        then(cleaning, later(minutes=40)), "last-error", "Timeout reached while cleaning"
    ),
    "nobody has said which ramdisk": Situation(
        lambda bench: cleaning(bench, driver_info={"ipmi_address": "bmc"}),
        "last-error",
        "deploy_kernel",
    ),
    "the ramdisk for deploying does not start": Situation(
        then(deploying, later(minutes=29)), "waiting", "deployment waits.* for 29 minutes"
    ),
    "the ramdisk for deploying never came": Situation(
        then(deploying, later(minutes=40)), "last-error", "Timeout reached while waiting"
    ),
    "the ramdisk for inspection does not start": Situation(
        then(inspecting, later(minutes=10)), "waiting", "inspection waits"
    ),
    "the ramdisk for inspection never came": Situation(
        then(inspecting, later(minutes=40)), "last-error", "Timeout reached while inspecting"
    ),
    "the rescue ramdisk does not start": Situation(
        waiting("rescue wait", power_state="power on"), "waiting", "rescue waits"
    ),
    "the service steps wait": Situation(
        waiting("service wait", power_state="power on"), "waiting", "service steps wait"
    ),
    "a step is on hold": Situation(
        lambda bench: bench.node(state="clean hold"), "on-hold", "on hold"
    ),
    "the conductor that holds the lock is dead": Situation(
        conductor_lost, "reserved", "has locked the node.* This conductor is down", restarted
    ),
    "no conductor is left": Situation(
        no_conductor, "conductor-down", "No conductor is alive", restarted
    ),
    "nobody works on it any more": Situation(
        lambda bench: bench.node(state="cleaning"), "stuck", "no conductor works on it"
    ),
    "the hardware is broken": Situation(
        lambda bench: bench.node(state="available", health="Critical"), "health", "hardware"
    ),
    "Ironic has forgotten the error of a step": Situation(
        then(
            lambda bench: bench.server.faults.add(
                {"flow": "deploy", "step": "deploy.*"}, {"last_error": "No space left."}
            ),
            ready("active"),
            later(minutes=3),
        ),
        "last-error",
        "No space left\\.$",
        lambda bench: bench.server.faults.clear(),
    ),
    "the error is only in the history": Situation(
        lambda bench: bench.node(state="clean failed", history=[ERROR]),
        "last-error",
        "Disk on fire",
    ),
    "a later error hides the cause": Situation(
        lambda bench: bench.node(
            state="clean failed", last_error="Failed to power off", history=[ERROR, FOLLOWED]
        ),
        "last-error",
        "Disk on fire",
    ),
    "no image is given": Situation(
        lambda bench: bench.node(state="available", **DIRECT), "validation", "image_source"
    ),
    "the image of an instance is missing": Situation(
        lambda bench: bench.node(
            state="available", **DIRECT, instance_info={"capabilities": {"boot_option": "local"}}
        ),
        "validation",
        "image_source",
    ),
    "the machine to be deployed is off": Situation(
        waiting("wait call-back", power_state="power off"), "power-off-waiting", "powered off"
    ),
    "the machine to be cleaned is off": Situation(
        waiting("clean wait", power_state="power off"), "power-off-waiting", "refuses to power"
    ),
    "no agent runs where power is managed by hand": Situation(
        lambda bench: bench.node(
            state="manageable", driver="manual-management", driver_info={"fast_track": True}
        ),
        "validation",
        "Agent seems offline",
    ),
    "the switch is not known": Situation(
        lambda bench: bench.node(
            state="available",
            network_interface="neutron",
            ports=[{"address": MAC}, {"address": f"{MAC[:-1]}2"}],
        ),
        "port-without-switch",
        MAC,
    ),
    "a volume has no use": Situation(
        then(
            lambda bench: bench.node(
                state="available", volume_connectors=[{"type": "iqn", "connector_id": "iqn.x"}]
            ),
            lambda bench: bench.server.seed({"volumes": [{"name": "disk", "size": 1}]}),
        ),
        "connector-unmatched",
        "fits no volume target",
    ),
    "the power can't be changed": Situation(
        lambda bench: bench.node(
            state="active",
            power_state="power on",
            last_error="Failed to change power state to 'power off': timeout",
        ),
        "last-error",
        "timeout",
    ),
    "an earlier attempt failed": Situation(
        lambda bench: bench.node(state="available", last_error="The deployment was aborted."),
        "last-error",
        "aborted",
    ),
    "a VIF has no place": Situation(
        lambda bench: bench.node(state="available", **BONDED), "vif-without-port", "vif-1"
    ),
    "the inspection fails": Situation(
        then(
            managed("redfish", **BMC),
            lambda bench: bench.server.machines.change(bench.name, {"failing": ["inspect"]}),
            lambda bench: bench.go("inspect"),
        ),
        "last-error",
        "Redfish exception occurred",
    ),
}
"""What takes a controller, an agent, a conductor or a clock that tests can do with as they like."""


@pytest.fixture
def bench(own_server):
    own_server.reset()
    own_server.clock.switch("manual")
    client = clients.get_client(1, endpoint=own_server.url, retry_interval=0)
    return Bench(client, own_server)


@pytest.fixture
def real_bench(client, real_ironic):
    if real_ironic is None:
        pytest.skip("It needs a real Ironic.")
    bench = Bench(client)
    yield bench
    bench.clean_up()


@pytest.mark.rows
@pytest.mark.parametrize("name", {**EVERYWHERE, **ON_THE_FAKE})
def test_the_cause_is_the_first_finding(bench, name):
    check(bench, {**EVERYWHERE, **ON_THE_FAKE}[name])


@pytest.mark.parametrize("name", EVERYWHERE)
def test_the_cause_is_the_first_finding_on_a_real_ironic(real_bench, name):
    check(real_bench, EVERYWHERE[name])


def check(bench, situation):
    situation.arrange(bench)
    bench.release()
    found = bench.client.node.explain(bench.name)
    first = found["findings"][0]
    assert first["rule"] == situation.rule, [
        (one["rule"], one["severity"], one["text"][:60], one["quote"]) for one in found["findings"]
    ]
    told = " ".join([first["text"], first["quote"] or ""])
    assert re.search(situation.cause, told, re.DOTALL), told


VALUES = {
    "CLASS": "gold",
    "IQN": "iqn.2026-01.org.example:1",
    "MAC": "52:54:00:00:00:0a",
    "VOLUME": "disk",
    "deploy_kernel=": RAMDISK["deploy_kernel"],
    "deploy_ramdisk=": RAMDISK["deploy_ramdisk"],
    "image_checksum=": IMAGE["image_checksum"],
    "image_source=": IMAGE["image_source"],
    "ipmi_address=": "192.0.2.1",
    "ipmi_port=": "623",
    "ipmi_priv_level=": "ADMINISTRATOR",
    "port_id=": "Ethernet1",
    "redfish_address=": BMC["redfish_address"],
    "redfish_auth_type=": "basic",
    "redfish_verify_ca=": "false",
    "switch_id=": "52:54:00:00:00:0b",
}
"""What a user knows, by the rest of the word with a blank, or by the blank if that is all."""


def completed(finding):
    """Return the commands of a finding, with the blanks that it declares filled."""
    words = shlex.split(finding["command"])
    for blank in finding["blanks"]:
        before = words[blank["word"]].removesuffix(blank["name"])
        words[blank["word"]] = before + VALUES[before or blank["name"]]
    commands = [list(group) for at_joint, group in groupby(words, "&&".__eq__) if not at_joint]
    assert {command.pop(0) for command in commands} == {"baremetal"}
    return commands


@pytest.mark.rows
@pytest.mark.parametrize("name", [*EVERYWHERE, *ON_THE_FAKE])
def test_what_is_advised_helps(bench, own_server, name):
    """Each command runs as it is typed, and what it is about is no longer found."""
    situation = {**EVERYWHERE, **ON_THE_FAKE}[name]
    cli = Cli("baremetal", own_server.url)
    cli.env["OS_VOLUME_ENDPOINT"] = f"{own_server.url}/volume/v3"

    def arrange():
        own_server.reset()
        situation.arrange(bench)
        found = bench.client.node.explain(bench.name)
        situation.repair(bench)
        return [one for one in found["findings"] if one["command"]]

    for number in range(len(arrange())):
        # What is in the way comes first.
        *before, finding = arrange()[: number + 1]
        for each in [*before, finding]:
            for command in completed(each):
                done = cli.run("--max-retries", "0", *command)
                assert done.code == 0, (command, done.err)
                bench.later(seconds=30)
        if {"list", "show"}.isdisjoint(command):
            left = bench.client.node.explain(bench.name)["findings"]
            told = finding["text"], finding["quote"]
            assert told not in [(one["text"], one["quote"]) for one in left]
