"""The kinds of resources of the Networking service, a row for each.

What can be done with them is in :mod:`.models`, in a module for each kind.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import NotFound
from fake_server.networking import rule_values, values
from fake_server.networking.errors import Missing
from fake_server.networking.tables import items_table

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from fake_server.networking.values import Convert

    #: Actions, what of an item they are about, ``*`` for the item itself, and who may do them: the
    #: words are those of :mod:`.policies`.
    Policy = tuple[str, str, str]

#: The default of what can't be left out.
REQUIRED: Any = object()
#: The default of what is left to the service.
CHOSEN: Any = None
#: The default of what is chosen by the service, where null stands for none.
UNSET = ""


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of a kind.

    :param convert: checks a value and returns it as it is kept.
    :param default: its value where a client gives none.
    :param create: whether clients can set it when they create something.
    :param update: whether clients can change it.
    :param filters: whether lists can be filtered by it.
    :param sorts: whether lists can be sorted by it.
    """

    convert: Convert = values.anything
    default: Any = CHOSEN
    create: bool = True
    update: bool = True
    filters: bool = True
    sorts: bool = True


@dataclass
class Kind:
    """A kind of resources.

    :param collection: what the API calls several of them, such as ``security_groups``.
    :param attributes: what clients know of one; empty where there is more to it than items.
    :param policies: who may do what: Neutron's default policies.
    :param parent: the kind of what an item is in, whose project has rights to it.
    :param needs: the kind of what clients have to see to create an item.
    :param hidden: what is kept of an item for filters alone.
    :param columns: columns that only its table has.
    """

    collection: str
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    policies: Sequence[Policy] = ()
    parent: str = "networks"
    needs: str | None = None
    hidden: Collection[str] = ()
    columns: Sequence[str] = ()

    def __post_init__(self) -> None:
        #: What the API calls one of them.
        self.singular = self.collection.removesuffix("s")
        #: Where items are kept.
        self.table = items_table(self.collection, *self.columns)

    def policy(self, action: str, part: str = "*") -> str:
        """Return the name of the policy of an action, or of a part of it."""
        if part == "subports":
            return f"{action}_{part}"
        whole = f"{action}_{self.singular}"
        return whole if part == "*" else f"{whole}:{part}"

    def missing(self, ident: Any) -> NotFound:
        """Return the error for what isn't there."""
        one = self.singular
        if one.startswith("security_group"):
            text = f"{one.replace('_', ' ').capitalize()} {ident} does not exist"
            return NotFound(text, f"{one.title().replace('_', '')}NotFound")
        return Missing(one.title(), ident)


_FIXED = Attribute(create=False, update=False)
_NAME = Attribute(values.text(), "")
_SWITCH = Attribute(values.boolean, True)
_OFF = Attribute(values.boolean, False, sorts=False)
_VNIC_TYPES = (
    *("normal", "direct", "macvtap", "baremetal", "direct-physical", "virtio-forwarder"),
    *("smart-nic", "vdpa", "accelerator-direct", "accelerator-direct-physical", "remote-managed"),
)
_NAMESERVERS = values.items_of(
    values.nameserver, "Invalid data format for nameserver: '{}'", "Duplicate nameserver '{}'"
)
_ROUTES = values.items_of(
    values.route, "Invalid data format for hostroute: '{}'", "Duplicate hostroute '{}'"
)
_OPTIONAL_TEXT = values.optional(values.text())
_IPV6_MODES = (None, "dhcpv6-stateful", "dhcpv6-stateless", "slaac")
_UNSORTED = replace(_FIXED, sorts=False)
_UNFILTERED = replace(_FIXED, filters=False, sorts=False)
_SORTED_ONLY = replace(_FIXED, filters=False)

_STANDARD: Mapping[str, Attribute] = {
    "id": _FIXED,
    "tenant_id": Attribute(values.text(), update=False),
    "name": _NAME,
    "description": replace(_NAME, sorts=False),
    "tags": _FIXED,
    "created_at": _UNFILTERED,
    "updated_at": _UNFILTERED,
    "revision_number": _UNSORTED,
}


def _unlisted(convert: Convert = values.anything, default: Any = CHOSEN, **more: Any) -> Attribute:
    """Return an attribute by which lists are neither filtered nor sorted."""
    return Attribute(convert, default, filters=False, sorts=False, **more)


def _standard_without(*names: str) -> dict[str, Attribute]:
    return {name: one for name, one in _STANDARD.items() if name not in names}


