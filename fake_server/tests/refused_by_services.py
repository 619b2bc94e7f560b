"""Requests with mistakes, most of which the services around Bare Metal refuse.

They are about the cloud of ``filled_cloud``.

Each row is a version, what is made first, and the request: a method, a path, a body.
"""

from __future__ import annotations

from typing import Any

Row = tuple[str | None, tuple[tuple[Any, ...], ...], tuple[Any, ...]]

_ABSENT = "00000000-0000-4000-8000-00000000dead"


def _rows(
    *requests: tuple[Any, ...], version: str | None = None, first: Any = ()
) -> tuple[Row, ...]:
    return tuple((version, first, request) for request in requests)


def _posts(path: str, key: str | None, *bodies: Any, **options: Any) -> tuple[Row, ...]:
    return _rows(*(("POST", path, {key: body} if key else body) for body in bodies), **options)


def _gets(*paths: str, **options: Any) -> tuple[Row, ...]:
    return _rows(*(("GET", path) for path in paths), **options)


_NET: dict[str, Any] = {"network_id": "NETWORK"}
_PORT_2 = ("SECOND", "network", "/ports", {"port": _NET}, "port")
_TRUNK = ("TRUNK", "network", "/trunks", {"trunk": {"port_id": "PORT"}}, "trunk")
_DISABLED = (
    "TRUNK",
    "network",
    "/trunks",
    {"trunk": {"port_id": "PORT", "admin_state_up": False}},
    "trunk",
)


def _sub(port: str = "SECOND", **fields: Any) -> dict[str, Any]:
    return {"port_id": port, "segmentation_type": "vlan", "segmentation_id": 5, **fields}


_WITH_SUB = (
    "TRUNK",
    "network",
    "/trunks",
    {"trunk": {"port_id": "PORT", "sub_ports": [_sub()]}},
    "trunk",
)
_SUBNET = {"network_id": "NETWORK", "ip_version": 4}
_RULE = {"security_group_id": "GROUP", "direction": "ingress"}

