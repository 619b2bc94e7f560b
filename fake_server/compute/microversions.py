"""Versions of the Compute API: which one a request is for, and what each one brought."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fake_server.common import microversions
from fake_server.common.microversions import requested

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request

MAJOR = 2
MINIMUM = 1
MAXIMUM = 105
OLD_HEADER = "X-OpenStack-Nova-API-Version"

KEYPAIR_TYPE = 2
EXTENDED_ATTRIBUTES = 3
IP6_FILTER = 5
REMOTE_CONSOLES = 6
FLAVOR_ACCESS_CHECKED = 7
MKS_CONSOLES = 8
LOCKED = 9
KEYPAIR_USER = 10
FORCED_DOWN = 11
GROUP_PROJECT = 13
SOFT_GROUPS = 15
HOST_STATUS = 16
CRASH_DUMP = 17
DESCRIPTION = 19
ACTIONS_OF_DELETED = 21
SERVER_MIGRATIONS = 23
TAGS = 26
CPU_INFO_OBJECT = 28
#: Tags of devices in one version only; later ones support them since :data:`DEVICE_TAGS`.
FIRST_DEVICE_TAGS = 32
HYPERVISOR_PAGES = 33
KEYPAIR_PAGES = 35
NO_NETWORK_PROXIES = 36
NETWORKS_REQUIRED = 37
NO_IMAGE_METADATA = 39
AGGREGATE_UUID = 41
DEVICE_TAGS = 42
NO_HOSTS = 43
NO_ADDRESS_ACTIONS = 44
EMBEDDED_FLAVOR = 47
ATTACH_TAG = 49
WHOLE_QUOTA_CLASSES = 50
VOLUME_EXTENDED = ACTION_EVENTS = 51
CREATE_TAGS = 52
SERVICE_UUIDS = 53
REBUILD_KEY = 54
FLAVOR_DESCRIPTION = 55
NO_PERSONALITY = 57
ACTION_PAGES = 58
MULTIATTACH = 60
FLAVOR_EXTRA_SPECS = 61
ACTION_HOSTS = 62
TRUSTED_CERTIFICATES = 63
GROUP_RULES = 64
BLOCK_DEVICE_TYPE = 67
ATTACHMENT_TAG_SHOWN = 70
SERVER_GROUPS_SHOWN = 71
LOCKED_REASON = 73
CREATE_ON_HOST = 74
STRICT_QUERIES = 75
POWER_UPDATE = 76
TOPOLOGY = 78
DELETE_ON_TERMINATION = 79
ACCELERATOR_BOUND = 82
MORE_FILTERS = 83
ACTION_DETAILS = 84
CHANGE_ATTACHMENT = 85
EXTRA_SPECS_CHECKED = 86
HYPERVISORS_SLIM = 88
ATTACHMENT_IDS = 89
HOSTNAME = 90
#: Key pairs have more characters in their names, and Nova makes none any more.
KEYPAIRS_IMPORTED = 92
REBUILD_VOLUME_BACKED = 93
LONG_HOSTNAME = 94
PINNED_ZONE = 96
SCHEDULER_HINTS = 100
ATTACH_WITHOUT_ANSWER = 101
SLIM_FLAVORS = 102
CHANGE_PINNED_ZONE = 104
#: Of the specification "Volume multiattach enhancements", which leaves its number open: one past
#: what Nova 34 offers.
ATTACH_MODE = 105


_FORM = re.compile(r"[1-9][0-9]*\.(0|[1-9][0-9]*)")


def negotiate(request: Request, maximum: int = MAXIMUM) -> int:
    """Return a request's minor version (1 by default); raise BadRequest or NotAcceptable."""
    return microversions.negotiate(_wanted(request), _FORM.pattern, MAJOR, MINIMUM, maximum)


def shown(request: Request, minor: int) -> str | None:
    """Return the version that an answer shows, ``None`` if the request asks for what is none.

    :param minor: the one that the request was answered in.
    """
    wanted = _wanted(request)
    if wanted is None or wanted.lower() == "latest":
        return f"{MAJOR}.{minor}"
    return wanted if _FORM.fullmatch(wanted) else None


def _wanted(request: Request) -> str | None:
    return requested(request, "compute") or request.header("HTTP_X_OPENSTACK_NOVA_API_VERSION")