_WRITERS = "admin member"
_OF_PORTS = "admin service parent_member"
_PROVIDER = "provider:network_type provider:physical_network provider:segmentation_id"
_SEGMENTS = " ".join(f"segments:{name}" for name in _PROVIDER.split())

_ROWS = (
    Kind(
        "networks",
        {
            **_STANDARD,
            "admin_state_up": _SWITCH,
            "status": _FIXED,
            "subnets": _UNFILTERED,
            "shared": _OFF,
            "router:external": _OFF,
            "provider:network_type": Attribute(_OPTIONAL_TEXT, sorts=False),
            "provider:physical_network": Attribute(_OPTIONAL_TEXT, sorts=False),
            "provider:segmentation_id": Attribute(values.optional_integer, sorts=False),
            "segments": _unlisted(),
            "mtu": Attribute(values.natural, 0),
            "port_security_enabled": _unlisted(values.boolean, True),
            "availability_zone_hints": Attribute(
                values.items_of(values.zone, null=False), (), update=False, filters=False
            ),
            "availability_zones": _UNFILTERED,
            "l2_adjacency": _UNFILTERED,
        },
        (
            ("get", "*", "admin reader service shared external"),
            ("get", "tags", "admin reader shared external"),
            ("get", f"segments {_PROVIDER}", "admin"),
            ("create update delete", "* tags", _WRITERS),
            ("create update", "port_security_enabled", _WRITERS),
            (
                "create update",
                f"shared router:external {_PROVIDER} segments {_SEGMENTS}",
                "admin",
            ),
        ),
    ),
    Kind(
        "subnets",
        {
            **_STANDARD,
            "ip_version": Attribute(values.one_of((4, 6), values.integer), REQUIRED, update=False),
            "network_id": Attribute(values.uuid, REQUIRED, update=False),
            "cidr": Attribute(values.cidr, update=False),
            "subnetpool_id": Attribute(values.optional(values.uuid), update=False),
            "prefixlen": _unlisted(values.integer, update=False),
            "gateway_ip": Attribute(values.optional(values.address), UNSET),
            "allocation_pools": _unlisted(values.pools),
            "dns_nameservers": _unlisted(_NAMESERVERS, ()),
            "host_routes": _unlisted(_ROUTES, ()),
            "enable_dhcp": _SWITCH,
            "ipv6_ra_mode": Attribute(values.one_of(_IPV6_MODES), update=False),
            "ipv6_address_mode": Attribute(values.one_of(_IPV6_MODES), update=False),
            "segment_id": Attribute(values.optional(values.uuid)),
            "router:external": _UNSORTED,
            "shared": _UNSORTED,
        },
        (
            ("get", "*", "admin reader parent_reader service shared external"),
            ("get", "tags", "admin reader parent_reader shared external"),
            ("create", "*", "admin parent_member"),
            ("create", "tags", "admin member parent_member"),
            ("update delete", "* tags", "admin member parent_member"),
            ("create get update", "segment_id", "admin"),
        ),
        hidden=("shared",),
    ),
    Kind(
        "ports",
        {
            **_STANDARD,
            "tags": Attribute(values.tags, (), update=False),
            "network_id": Attribute(values.uuid, REQUIRED, update=False),
            "admin_state_up": _SWITCH,
            "status": _FIXED,
            "mac_address": Attribute(values.mac),
            "fixed_ips": Attribute(values.fixed_ips, sorts=False),
            "device_id": Attribute(values.text(), ""),
            "device_owner": Attribute(values.text(), ""),
            "binding:host_id": Attribute(_OPTIONAL_TEXT, "", sorts=False),
            "binding:profile": _unlisted(values.dictionary, MappingProxyType({})),
            "binding:vnic_type": _unlisted(values.one_of(_VNIC_TYPES), "normal"),
            "binding:vif_type": _UNFILTERED,
            "binding:vif_details": _UNFILTERED,
            "allowed_address_pairs": _unlisted(values.address_pairs, ()),
            "extra_dhcp_opts": _unlisted(values.dhcp_options, ()),
            # By default as its network.
            "port_security_enabled": _unlisted(values.boolean),
            "security_groups": Attribute(values.items_of(values.uuid), sorts=False),
            "ip_allocation": _FIXED,
            "trunk_details": _UNFILTERED,
        },
        (
            ("get", "*", "admin service parent_reader reader"),
            ("get", "tags", "admin parent_reader reader"),
            ("get", "binding:vif_type binding:vif_details binding:profile", "admin service"),
            ("create", "*", f"{_OF_PORTS} shared"),
            ("create", "mac_address", _OF_PORTS),
            ("create", "fixed_ips", f"{_OF_PORTS} shared"),
            ("update", "*", "admin service member"),
            ("update", "mac_address", "admin service parent_manager"),
            ("update", "fixed_ips", _OF_PORTS),
            ("create update", "tags", _WRITERS),
            ("create update", "device_id binding:vnic_type", "admin member service"),
            ("create update", "device_owner", f"no_network_device {_OF_PORTS}"),
            ("create update", "fixed_ips:ip_address port_security_enabled", _OF_PORTS),
            ("create update", "allowed_address_pairs", _OF_PORTS),
            ("create update", "fixed_ips:subnet_id", f"{_OF_PORTS} shared"),
            ("create get update", "binding:host_id", "admin service"),
            ("create update", "binding:profile", "service"),
            ("delete", "*", "admin service no_machine"),
            ("delete", "tags", "admin member parent_member"),
        ),
        needs="networks",
        columns=("mac_address",),
    ),
    Kind(
        "segments",
        {
            **_standard_without("tenant_id", "tags"),
            "name": Attribute(_OPTIONAL_TEXT),
            "network_id": Attribute(values.uuid, REQUIRED, update=False),
            "network_type": Attribute(values.text(), REQUIRED, update=False),
            "physical_network": Attribute(_OPTIONAL_TEXT, update=False),
            "segmentation_id": Attribute(values.optional_integer, update=False, filters=False),
        },
        (("create get update delete", "*", "admin"),),
        hidden=("tags",),
    ),
    Kind(
        "trunks",
        {
            **_STANDARD,
            "port_id": Attribute(values.uuid, REQUIRED, update=False),
            "admin_state_up": _SWITCH,
            "status": _FIXED,
            "sub_ports": _unlisted(values.sub_ports, (), update=False),
        },
        (
            ("get", "* tags subports", "admin reader"),
            ("create update delete", "* tags", _WRITERS),
            ("add remove", "subports", _WRITERS),
        ),
        needs="ports",
    ),
    Kind(
        "agents",
        {
            **dict.fromkeys(("id", "agent_type", "binary", "topic", "host", "alive"), _FIXED),
            **dict.fromkeys(("created_at", "started_at", "heartbeat_timestamp"), _SORTED_ONLY),
            **dict.fromkeys(("configurations", "resources_synced"), _UNFILTERED),
            "availability_zone": _UNSORTED,
            "admin_state_up": Attribute(values.boolean, True, create=False),
            "description": Attribute(_OPTIONAL_TEXT, create=False),
        },
        (("create get update delete", "*", "admin"),),
    ),
    Kind(
        "security_groups",
        {
            **_STANDARD,
            "name": Attribute(values.group_name, ""),
            "stateful": replace(_SWITCH, sorts=False),
            "shared": _UNSORTED,
            "security_group_rules": _UNFILTERED,
        },
        (
            ("get", "* tags", "admin reader"),
            ("create update delete", "* tags", _WRITERS),
        ),
    ),
    Kind(
        "security_group_rules",
        {
            **_standard_without("name", "tags"),
            "description": Attribute(values.text(), "", sorts=False),
            "security_group_id": Attribute(values.text(36), REQUIRED, update=False),
            "direction": Attribute(values.one_of(("ingress", "egress")), REQUIRED, update=False),
            "ethertype": Attribute(rule_values.ethertype, "IPv4", update=False),
            "protocol": Attribute(rule_values.protocol, update=False),
            "port_range_min": Attribute(rule_values.port, update=False),
            "port_range_max": Attribute(rule_values.port, update=False),
            "remote_ip_prefix": Attribute(rule_values.prefix, update=False),
            "remote_group_id": Attribute(update=False),
            "remote_address_group_id": Attribute(update=False),
            "normalized_cidr": _FIXED,
            "belongs_to_default_sg": _UNSORTED,
        },
        (
            ("get", "*", "admin parent_reader"),
            ("create update delete", "*", "admin parent_member"),
        ),
        parent="security_groups",
        hidden=("tags",),
    ),
    # By the ids of projects.
    Kind("quotas", policies=(("get", "*", "admin reader"), ("update delete", "*", "admin"))),
)
#: By what the API calls several of them.
KINDS: Mapping[str, Kind] = {kind.collection: kind for kind in _ROWS}