NETWORK = (
    *_gets(
        *("/networks/x", f"/networks/{_ABSENT}", "/subnets/x", "/ports/x", "/trunks/x", "/moon"),
        *("/security-groups/x", "/security-group-rules/x", "/networks?sort_key=moon"),
        *("/networks?sort_dir=up&sort_key=name", "/networks?limit=x", "/ports?marker=x&limit=1"),
        *("/quotas/x/moon", "/agents/x", "/networks?fields=moon"),
    ),
    *_posts(
        "/networks",
        "network",
        *({"moon": 1}, {"name": 5}, {"name": "x" * 256}, {"admin_state_up": "x"}, {"mtu": "x"}, 5),
        *({"mtu": 1}, {"tenant_id": "a", "project_id": "b"}, {"id": "x"}, {"status": "ACTIVE"}),
        *(
            {f"provider:{name}": value for name, value in fields.items()}
            for fields in (
                {"segmentation_id": 5},
                {"network_type": "moon"},
                {"network_type": "flat"},
                {"network_type": "flat", "physical_network": "p", "segmentation_id": 5},
                {"network_type": "local", "segmentation_id": 5},
                {"network_type": "local", "physical_network": "p"},
                {"network_type": "vxlan", "physical_network": "p"},
                {"network_type": "vlan", "segmentation_id": 5},
                {"network_type": "vlan", "physical_network": "p", "segmentation_id": 5000},
                {"network_type": "vlan", "physical_network": "p", "segmentation_id": "x"},
            )
        ),
        {"segments": [{"provider:network_type": "flat"}]},
        {"segments": [{"moon": 1}]},
        {"segments": [], "provider:network_type": "flat"},
    ),
    *_rows(
        ("POST", "/networks", {}), ("POST", "/networks", []), ("POST", "/networks", {"moon": {}})
    ),
    *_rows(("DELETE", "/networks/NETWORK"), ("DELETE", "/networks/x"), ("DELETE", "/subnets/x")),
    *_rows(("PUT", "/networks/NETWORK", {"network": {"id": "x"}}), ("PUT", "/networks/x", {})),
    *_rows(("PUT", "/networks/NETWORK", {"network": {"provider:network_type": "moon"}})),
    *_posts(
        "/subnets",
        "subnet",
        *({}, {"network_id": "x"}, _SUBNET, {**_SUBNET, "cidr": "x"}, {**_SUBNET, "ip_version": 5}),
        *({**_SUBNET, "cidr": "10.2.0.0/24"}, {**_SUBNET, "cidr": "2001:db8::/64"}),
        {**_SUBNET, "cidr": "10.9.0.0/24", "gateway_ip": "10.8.0.1"},
        {**_SUBNET, "cidr": "10.9.0.0/24", "gateway_ip": "x"},
        {
            **_SUBNET,
            "cidr": "10.9.0.0/24",
            "allocation_pools": [{"start": "10.9.0.9", "end": "10.9.0.2"}],
        },
        {
            **_SUBNET,
            "cidr": "10.9.0.0/24",
            "allocation_pools": [{"start": "10.8.0.1", "end": "10.8.0.2"}],
        },
        {**_SUBNET, "cidr": "10.9.0.0/24", "allocation_pools": "x"},
        {**_SUBNET, "cidr": "10.9.0.0/24", "segment_id": _ABSENT},
        {**_SUBNET, "cidr": "10.9.0.0/24", "dns_nameservers": ["x y"]},
        {**_SUBNET, "cidr": "10.9.0.0/24", "host_routes": [{"destination": "x", "nexthop": "y"}]},
    ),
    *_rows(("PUT", "/subnets/SUBNET", {"subnet": {"cidr": "10.9.0.0/24"}})),
    *_rows(("PUT", "/subnets/SUBNET", {"subnet": {"gateway_ip": "10.8.0.1"}})),
    *_posts(
        "/ports",
        "port",
        *({}, {"network_id": "x"}, {"network_id": _ABSENT}, {**_NET, "moon": 1}),
        *({**_NET, "mac_address": "x"}, {**_NET, "fixed_ips": [{"ip_address": "x"}]}),
        {**_NET, "fixed_ips": [{"ip_address": "10.8.0.1"}]},
        {**_NET, "fixed_ips": [{"subnet_id": "SUBNET", "ip_address": "10.8.0.1"}]},
        {**_NET, "fixed_ips": [{"subnet_id": _ABSENT}]},
        {**_NET, "fixed_ips": [{"ip_address": "10.2.0.2"}]},
        {**_NET, "fixed_ips": "x"},
        {**_NET, "security_groups": [_ABSENT]},
        {**_NET, "security_groups": ["GROUP"], "port_security_enabled": False},
        {**_NET, "binding:vnic_type": "moon"},
        {**_NET, "admin_state_up": None},
        {**_NET, "device_id": 5},
        {**_NET, "allowed_address_pairs": [{"ip_address": "x"}]},
        {**_NET, "extra_dhcp_opts": [{"opt_name": "x"}]},
    ),
    *_rows(
        ("PUT", "/ports/PORT", {"port": {"network_id": "x"}}), ("PUT", "/ports/x", {"port": {}})
    ),
    *_rows(("PUT", "/ports/PORT", {"port": {"mac_address": "x"}})),
    *_posts(
        "/security-groups",
        "security_group",
        *({"name": "default"}, {"moon": 1}, {"name": "x" * 256}, {"name": 5}, {"stateful": "x"}),
    ),
    *_rows(
        ("DELETE", "/security-groups/x"),
        ("PUT", "/security-groups/GROUP", {"security_group": {"id": "x"}}),
    ),
    *_posts(
        "/security-group-rules",
        "security_group_rule",
        *({}, {"security_group_id": "GROUP"}, {**_RULE, "direction": "moon"}, _RULE),
        *(
            {**_RULE, "ethertype": "moon"},
            {**_RULE, "protocol": "moon"},
            {**_RULE, "protocol": 300},
        ),
        *({**_RULE, "port_range_min": 5}, {**_RULE, "protocol": "tcp", "port_range_min": 5}),
        {**_RULE, "protocol": "tcp", "port_range_min": 6, "port_range_max": 5},
        {**_RULE, "protocol": "tcp", "port_range_min": 0, "port_range_max": 70000},
        {**_RULE, "protocol": "icmp", "port_range_min": 300, "port_range_max": 0},
        {**_RULE, "protocol": "icmp", "port_range_max": 1},
        {**_RULE, "protocol": "icmpv6"},
        {**_RULE, "remote_ip_prefix": "x"},
        {**_RULE, "remote_ip_prefix": "2001:db8::/64"},
        {**_RULE, "remote_ip_prefix": "10.0.0.0/8", "remote_group_id": "GROUP"},
        {**_RULE, "remote_group_id": _ABSENT},
        {**_RULE, "remote_address_group_id": _ABSENT},
        {**_RULE, "security_group_id": _ABSENT},
    ),
    *_posts(
        "/security-group-rules",
        "security_group_rules",
        [{**_RULE, "protocol": "tcp"}, {**_RULE, "protocol": "tcp"}],
        [{**_RULE, "protocol": "tcp"}, {**_RULE, "protocol": "udp", "security_group_id": _ABSENT}],
        [
            {**_RULE, "protocol": "tcp", "tenant_id": "a"},
            {**_RULE, "protocol": "udp", "tenant_id": "b"},
        ],
    ),
    *_posts(
        "/trunks",
        "trunk",
        *(
            {},
            {"port_id": "x"},
            {"port_id": _ABSENT},
            {"port_id": "PORT", "sub_ports": [_sub("PORT")]},
        ),
        *({"port_id": "PORT", "sub_ports": [_sub(segmentation_id=None)]},),
        *({"port_id": "PORT", "sub_ports": [_sub(segmentation_type="moon")]},),
        *({"port_id": "PORT", "sub_ports": [_sub(segmentation_id="x")]},),
        *({"port_id": "PORT", "sub_ports": [_sub(segmentation_id=5000)]},),
        *({"port_id": "PORT", "sub_ports": [_sub(_ABSENT)]},),
        *({"port_id": "PORT", "sub_ports": [{"port_id": "SECOND"}]},),
        first=(_PORT_2,),
    ),
    *_posts(
        "/trunks", "trunk", {"port_id": "PORT"}, {"port_id": "SECOND"}, first=(_PORT_2, _WITH_SUB)
    ),
    *_rows(
        ("DELETE", "/ports/PORT"),
        ("DELETE", "/ports/SECOND"),
        ("PUT", "/trunks/TRUNK/add_subports", {"sub_ports": [_sub("THIRD")]}),
        ("PUT", "/trunks/TRUNK/add_subports", {"sub_ports": [_sub()]}),
        ("PUT", "/trunks/TRUNK/remove_subports", {"sub_ports": [{"port_id": "THIRD"}]}),
        first=(_PORT_2, ("THIRD", *_PORT_2[1:]), _WITH_SUB),
    ),
    *_rows(
        ("DELETE", "/trunks/TRUNK"),
        ("PUT", "/trunks/TRUNK/add_subports", {"sub_ports": [_sub()]}),
        ("PUT", "/trunks/TRUNK/remove_subports", {"sub_ports": [{"port_id": "SECOND"}]}),
        first=(_PORT_2, _DISABLED),
    ),
    *_rows(("PUT", "/trunks/TRUNK", {"trunk": {"port_id": "x"}}), first=(_TRUNK,)),
    *_rows(("PUT", "/quotas/x", {}), ("PUT", "/quotas/x", {"quota": {"moon": 1}})),
    *_rows(("PUT", "/quotas/x", {"quota": {"network": "x"}}), ("DELETE", "/quotas/x")),
    *_posts(
        "/segments",
        "segment",
        {},
        {**_NET, "network_type": "moon"},
        {**_NET, "network_type": "flat"},
    ),
)

