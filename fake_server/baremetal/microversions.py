"""The microversions of the API, and how a request names one.

Every feature has its boundary here, once; fields have theirs in the table of their resource.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from fake_server.baremetal.errors import RoutingError

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request

MAJOR = 1
MINIMUM = 1
MAXIMUM = 115

HEADER = "X-OpenStack-Ironic-API-Version"
MINIMUM_HEADER = "X-OpenStack-Ironic-API-Minimum-Version"
MAXIMUM_HEADER = "X-OpenStack-Ironic-API-Maximum-Version"

# What came when: minor versions.
AVAILABLE_STATE = 2
MANAGEMENT_VERBS = 4
NODE_NAMES = 5
INSPECT_VERB = 6
FIELDS = 8
PROVISION_STATE_FILTER = 9
UNRESTRICTED_NAMES = 10
ENROLL_STATE = 11
RAID = 12
ABORT_VERB = 13
STATES_LINKS = 14
MANUAL_CLEANING = 15
DRIVER_FILTER = 16
ADOPT_VERB = 17
RESOURCE_CLASS_FILTER = 21
LOOKUP_AND_HEARTBEAT = 22
PORTGROUPS = 23
PORTGROUPS_OF_NODE = 24
CHASSIS_REMOVAL = 25
PORTGROUP_MODE = 26
SOFT_POWER = 27
VIFS = 28
INJECT_NMI = 29
DYNAMIC_DRIVERS = 30
VOLUME = 32
REBUILD_CONFIGDRIVE = 35
AGENT_VERSION = 36
TRAITS = 37
RESCUE_VERBS = 38
INSPECT_WAIT = 39
BIOS = 40
INSPECTION_ABORT = 41
FAULT_FILTER = 42
DETAIL_QUERY = 43
RESET_INTERFACES = 45
CONDUCTOR_GROUP_FILTER = 46
CONDUCTORS = 49
OWNER_FILTER = 50
ALLOCATIONS = 52
ALLOCATION_UPDATE = 57
ALLOCATION_BACKFILL = 58
ALLOCATION_OWNER = 60
EVENTS = 54
DEPLOY_TEMPLATES = 55
CONFIGDRIVE_OBJECT = 56
CONFIGDRIVE_VENDOR_DATA = 59
AGENT_TOKEN = 62
NETWORK_TYPE = 64
LESSEE_FILTER = 65
VIF_PORT = 67
AGENT_CERTIFICATE = 68
DEPLOY_STEPS = 69
CLEANING_WITHOUT_RAMDISK = 70
AGENT_STATUS = 72
DEPLOY_VERBS = 73
BIOS_REGISTRY = 74
BOOT_MODE = 75
BOOT_MODE_CHANGE = 76
DRIVER_FIELDS = 77
HISTORY = 78
INVENTORY = 81
SHARDS = 82
CHILD_NODES = 83
CONTINUE_INSPECTION = 84
UNHOLD_VERB = 85
FIRMWARE = 86
SERVICE_VERB = 87
VMEDIA = 89
OVN_LINKS = 90
DOT_JSON = 91
RUNBOOKS = 92
VMEDIA_SHOWN = 93
PORT_NODE_NAME = 94
INSPECTION_RULES = 96
SPECIAL_CHARACTERS = 98
PORTGROUP_PHYSICAL_NETWORK = 102
INSTANCE_NAME_FILTER = 104
OVN_LINKS_REMOVED = 105
PORTGROUP_SHARD = 106
SERVICE_WITHOUT_RAMDISK = 108
DEPLOYMENT_ABORT = 110
RUNBOOK_TRAITS = 112
HISTORY_PROJECT = 113
FIRMWARE_IDENTITY = 114
HISTORY_STATES = 115

#: What Ironic says of some arguments of a later version.
NAMED = f"Request not acceptable. The minimal required API version should be {MAJOR}.{{}}"


def requested(request: Request) -> str | None:
    """Return the version a request asks for, as written, or ``None``.

    The standard header ``OpenStack-API-Version: baremetal 1.50`` goes before Ironic's own; where
    a header was sent several times the last value counts.
    """
    standard = request.header("HTTP_OPENSTACK_API_VERSION")
    if standard:
        for item in reversed(standard.split(",")):
            service, _, version = item.strip().partition(" ")
            if service.lower() == "baremetal" and version.strip():
                return version.strip()
    own = request.header("HTTP_X_OPENSTACK_IRONIC_API_VERSION")
    return None if own is None else own.rpartition(",")[2].strip()


def parse(text: str) -> tuple[int, int]:
    """Parse ``major.minor``; raise ``ValueError`` for anything else."""
    major, _, minor = text.partition(".")
    return int(major), int(minor)


def negotiate(request: Request, maximum: int) -> int:
    """Return the minor version that a request gets.

    :param maximum: highest minor version on offer.
    :raises RoutingError: 406 for a version that can't be read or isn't on offer.
    """
    text = requested(request) or f"{MAJOR}.{MINIMUM}"
    if text.lower() == "latest":
        return maximum
    try:
        major, minor = parse(text)
    except ValueError:
        raise RoutingError(406, f"Invalid value for {HEADER} header") from None
    offered = f"[{MAJOR}.{MINIMUM}, {MAJOR}.{maximum}]"
    if major != MAJOR:
        raise RoutingError(
            406,
            f"Mutually exclusive versions requested. Version {major}.{minor} requested but not "
            f"supported by this service. The supported version range is: {offered}.",
            headers=range_headers(maximum),
        )
    if not MINIMUM <= minor <= maximum:
        raise RoutingError(
            406,
            f"Version {major}.{minor} was requested but the minor version is not supported by "
            f"this service. The supported version range is: {offered}.",
            headers=range_headers(maximum),
        )
    return minor


@cache
def version_headers(maximum: int, minor: int) -> tuple[tuple[str, str], ...]:
    """Return the headers with the supported versions and the one of a request.

    They are the same objects each time: thousands of responses are recorded with them.
    """
    return (*range_headers(maximum), (HEADER, f"{MAJOR}.{minor}"))


def range_headers(maximum: int) -> list[tuple[str, str]]:
    """Return the headers with the supported versions."""
    return [(MINIMUM_HEADER, f"{MAJOR}.{MINIMUM}"), (MAXIMUM_HEADER, f"{MAJOR}.{maximum}")]
