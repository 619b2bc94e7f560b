"""Neutron from the command line: what users of bare metal do with python-openstackclient."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fake_server import cloud_config
from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.tests.interop.conftest import with_variables

pytestmark = pytest.mark.slow("starts the program openstack")
pytest.importorskip("openstackclient")

COMMANDS = Path(__file__).with_name("network_commands.txt")


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """Status, output and errors of each command, by the command."""
    lines = COMMANDS.read_text("utf-8").splitlines()[1:]
    program = [sys.executable, "-m", "fake_server.tests.interop.network_commands"]
    settings = Settings(auth="keystone")
    with FakeServer(settings) as server:
        directory = tmp_path_factory.mktemp("cloud")
        variables = cloud_config.environment(server.url, settings, directory, "admin")
        found = subprocess.run(
            program,
            input="\n".join(f"{line}{_format(line)}" for line in lines),
            capture_output=True,
            text=True,
            env=with_variables(variables),
            timeout=300,
            check=True,
        )
    return dict(zip(lines, json.loads(found.stdout), strict=True))


def _format(line):
    return " -f json" if {"list", "show", "create"} & set(line.split()) else ""


@pytest.fixture
def output(outcomes):
    """Return what a command printed."""
    return lambda command: json.loads(outcomes[command][1])


def test_all_commands_succeed(outcomes):
    failed = {line: errors for line, (status, _, errors) in outcomes.items() if status}
    assert failed == {}


def test_networks(output):
    (tagged,) = output("network list --long --tags red")
    assert (tagged["Name"], tagged["Tags"]) == ("tagged", ["red"])
    assert [row["Name"] for row in output("network list --project demo")] == ["tagged"]
    network = output("network show net")
    assert (network["mtu"], network["port_security_enabled"]) == (1400, True)
    assert {row["Name"] for row in output("network list")} == {"provisioning", "cleaning"}


def test_subnets(output):
    (row,) = output("subnet list --long --network net")
    assert (row["Name"], row["DHCP"], row["Host Routes"]) == ("sub", True, [])
    subnet = output("subnet show sub")
    assert subnet["allocation_pools"] == [{"start": "10.0.0.10", "end": "10.0.0.50"}]
    assert (subnet["dns_nameservers"], subnet["gateway_ip"]) == ([], "10.0.0.1")


def test_security_groups(output):
    assert {row["Name"] for row in output("security group list")} == {"default"}
    (rule,) = output("security group rule list --long --ingress --protocol tcp web")
    assert (rule["IP Range"], rule["Port Range"]) == ("10.0.0.0/8", "22:22")
    assert len(output("security group show www")["rules"]) == 6


def test_ports(output):
    (row,) = output("port list --long --name port")
    assert (row["Name"], len(row["Security Groups"])) == ("port", 1)
    for command in (
        "port list --mac-address 52:54:00:00:00:01",
        "port list --device-owner compute:nova",
    ):
        assert [row["Name"] for row in output(command)] == ["p3"]
    port = output("port show port")
    assert [one["ip_address"] for one in port["fixed_ips"]] == ["10.0.0.21"]
    assert (port["security_group_ids"], port["binding_vnic_type"]) == ([], "baremetal")


def test_trunks_and_segments(output):
    (row,) = output("network subport list --trunk trunk")
    assert row["Segmentation ID"] == 5
    assert output("network trunk show trunk")["sub_ports"] == []
    rows = output("network segment list --long --network outside")
    assert {(row["Name"], row["Segment"]) for row in rows} == {(None, 301), ("segment", 77)}


def test_quotas(output):
    limits = {row["Resource"]: row["Limit"] for row in output("quota show --network demo")}
    assert limits["networks"] == 7