_MICRO = "3.70"
VOLUME = (
    *_gets(
        *("/volumes/x", "/attachments/x", "/types/x", "/types/TYPE/extra_specs/x", "/moon"),
        *(
            "/volumes?limit=x",
            "/volumes?sort=moon",
            "/volumes?marker=x",
            "/volumes/VOLUME/metadata/x",
        ),
        version=_MICRO,
    ),
    *_posts(
        "/volumes",
        "volume",
        *({}, {"size": 0}, {"size": "x"}, {"size": -1}, {"size": 1, "name": "x" * 256}),
        *({"size": 1, "volume_type": "moon"}, {"size": 1, "source_volid": _ABSENT}),
        *({"size": 1, "imageRef": _ABSENT}, {"size": 1, "snapshot_id": _ABSENT}),
        *(
            {"size": 1, "metadata": {"a": 5}},
            {"size": 1, "multiattach": True},
            {"size": 1, "moon": 1},
        ),
        version=_MICRO,
    ),
    *_rows(("POST", "/volumes", {}), ("POST", "/volumes", {"moon": 1}), version=_MICRO),
    *_rows(("PUT", "/volumes/VOLUME", {}), ("PUT", "/volumes/x", {"volume": {"name": "x"}})),
    *_rows(("DELETE", "/volumes/VOLUME"), ("DELETE", "/volumes/x"), version=_MICRO),
    *_posts(
        "/volumes/SPARE/action",
        None,
        *({}, {"moon": {}}, {"os-extend": {"new_size": 1}}, {"os-extend": {"new_size": "x"}}),
        *({"os-attach": {}}, {"os-attach": {"instance_uuid": "x", "mountpoint": "/dev/sda"}}),
        *({"os-attach": {"instance_uuid": _ABSENT, "mountpoint": "/dev/sda", "mode": "x"}},),
        *({"os-detach": {}}, {"os-detach": {"attachment_id": _ABSENT}}, {"os-begin_detaching": {}}),
        *({"os-unreserve": {}}, {"os-initialize_connection": {}}, {"os-terminate_connection": {}}),
        *({"os-initialize_connection": {"connector": {}}}, {"os-roll_detaching": {}}),
        *({"os-reset_status": {"status": "moon"}}, {"os-set_bootable": {}}, {"os-retype": {}}),
        *({"os-set_bootable": {"bootable": "x"}}, {"os-update_readonly_flag": {"readonly": "x"}}),
        version=_MICRO,
    ),
    *_posts(
        "/volumes/VOLUME/action",
        None,
        *({"os-reserve": {}}, {"os-attach": {"instance_uuid": _ABSENT, "mountpoint": "/dev/sda"}}),
        *({"os-extend": {"new_size": 1}}, {"os-detach": {"attachment_id": _ABSENT}}),
        version=_MICRO,
    ),
    *_posts(
        "/attachments",
        "attachment",
        *({}, {"volume_uuid": _ABSENT}, {"volume_uuid": "VOLUME"}, {"volume_uuid": "x"}),
        *({"volume_uuid": "SPARE", "instance_uuid": "x"}, {"volume_uuid": "SPARE", "mode": "moon"}),
        *(
            {"volume_uuid": "SPARE", "connector": 5},
            {"volume_uuid": "SPARE", "connector": {"x": 1}},
        ),
        version=_MICRO,
    ),
    *_posts("/attachments", "attachment", {"volume_uuid": "SPARE", "mode": "ro"}, version="3.53"),
    *_posts("/attachments", "attachment", {"volume_uuid": "SPARE"}, version="3.26"),
    *_rows(
        ("PUT", "/attachments/HELD", {}),
        ("PUT", "/attachments/HELD", {"attachment": {"connector": 5}}),
        ("PUT", "/attachments/HELD", {"attachment": {"connector": {}}}),
        ("POST", "/attachments/HELD/action", {"os-moon": {}}),
        ("POST", "/attachments/HELD/action", {"os-complete": {}}),
        ("POST", "/attachments/x/action", {"os-complete": {}}),
        version=_MICRO,
        first=(
            (
                "HELD",
                "volume",
                "/attachments",
                {"attachment": {"volume_uuid": "SPARE", "instance_uuid": _ABSENT}},
                "attachment",
            ),
        ),
    ),
    *_rows(("DELETE", "/attachments/x"), version=_MICRO),
    *_posts("/types", "volume_type", {}, {"name": "fast"}, {"name": ""}, {"name": "x" * 256}),
    *_rows(("PUT", "/types/TYPE", {"volume_type": {}}), ("DELETE", "/types/x")),
    *_rows(("DELETE", "/types/TYPE/extra_specs/x"), ("POST", "/types/TYPE/extra_specs", {})),
    *_rows(("PUT", "/types/TYPE/extra_specs/x", {"y": "z"})),
)

