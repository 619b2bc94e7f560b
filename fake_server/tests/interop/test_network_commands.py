"""Neutron from the command line: what users of bare metal do with python-openstackclient."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from fake_server.cli import cloud_config
from fake_server.server import FakeServer
from fake_server.settings import Settings

pytest.importorskip("openstackclient")

NETWORKS = """
network create --mtu 1400 --description d --disable-port-security n1
network set --name net --enable-port-security n1
network create --provider-network-type vlan --provider-physical-network rack \
 --provider-segment 301 --external outside
network create --project demo --tag red tagged
network list --long --tags red
network unset --all-tag tagged
network list --project demo
network show net
"""
SUBNETS = """
subnet create --network net --subnet-range 10.0.0.0/24 --allocation-pool \
 start=10.0.0.10,end=10.0.0.50 --dns-nameserver 192.0.2.1 --host-route \
 destination=10.9.0.0/16,gateway=10.0.0.9 --no-dhcp s1
subnet set --dhcp --name sub --no-dns-nameservers s1
subnet unset --host-route destination=10.9.0.0/16,gateway=10.0.0.9 sub
subnet list --long --network net
subnet show sub
"""
GROUPS = """
security group list
security group create --description x web
security group rule create --protocol tcp --dst-port 22 --remote-ip 10.0.0.0/8 web
security group rule create --protocol icmp --icmp-type 8 web
security group rule create --ethertype IPv6 --egress --protocol udp --dst-port 53:54 web
security group rule create --remote-group web web
security group rule list --long --ingress --protocol tcp web
security group set --name www --description y web
security group show www
"""
PORTS = """
port create --network net --fixed-ip subnet=sub,ip-address=10.0.0.20 --vnic-type baremetal \
 --security-group www p1
port create --network net --disable-port-security --no-security-group p2
port create --network net --no-fixed-ip --device d --device-owner compute:nova \
 --mac-address 52:54:00:00:00:01 --tag a p3
port create --network net --extra-dhcp-option name=tftp-server,value=192.0.2.1 --host h1 p4
port set --no-security-group --name port p1
port set --security-group www --fixed-ip subnet=sub,ip-address=10.0.0.21 port
port unset --fixed-ip subnet=sub,ip-address=10.0.0.20 port
port list --long --name port
port list --mac-address 52:54:00:00:00:01
port list --device-owner compute:nova
port unset --security-group www port
port show port
"""
TRUNKS = """
network trunk create --parent-port p2 trunk
network trunk set --subport port=p3,segmentation-type=vlan,segmentation-id=5 trunk
network subport list --trunk trunk
network trunk unset --subport p3 trunk
network trunk show trunk
network trunk delete trunk
"""
SEGMENTS = """
network segment create --network outside --network-type vlan --physical-network other \
 --segment 77 seg
network segment set --name segment seg
network segment list --long --network outside
network segment delete segment
network agent list
"""
QUOTAS = """
quota set --networks 7 demo
quota show --network demo
quota delete --network demo
"""
END = """
port delete port p2 p3 p4
subnet delete sub
security group delete www
network delete net outside tagged
network list
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """Status, output and errors of each command, by the command."""
    texts = (NETWORKS, SUBNETS, GROUPS, PORTS, TRUNKS, SEGMENTS, QUOTAS, END)
    lines = [line for text in texts for line in text.strip().splitlines()]
    program = [sys.executable, "-m", "fake_server.tests.interop.network_commands"]
    settings = Settings(auth="keystone")
    with FakeServer(settings) as server:
        directory = tmp_path_factory.mktemp("cloud")
        own = {name: value for name, value in os.environ.items() if not name.startswith("OS_")}
        own |= cloud_config.environment(server.url, settings, directory, "admin")
        found = subprocess.run(
            program,
            input="\n".join(f"{line}{_format(line)}" for line in lines),
            capture_output=True,
            text=True,
            env=own,
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
