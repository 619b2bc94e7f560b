"""The extensions of the Networking API that this server has, which clients list first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Name, description and date by alias.
_EXTENSIONS: Mapping[str, tuple[str, str, str]] = {
    "agent": ("agent", "The agent management extension.", "2013-02-03T10:00:00-00:00"),
    "allowed-address-pairs": (
        "Allowed Address Pairs",
        "Provides allowed address pairs",
        "2013-07-23T10:00:00-00:00",
    ),
    "availability_zone": (
        "Availability Zone",
        "The availability zone extension.",
        "2015-01-01T10:00:00-00:00",
    ),
    "binding": (
        "Port Binding",
        "Expose port bindings of a virtual port to external application",
        "2014-02-03T10:00:00-00:00",
    ),
    "empty-string-filtering": (
        "Empty String Filtering Extension",
        "Allow filtering by attributes with empty string value",
        "2018-05-01T10:00:00-00:00",
    ),
    "external-net": (
        "Neutron external network",
        "Adds external network attribute to network resource.",
        "2013-01-14T10:00:00-00:00",
    ),
    "extra_dhcp_opt": (
        "Neutron Extra DHCP options",
        "Extra options configuration for DHCP. For example PXE boot options to DHCP clients can "
        "be specified (e.g. tftp-server, server-ip-address, bootfile-name)",
        "2013-03-17T12:00:00-00:00",
    ),
    "filter-validation": (
        "Filter parameters validation",
        "Provides validation on filter parameters.",
        "2018-07-04T10:00:00-00:00",
    ),
    "ip-substring-filtering": (
        "IP address substring filtering",
        "Provides IP address substring filtering when listing ports",
        "2017-11-28T09:00:00-00:00",
    ),
    "ip_allocation": ("IP Allocation", "IP allocation extension.", "2016-06-10T23:00:00-00:00"),
    "l2_adjacency": (
        "L2 Adjacency",
        "Display L2 Adjacency for Neutron Networks.",
        "2016-04-12T16:00:00-00:00",
    ),
    "multi-provider": (
        "Multi Provider Network",
        "Expose mapping of virtual networks to multiple physical networks",
        "2013-06-27T10:00:00-00:00",
    ),
    "net-mtu": (
        "Network MTU",
        "Provides MTU attribute for a network resource.",
        "2015-03-25T10:00:00-00:00",
    ),
    "net-mtu-writable": (
        "Network MTU (writable)",
        "Provides a writable MTU attribute for a network resource.",
        "2017-07-12T00:00:00-00:00",
    ),
    "network_availability_zone": (
        "Network Availability Zone",
        "Availability zone support for network.",
        "2015-01-01T10:00:00-00:00",
    ),
    "pagination": (
        "Pagination support",
        "Extension that indicates that pagination is enabled.",
        "2016-06-12T00:00:00-00:00",
    ),
    "port-mac-address-regenerate": (
        "Neutron Port MAC address regenerate",
        "Network port MAC address regenerate",
        "2018-05-03T10:00:00-00:00",
    ),
    "port-security": ("Port Security", "Provides port security", "2012-07-23T10:00:00-00:00"),
    "port-security-groups-filtering": (
        "Port filtering on security groups",
        "Provides security groups filtering when listing ports",
        "2018-01-09T09:00:00-00:00",
    ),
    "project-id": (
        "project_id field enabled",
        "Extension that indicates that project_id field is enabled.",
        "2016-09-09T09:09:09-09:09",
    ),
    "provider": (
        "Provider Network",
        "Expose mapping of virtual networks to physical networks",
        "2012-09-07T10:00:00-00:00",
    ),
    "quota-check-limit": (
        "Quota engine limit check",
        "Support for checking the resource usage before applying a new quota limit",
        "2021-09-08T16:00:00-00:00",
    ),
    "quota-check-limit-default": (
        "Quota engine limit check by default",
        "By default, the Neutron quota engine checks the resource usage before applying a new "
        "quota limit",
        "2024-08-21T16:00:00-00:00",
    ),
    "quota_details": (
        "Quota details management support",
        "Expose functions for quotas usage statistics per project",
        "2017-02-10T10:00:00-00:00",
    ),
    "quotas": (
        "Quota management support",
        "Expose functions for quotas management per project",
        "2012-07-29T10:00:00-00:00",
    ),
    "revision-if-match": (
        "If-Match constraints based on revision_number",
        "Extension indicating that If-Match based on revision_number is supported.",
        "2016-12-11T00:00:00-00:00",
    ),
    "security-group": (
        "security-group",
        "The security groups extension.",
        "2012-10-05T10:00:00-00:00",
    ),
    "security-groups-normalized-cidr": (
        "Normalized CIDR field for security group rules",
        "Add new field with normalized remote_ip_prefix cidr in SG rule",
        "2020-07-28T10:00:00-00:00",
    ),
    "security-groups-remote-address-group": (
        "Remote address group id field for security group rules",
        "Add new field of remote address group id in SG rules",
        "2020-08-25T10:00:00-00:00",
    ),
    "security-groups-rules-belongs-to-default-sg": (
        "Security group rule belongs to the project's default security group",
        "Flag to determine if the security group rule belongs to the project's default "
        "security group",
        "2023-05-23T10:00:00-00:00",
    ),
    "security-groups-shared-filtering": (
        "Security group filtering on the shared field",
        "Support filtering security groups on the shared field",
        "2021-10-05T09:00:00-00:00",
    ),
    "segment": ("Segment", "Segments extension.", "2016-02-24T17:00:00-00:00"),
    "sorting": (
        "Sorting support",
        "Extension that indicates that sorting is enabled.",
        "2016-06-12T00:00:00-00:00",
    ),
    "standard-attr-description": (
        "standard-attr-description",
        "Extension to add descriptions to standard attributes",
        "2016-02-10T10:00:00-00:00",
    ),
    "standard-attr-revisions": (
        "Resource revision numbers",
        "This extension will display the revision number of neutron resources.",
        "2016-04-11T10:00:00-00:00",
    ),
    "standard-attr-segment": (
        "Standard Attribute Segment Extension",
        "Add standard attributes to Segment resource",
        "2018-04-09T10:00:00-00:00",
    ),
    "standard-attr-tag": (
        "Tag support for resources with standard attribute: port, subnet, subnetpool, network, "
        "router, floatingip, policy, security_group, trunk, network_segment_range",
        "Enables to set tag on resources with standard attribute.",
        "2017-01-01T00:00:00-00:00",
    ),
    "standard-attr-timestamp": (
        "Resource timestamps",
        "Adds created_at and updated_at fields to all Neutron resources that have Neutron "
        "standard attributes.",
        "2016-09-12T10:00:00-00:00",
    ),
    "stateful-security-group": (
        "Stateful security group",
        "Indicates if the security group is stateful or not",
        "2019-11-26T09:00:00-00:00",
    ),
    "subnet-external-network": (
        "Subnet belongs to an external network",
        "Informs if the subnet belongs to an external network",
        "2024-02-05T18:00:00-00:00",
    ),
    "subnet-segmentid-writable": (
        "Subnet SegmentID (writable)",
        "Provides a writable segment_id attribute for a subnet resource.",
        "2018-03-12T00:00:00-00:00",
    ),
    "tag-creation": (
        "Tag creation extension",
        "Allow to create multiple tags for a resource",
        "2024-23-07T10:00:00-00:00",
    ),
    "trunk": ("Trunk Extension", "Provides support for trunk ports", "2016-01-01T10:00:00-00:00"),
    "trunk-details": (
        "Trunk port details",
        "Expose trunk port details",
        "2016-01-01T10:00:00-00:00",
    ),
}


def listed() -> list[dict[str, Any]]:
    """Return all extensions as the API shows them."""
    return [
        {"name": name, "alias": alias, "description": text, "updated": date, "links": []}
        for alias, (name, text, date) in _EXTENSIONS.items()
    ]