_SERVER: dict[str, Any] = {
    "name": "t",
    "flavorRef": "FLAVOR",
    "imageRef": "IMAGE",
    "networks": "none",
}


def _booting(*mappings: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**_SERVER, "block_device_mapping_v2": list(mappings), **fields}


COMPUTE = (
    *_gets(
        *("/servers/x", "/servers/detail?moon=1", "/servers?limit=x", "/servers?marker=x"),
        *(
            "/servers?sort_key=moon",
            "/servers?status=moon",
            "/servers?changes-since=x",
            "/flavors/x",
        ),
        *(
            "/flavors?minRam=x",
            "/flavors/FLAVOR/os-extra_specs/x",
            "/flavors/FLAVOR/os-flavor-access",
        ),
        *("/os-keypairs/x", "/os-hypervisors/x", "/servers/SERVER/os-interface/x", "/moon"),
        *(
            "/servers/SERVER/os-volume_attachments/x",
            "/servers/SERVER/metadata/x",
            "/flavors?limit=x",
        ),
    ),
    *_posts(
        "/servers",
        "server",
        *({}, {**_SERVER, "name": ""}, {**_SERVER, "name": "x" * 256}, {**_SERVER, "moon": 1}),
        *(
            {**_SERVER, "flavorRef": "x"},
            {**_SERVER, "imageRef": _ABSENT},
            {**_SERVER, "imageRef": "x"},
        ),
        *(
            {**_SERVER, "networks": "moon"},
            {**_SERVER, "networks": [{}]},
            {**_SERVER, "key_name": "x"},
        ),
        *(
            {**_SERVER, "networks": [{"uuid": _ABSENT}]},
            {**_SERVER, "networks": [{"port": _ABSENT}]},
        ),
        *({**_SERVER, "networks": [{"uuid": "x"}]}, {**_SERVER, "metadata": {"a": 5}}),
        *({**_SERVER, "min_count": 2, "max_count": 1}, {**_SERVER, "min_count": 0}),
        {**_SERVER, "min_count": 2, "networks": [{"port": "PORT"}]},
        *({**_SERVER, "user_data": "?"}, {**_SERVER, "security_groups": [{"name": "moon"}]}),
        *(
            {**_SERVER, "availability_zone": "moon"},
            {**_SERVER, "host": "moon"},
            {**_SERVER, "imageRef": ""},
        ),
        *(
            {**_SERVER, "personality": []},
            {**_SERVER, "tags": ["a,b"]},
            {**_SERVER, "hostname": "-"},
        ),
        _booting({"boot_index": 1, "uuid": "SPARE", "source_type": "volume"}, imageRef=""),
        _booting({"boot_index": 0, "source_type": "volume"}),
        _booting({"boot_index": 0, "uuid": "SPARE"}),
        _booting({"boot_index": 0, "uuid": "SPARE", "source_type": "moon"}),
        _booting({"boot_index": 1, "uuid": "SPARE", "source_type": "blank"}),
        _booting({"boot_index": 1, "source_type": "blank", "destination_type": "volume"}),
        _booting({"boot_index": 1, "uuid": "IMAGE", "source_type": "image"}),
        _booting(
            {
                "boot_index": 0,
                "uuid": "IMAGE",
                "source_type": "image",
                "destination_type": "volume",
            },
            imageRef="",
        ),
        _booting({"boot_index": 1, "uuid": "SPARE", "source_type": "snapshot"}),
        _booting(
            {"boot_index": 1, "uuid": "SPARE", "source_type": "volume", "destination_type": "local"}
        ),
        _booting(
            {"boot_index": 1, "uuid": "SPARE", "source_type": "volume", "volume_type": "fast"}
        ),
        _booting(
            {
                "boot_index": 1,
                "source_type": "blank",
                "destination_type": "local",
                "volume_type": "fast",
            }
        ),
        _booting(
            *({"boot_index": index, "uuid": "SPARE", "source_type": "volume"} for index in (1, 2))
        ),
        _booting({"boot_index": 3, "uuid": "SPARE", "source_type": "volume"}),
        _booting({"boot_index": 1, "uuid": _ABSENT, "source_type": "volume"}),
        _booting({"boot_index": 1, "uuid": "VOLUME", "source_type": "volume"}),
        _booting(
            {"boot_index": 1, "uuid": "SPARE", "source_type": "volume"},
            block_device_mapping=[{"volume_id": "SPARE"}],
        ),
        {**_SERVER, "block_device_mapping": [{"device_name": "vda"}]},
    ),
    *_rows(
        ("PUT", "/servers/SERVER", {"server": {}}),
        ("PUT", "/servers/SERVER", {"server": {"name": ""}}),
    ),
    *_rows(("PUT", "/servers/x", {"server": {"name": "y"}}), ("DELETE", "/servers/x")),
    *_posts(
        "/servers/SERVER/action",
        None,
        *({}, {"moon": None}, {"os-start": None}, {"reboot": {"type": "moon"}}, {"reboot": {}}),
        *({"rebuild": {}}, {"rebuild": {"imageRef": _ABSENT}}, {"unrescue": None}, {"unlock": 5}),
        *({"os-resetState": {"state": "moon"}}, {"unpause": None}, {"confirmResize": None}),
        *({"resize": {"flavorRef": "x"}}, {"unshelve": None}, {"os-stop": None, "os-start": None}),
    ),
    *_posts(
        "/servers/SERVER/os-interface",
        "interfaceAttachment",
        *({"net_id": "NETWORK", "port_id": "PORT"}, {"fixed_ips": [{"ip_address": "10.2.0.9"}]}),
        *({"net_id": _ABSENT}, {"port_id": _ABSENT}, {"port_id": "x"}, {"moon": 1}),
    ),
    *_rows(("DELETE", "/servers/SERVER/os-interface/x")),
    *_posts(
        "/servers/SERVER/os-volume_attachments",
        "volumeAttachment",
        *(
            {},
            {"volumeId": "x"},
            {"volumeId": _ABSENT},
            {"volumeId": "VOLUME"},
            {"volumeId": "SPARE", "moon": 1},
        ),
        {"volumeId": "SPARE", "device": "x y"},
    ),
    *_rows(("DELETE", "/servers/SERVER/os-volume_attachments/SPARE")),
    *_rows(
        (
            "PUT",
            "/servers/SERVER/os-volume_attachments/SPARE",
            {"volumeAttachment": {"volumeId": "VOLUME"}},
        )
    ),
    *_posts(
        "/servers/SERVER/metadata", None, {}, {"metadata": {"a": 5}}, {"metadata": {"x" * 256: "y"}}
    ),
    *_rows(
        ("PUT", "/servers/SERVER/metadata/x", {"meta": {"y": "z"}}),
        ("DELETE", "/servers/SERVER/metadata/x"),
    ),
    *_posts(
        "/flavors",
        "flavor",
        *(
            {},
            {"name": "f"},
            {"name": "f", "ram": 0, "vcpus": 1, "disk": 1},
            {"name": "gold", "ram": 1, "vcpus": 1, "disk": 1},
        ),
        *({"name": "f", "ram": 1, "vcpus": 1, "disk": 1, "id": "flavor-public"},),
        *({"name": "f", "ram": 1, "vcpus": "x", "disk": 1},),
    ),
    *_rows(("PUT", "/flavors/FLAVOR", {"flavor": {}}), ("DELETE", "/flavors/x")),
    *_posts("/flavors/FLAVOR/action", None, {}, {"addTenantAccess": {"tenant": "x"}}),
    *_posts(
        "/flavors/PRIVATE/action",
        None,
        {"removeTenantAccess": {"tenant": "x"}},
        {"addTenantAccess": {}},
    ),
    *_posts(
        "/flavors/FLAVOR/os-extra_specs",
        "extra_specs",
        *({"trait:CUSTOM_A": "moon"}, {"resources:CUSTOM_A": "x"}, {"a": 5}, {"a b?": "c"}),
    ),
    *_rows(
        ("PUT", "/flavors/FLAVOR/os-extra_specs/a", {"b": "c"}),
        ("DELETE", "/flavors/FLAVOR/os-extra_specs/a"),
    ),
    *_posts(
        "/os-keypairs",
        "keypair",
        {},
        {"name": "k", "public_key": "ssh-rsa AAAA x"},
        {"name": "l"},
        {"name": ""},
    ),
    *_rows(("DELETE", "/os-keypairs/x"), ("GET", "/servers", None)),
    *_gets("/servers", version="2.999"),
    *_gets("/servers", version="x"),
)

