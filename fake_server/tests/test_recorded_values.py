"""What the services say to values of every kind deep inside of bodies.

The answers were recorded from the fake server itself, so that no change goes unnoticed; that they
are right is for other tests. A deliberate change is written down with ``--record -n 0``.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fake_server.tests import recorded
from fake_server.tests.filled_cloud import OWNER, SERVER, Filled

RECORD = Path(__file__).with_name("values.json.gz")
MAC = "52:54:00:00:00:01"
VALUES = (
    *(None, "", "text", -1, 0, 1, 3, 1.5, 2**31, True, [], ["a"], {}, {"a": 1}),
    *("10.1.0.0/24", MAC, "NETWORK", "SUBNET", "PORT", "GROUP", "VOLUME", "IMAGE", "PROVIDER"),
)
V = "<VALUE>"
PAIR = {"ip_address": "10.0.0.1"}
OPTION = {"opt_name": "a", "opt_value": "b"}
SUB = {"port_id": "PORT", "segmentation_id": 5, "segmentation_type": "vlan"}
CONNECTOR = {"initiator": "iqn.x", "host": "h"}
DEVICE = {"uuid": "SPARE", "source_type": "volume", "destination_type": "volume", "boot_index": 0}
VOLUME_ACTIONS = (
    *("os-reserve", "os-unreserve", "os-begin_detaching", "os-roll_detaching", "os-attach"),
    *("os-detach", "os-initialize_connection", "os-terminate_connection", "os-extend"),
    *("os-reset_status", "os-force_delete", "os-set_bootable", "os-update_readonly_flag"),
)
SERVER_ACTIONS = (
    *("os-start", "os-stop", "reboot", "rebuild", "rescue", "unrescue", "lock", "unlock"),
    *("pause", "shelve", "os-resetState", "createImage", "addSecurityGroup", "resize", "bogus"),
)
PORTS = (
    *({name: V} for name in ("allowed_address_pairs", "fixed_ips", "extra_dhcp_opts")),
    *({name: V} for name in ("security_groups", "binding:profile", "binding:vnic_type")),
    {"allowed_address_pairs": [V]},
    {"allowed_address_pairs": [{"ip_address": V}]},
    {"allowed_address_pairs": [{**PAIR, "mac_address": V}]},
    {"allowed_address_pairs": [{**PAIR, "other": V}]},
    {"allowed_address_pairs": [PAIR, PAIR]},
    {"fixed_ips": [V]},
    {"fixed_ips": [{"subnet_id": V}]},
    {"fixed_ips": [{"subnet_id": "SUBNET", "ip_address": V}]},
    {"fixed_ips": [{"ip_address": V}]},
    {"extra_dhcp_opts": [V]},
    *({"extra_dhcp_opts": [{**OPTION, name: V}]} for name in (*OPTION, "ip_version", "x")),
    {"security_groups": [V]},
    {"security_groups": ["GROUP", V]},
    {"binding:profile": {"local_link_information": V}},
    {"binding:profile": {"local_link_information": [V]}},
    {"device_id": V, "device_owner": "baremetal:none"},
    {"device_owner": V},
    {"dns_name": V},
    {"port_security_enabled": V},
)
STOCK = ("total", "reserved", "min_unit", "max_unit", "step_size", "allocation_ratio", "other")
CLAIM = {"allocations": {"PROVIDER": {"resources": {"VCPU": 1}}}, **OWNER}
ASKED = {
    "network": (
        *(("POST", "/ports", {"port": {"network_id": "NETWORK", **port}}) for port in PORTS),
        *(("PUT", "/ports/PORT", {"port": port}) for port in PORTS),
        ("POST", "/trunks", {"trunk": {"port_id": V}}),
        ("POST", "/trunks", {"trunk": {"port_id": "PORT", "sub_ports": V}}),
        *(
            ("POST", "/trunks", {"trunk": {"port_id": "PORT", "sub_ports": [one]}})
            for one in (V, *({**SUB, name: V} for name in (*SUB, "x")))
        ),
        *(
            (
                "POST",
                "/subnets",
                {
                    "subnet": {
                        "network_id": "NETWORK",
                        "ip_version": 4,
                        "cidr": "10.9.0.0/24",
                        **more,
                    }
                },
            )
            for more in (
                *({name: V} for name in ("cidr", "ip_version", "gateway_ip", "enable_dhcp")),
                *({name: V} for name in ("allocation_pools", "dns_nameservers", "host_routes")),
                {"allocation_pools": [V]},
                {"allocation_pools": [{"start": V, "end": "10.9.0.9"}]},
                {"allocation_pools": [{"start": "10.9.0.2", "end": V}]},
                {"dns_nameservers": [V]},
                {"host_routes": [V]},
                {"host_routes": [{"destination": V, "nexthop": "10.9.0.9"}]},
                {"host_routes": [{"destination": "10.8.0.0/24", "nexthop": V}]},
            )
        ),
        *(
            (
                "POST",
                "/security-group-rules",
                {
                    "security_group_rule": {
                        "security_group_id": "GROUP",
                        "direction": "ingress",
                        "protocol": "tcp",
                        name: V,
                    }
                },
            )
            for name in (
                "direction",
                "protocol",
                "ethertype",
                "port_range_min",
                "port_range_max",
                "remote_ip_prefix",
                "remote_group_id",
                "security_group_id",
            )
        ),
    ),
    "volume": (
        *(("POST", "/volumes/SPARE/action", {name: V}) for name in VOLUME_ACTIONS),
        *(
            ("POST", "/volumes/SPARE/action", {name: {key: V}})
            for name, key in (
                ("os-attach", "instance_uuid"),
                ("os-attach", "mountpoint"),
                ("os-attach", "mode"),
                ("os-attach", "host_name"),
                ("os-extend", "new_size"),
                ("os-detach", "attachment_id"),
                ("os-set_bootable", "bootable"),
                ("os-update_readonly_flag", "readonly"),
                ("os-reset_status", "status"),
                ("os-reset_status", "attach_status"),
                ("os-initialize_connection", "connector"),
                ("os-terminate_connection", "connector"),
            )
        ),
        *(
            (
                "POST",
                "/volumes/SPARE/action",
                {"os-initialize_connection": {"connector": {**CONNECTOR, name: V}}},
            )
            for name in (*CONNECTOR, "mode", "multipath", "wwpns", "ip")
        ),
        ("POST", "/attachments", {"attachment": V}),
        *(
            (
                "POST",
                "/attachments",
                {"attachment": {"volume_uuid": "SPARE", "instance_uuid": None, name: V}},
            )
            for name in ("volume_uuid", "instance_uuid", "connector", "mode")
        ),
        ("POST", "/volumes/SPARE/metadata", {"metadata": V}),
        ("POST", "/volumes/SPARE/metadata", {"metadata": {"a": V}}),
        ("POST", "/types/TYPE/extra_specs", {"extra_specs": V}),
        ("POST", "/types/TYPE/extra_specs", {"extra_specs": {"a": V}}),
        *(
            ("POST", "/volumes", {"volume": {"size": 1, name: V}})
            for name in (
                "size",
                "metadata",
                "volume_type",
                "imageRef",
                "source_volid",
                "snapshot_id",
                "availability_zone",
                "name",
            )
        ),
    ),
    "placement": (
        *(
            (
                "PUT",
                "/resource_providers/PROVIDER/inventories",
                {"resource_provider_generation": 3, "inventories": {"VCPU": {"total": 4, name: V}}},
            )
            for name in STOCK
        ),
        (
            "PUT",
            "/resource_providers/PROVIDER/inventories",
            {"resource_provider_generation": V, "inventories": {}},
        ),
        (
            "PUT",
            "/resource_providers/PROVIDER/inventories",
            {"resource_provider_generation": 3, "inventories": V},
        ),
        *(
            (
                "PUT",
                "/resource_providers/PROVIDER/inventories/VCPU",
                {"resource_provider_generation": 3, "total": 4, name: V},
            )
            for name in (*STOCK, "resource_provider_generation")
        ),
        *(
            (
                "PUT",
                f"/resource_providers/PROVIDER/{kind}",
                {"resource_provider_generation": 3, kind: value},
            )
            for kind in ("traits", "aggregates")
            for value in (V, [V])
        ),
        (
            "PUT",
            "/resource_providers/PROVIDER/traits",
            {"resource_provider_generation": V, "traits": []},
        ),
        *(
            ("PUT", "/allocations/NEW", {**CLAIM, name: V})
            for name in (*CLAIM, "mappings", "consumer_type")
        ),
        ("PUT", "/allocations/NEW", {**CLAIM, "allocations": {"PROVIDER": V}}),
        ("PUT", "/allocations/NEW", {**CLAIM, "allocations": {"PROVIDER": {"resources": V}}}),
        (
            "PUT",
            "/allocations/NEW",
            {**CLAIM, "allocations": {"PROVIDER": {"resources": {"VCPU": V}}}},
        ),
        ("POST", "/allocations", {"NEW": V}),
        ("POST", "/resource_providers", {"name": "q", "parent_provider_uuid": V}),
        ("PUT", "/resource_providers/PROVIDER", {"name": "q", "parent_provider_uuid": V}),
    ),
    "compute": (
        *(("POST", "/servers/SERVER/action", {name: V}) for name in SERVER_ACTIONS),
        *(
            ("POST", "/servers/SERVER/action", {name: {key: V}})
            for name, key in (
                ("reboot", "type"),
                ("rebuild", "imageRef"),
                ("rebuild", "name"),
                ("rebuild", "metadata"),
                ("os-resetState", "state"),
                ("lock", "locked_reason"),
                ("addSecurityGroup", "name"),
                ("rebuild", "user_data"),
                ("rebuild", "key_name"),
                ("rebuild", "description"),
            )
        ),
        *(
            (
                "POST",
                "/servers",
                {"server": {**SERVER, "block_device_mapping_v2": [{**DEVICE, name: V}]}},
            )
            for name in (
                *DEVICE,
                "volume_size",
                "delete_on_termination",
                "device_name",
                "disk_bus",
                "device_type",
                "tag",
                "volume_type",
                "guest_format",
            )
        ),
        *(
            ("POST", "/servers", {"server": {**SERVER, "networks": [{name: V}]}})
            for name in ("uuid", "port", "fixed_ip", "tag")
        ),
        ("POST", "/servers", {"server": {**SERVER, "block_device_mapping_v2": V}}),
        ("POST", "/servers", {"server": {**SERVER, "block_device_mapping_v2": [V]}}),
        ("POST", "/servers", {"server": {**SERVER, "security_groups": V}}),
        ("POST", "/servers", {"server": {**SERVER, "security_groups": [{"name": V}]}}),
        ("POST", "/servers", {"server": {**SERVER, "metadata": {"a": V}}}),
        ("POST", "/servers/SERVER/metadata", {"metadata": V}),
        ("POST", "/servers/SERVER/metadata", {"metadata": {"a": V}}),
        *(
            (
                "POST",
                "/servers/SERVER/os-volume_attachments",
                {"volumeAttachment": {"volumeId": "SPARE", name: V}},
            )
            for name in ("volumeId", "device", "tag", "delete_on_termination", "x")
        ),
        (
            "PUT",
            "/servers/SERVER/os-volume_attachments/VOLUME",
            {"volumeAttachment": {"volumeId": V}},
        ),
        ("POST", "/servers/SERVER/os-interface", {"interfaceAttachment": V}),
        *(
            ("POST", "/servers/SERVER/os-interface", {"interfaceAttachment": {name: V}})
            for name in ("port_id", "net_id", "fixed_ips", "tag")
        ),
        ("POST", "/flavors/FLAVOR/os-extra_specs", {"extra_specs": V}),
        ("POST", "/flavors/FLAVOR/os-extra_specs", {"extra_specs": {"a": V}}),
        ("POST", "/flavors/FLAVOR/os-extra_specs", {"extra_specs": {"resources:VCPU": V}}),
        ("POST", "/flavors/PRIVATE/action", {"addTenantAccess": {"tenant": V}}),
    ),
}


def filled(body, value):
    """Return a body with a value in its place."""
    return json.loads(json.dumps(body).replace(json.dumps(V), json.dumps(value)))


@pytest.fixture(scope="module")
def cloud():
    return Filled("none")


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("service", ASKED)
def test_values_are_taken_as_recorded(cloud, request, service, part):
    cloud.restore()
    found = {}
    for method, path, body in ASKED[service][part::4]:
        for value in VALUES:
            status, text = cloud.ask(service, method, path, filled(body, value))
            # Those that are alike are told of together.
            said = found.setdefault(f"{method} {path} {body}", {}).setdefault(text, [])
            said.append(repr(value))
            if status < 300:
                cloud.restore()
    recorded.check(request, RECORD, f"{service} {part}", found)