_LATEST = "1.39"
_PROVIDER = "/resource_providers/PROVIDER"
_OWNER = {
    "project_id": "p",
    "user_id": "u",
    "consumer_generation": None,
    "consumer_type": "INSTANCE",
}


def _claim(provider: str = "PROVIDER", **resources: Any) -> dict[str, Any]:
    return {"allocations": {provider: {"resources": resources}}, **_OWNER}


def _stock(**inventory: Any) -> dict[str, Any]:
    return {"resource_provider_generation": 3, "inventories": {"VCPU": inventory}}


PLACEMENT = (
    *_gets(
        *("/resource_providers/x", f"/resource_providers/{_ABSENT}", "/resource_providers?moon=1"),
        *(f"/resource_providers/{_ABSENT}/{part}" for part in ("inventories", "usages", "traits")),
        *(f"/resource_providers/{_ABSENT}/{part}" for part in ("aggregates", "allocations")),
        *(f"{_PROVIDER}/inventories/DISK_GB", f"{_PROVIDER}/inventories/moon", "/traits/CUSTOM_X"),
        *(
            "/traits?name=x",
            "/traits?name=is:x",
            "/traits?associated=x",
            "/resource_classes/CUSTOM_X",
        ),
        *("/resource_providers?resources=x", "/resource_providers?resources=VCPU:0"),
        *("/resource_providers?resources=VCPU:x", "/resource_providers?resources=MOON:1"),
        *(
            "/resource_providers?required=MOON",
            "/resource_providers?required=A,!A",
            "/resource_providers?uuid=x",
        ),
        *(
            "/resource_providers?member_of=x",
            "/resource_providers?member_of=in:",
            "/resource_providers?in_tree=x",
        ),
        *(
            "/allocation_candidates",
            "/allocation_candidates?resources=",
            "/allocation_candidates?required=HW_CPU_X86_AVX",
        ),
        *("/allocation_candidates?resources1=VCPU:1&resources2=VCPU:1",),
        *("/allocation_candidates?resources1=VCPU:1&resources2=VCPU:1&group_policy=moon",),
        *("/allocation_candidates?resources1=VCPU:1&required2=HW_CPU_X86_AVX&group_policy=none",),
        *("/allocation_candidates?resources=VCPU:1&required2=HW_CPU_X86_AVX",),
        *(
            "/allocation_candidates?resources=VCPU:1&limit=0",
            "/allocation_candidates?resources=VCPU:1&limit=x",
        ),
        *("/allocation_candidates?resources=VCPU:1&required=HW_CPU_X86_AVX,!HW_CPU_X86_AVX",),
        *(
            "/allocation_candidates?resources=VCPU:1&in_tree=x",
            "/allocation_candidates?resources=VCPU:1&same_subtree=_x",
        ),
        *(
            "/allocation_candidates?resources=VCPU:1&root_required=MOON",
            "/usages",
            "/usages?user_id=u",
            "/moon",
        ),
        version=_LATEST,
    ),
    *_gets(f"/resource_providers?member_of=in:{_ABSENT}&member_of={_ABSENT}", version="1.3"),
    *_posts(
        "/resource_providers",
        None,
        *(
            {},
            {"name": "p"},
            {"name": ""},
            {"name": "x" * 201},
            {"name": "q", "uuid": "x"},
            {"name": "q", "moon": 1},
        ),
        *({"name": "q", "uuid": "PROVIDER"}, {"name": "q", "parent_provider_uuid": _ABSENT}),
        version=_LATEST,
    ),
    *_rows(
        ("PUT", _PROVIDER, {}),
        ("PUT", _PROVIDER, {"name": "p", "parent_provider_uuid": _ABSENT}),
        ("PUT", _PROVIDER, {"name": "p", "parent_provider_uuid": "PROVIDER"}),
        ("PUT", _PROVIDER, {"name": "p", "parent_provider_uuid": "x"}),
        ("DELETE", _PROVIDER),
        ("DELETE", f"/resource_providers/{_ABSENT}"),
        ("PUT", f"{_PROVIDER}/inventories", {}),
        (
            "PUT",
            f"{_PROVIDER}/inventories",
            {"resource_provider_generation": 99, "inventories": {}},
        ),
        ("PUT", f"{_PROVIDER}/inventories", {"resource_provider_generation": 3, "inventories": {}}),
        (
            "PUT",
            f"{_PROVIDER}/inventories",
            {"resource_provider_generation": 3, "inventories": {"CUSTOM_X": {"total": 1}}},
        ),
        ("PUT", f"{_PROVIDER}/inventories", _stock(total=0)),
        ("PUT", f"{_PROVIDER}/inventories", _stock(total=1, reserved=2)),
        ("PUT", f"{_PROVIDER}/inventories", _stock(total=2**40)),
        ("PUT", f"{_PROVIDER}/inventories", _stock(total=1, step_size=0)),
        ("PUT", f"{_PROVIDER}/inventories/VCPU", {"resource_provider_generation": 99, "total": 8}),
        (
            "PUT",
            f"{_PROVIDER}/inventories/VCPU",
            {"resource_provider_generation": 3, "total": 8, "reserved": 9},
        ),
        (
            "PUT",
            f"{_PROVIDER}/inventories/DISK_GB",
            {"resource_provider_generation": 3, "total": 8},
        ),
        (
            "PUT",
            f"{_PROVIDER}/inventories/CUSTOM_X",
            {"resource_provider_generation": 3, "total": 8},
        ),
        ("POST", f"{_PROVIDER}/inventories", {"resource_class": "VCPU", "total": 1}),
        ("POST", f"{_PROVIDER}/inventories", {"resource_class": "CUSTOM_X", "total": 1}),
        ("POST", f"{_PROVIDER}/inventories", {"total": 1}),
        ("DELETE", f"{_PROVIDER}/inventories/VCPU"),
        ("DELETE", f"{_PROVIDER}/inventories/DISK_GB"),
        ("DELETE", f"{_PROVIDER}/inventories/CUSTOM_X"),
        ("DELETE", f"{_PROVIDER}/inventories"),
        ("PUT", f"{_PROVIDER}/traits", {"resource_provider_generation": 99, "traits": []}),
        ("PUT", f"{_PROVIDER}/traits", {"resource_provider_generation": 3, "traits": ["CUSTOM_X"]}),
        ("PUT", f"{_PROVIDER}/traits", {}),
        ("PUT", f"{_PROVIDER}/aggregates", {"resource_provider_generation": 99, "aggregates": []}),
        (
            "PUT",
            f"{_PROVIDER}/aggregates",
            {"resource_provider_generation": 3, "aggregates": ["x"]},
        ),
        ("PUT", "/traits/x", None),
        ("DELETE", "/traits/HW_CPU_X86_AVX", None),
        ("DELETE", "/traits/CUSTOM_X", None),
        ("PUT", "/resource_classes/x", None),
        ("POST", "/resource_classes", {"name": "VCPU"}),
        ("POST", "/resource_classes", {"name": "x"}),
        ("DELETE", "/resource_classes/VCPU", None),
        ("DELETE", "/resource_classes/CUSTOM_X", None),
        ("PUT", "/allocations/x", _claim(VCPU=1)),
        ("PUT", "/allocations/NEW", {}),
        ("PUT", "/allocations/NEW", _claim(_ABSENT, VCPU=1)),
        ("PUT", "/allocations/NEW", _claim(MOON=1)),
        ("PUT", "/allocations/NEW", _claim(DISK_GB=1)),
        ("PUT", "/allocations/NEW", _claim(VCPU=99)),
        ("PUT", "/allocations/NEW", _claim(VCPU=0)),
        ("PUT", "/allocations/NEW", {**_claim(VCPU=1), "consumer_generation": 9}),
        ("PUT", "/allocations/CONSUMER", _claim(VCPU=1)),
        ("DELETE", "/allocations/NEW", None),
        ("POST", "/allocations", {"NEW": {}}),
        ("POST", "/reshaper", {}),
        version=_LATEST,
    ),
    *_gets("/resource_providers", version="1.99"),
    *_gets("/traits", version="1.5"),
    *_gets("/allocation_candidates?resources=VCPU:1", version="1.9"),
)

IMAGE = (
    *_gets(
        "/images/x",
        "/images/IMAGE/file",
        "/images?limit=x",
        "/images?sort_key=moon",
        "/images?marker=x",
        "/moon",
    ),
    *_posts(
        "/images",
        None,
        {"id": "x"},
        {"id": "IMAGE"},
        {"name": 5},
        {"visibility": "moon"},
        {"container_format": "moon"},
        {"min_disk": -1},
        {"status": "active"},
        5,
    ),
    *_rows(
        ("PUT", "/images/IMAGE/file", {}), ("DELETE", "/images/x"), ("PATCH", "/images/IMAGE", [])
    ),
    *_rows(("PATCH", "/images/IMAGE", [{"op": "replace", "path": "/id", "value": "x"}])),
)

_PASSWORD = {"name": "admin", "domain": {"id": "default"}, "password": "secret"}


def _auth(scope: Any = None, methods: Any = ("password",), **identity: Any) -> tuple[Any, ...]:
    auth: dict[str, Any] = {"identity": {"methods": methods, **identity}}
    return ("POST", "/auth/tokens", {"auth": auth if scope is None else {**auth, "scope": scope}})


def _login(scope: Any = None, **changes: Any) -> tuple[Any, ...]:
    return _auth(scope, password={"user": {**_PASSWORD, **changes}})


IDENTITY = (
    *_rows(
        ("POST", "/auth/tokens", {}),
        ("POST", "/auth/tokens", {"auth": {}}),
        _auth(methods="password"),
        _auth(methods=["moon"]),
        _auth(),
        _auth(password={}),
        _auth(password={"user": {}}),
        _login(password=5),
        _login(password="wrong"),
        _login(name="nobody"),
        _login(domain={"id": "moon"}),
        _login(domain=None),
        _login("x"),
        _login({}),
        _login({"project": {}}),
        _login({"project": 5}),
        _login({"project": {"name": "moon", "domain": {"id": "default"}}}),
        _login({"project": {"id": "moon"}}),
        _login({"project": {"name": "demo"}}),
        _login({"domain": {"id": "moon"}}),
        _login({"system": {}}),
        _login({"system": {"all": False}}),
        _auth(methods=["token"]),
        _auth(methods=["token"], token={"id": 5}),
        _auth(methods=["token"], token={"id": "x"}),
        _auth(methods=["application_credential"]),
        _auth(methods=["application_credential"], application_credential={"id": "x"}),
        _auth(
            methods=["application_credential"], application_credential={"id": "x", "secret": "y"}
        ),
        _auth(
            {"system": {"all": True}},
            methods=["application_credential"],
            application_credential={"id": "x", "secret": "y"},
        ),
        _auth(
            methods=["application_credential"], application_credential={"name": "x", "secret": "y"}
        ),
    ),
    *_gets(
        "/users/x",
        "/projects/x",
        "/roles/x",
        "/domains/x",
        "/moon",
        "/auth/tokens",
        "/services/x",
        "/endpoints/x",
    ),
)

REFUSED = {
    "network": NETWORK,
    "volume": VOLUME,
    "compute": COMPUTE,
    "placement": PLACEMENT,
    "image": IMAGE,
    "identity": IDENTITY,
}
