"""The microversions of the Placement API: that of a request, and the features of each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest, NotAcceptable
from fake_server.common.microversions import parse, requested

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request

MAJOR = 1
MAXIMUM = 39

AGGREGATES = 1
RESOURCE_CLASSES = 2
MEMBER_OF = 3
RESOURCES = 4
DELETE_INVENTORIES = 5
TRAITS = 6
#: ``PUT /resource_classes/{name}`` has no body.
ENSURE_CLASS = 7
ALLOCATION_OWNER = 8
USAGES = 9
CANDIDATES = 10
ALLOCATION_LINK = 11
ALLOCATIONS_BY_PROVIDER = 12
POST_ALLOCATIONS = 13
NESTED = 14
LAST_MODIFIED = 15
LIMIT = 16
CANDIDATES_REQUIRED = 17
PROVIDERS_REQUIRED = 18
AGGREGATE_GENERATION = 19
CREATE_SHOWS = 20
CANDIDATES_MEMBER_OF = 21
FORBIDDEN_TRAITS = 22
ERROR_CODES = 23
MANY_MEMBER_OF = 24
GROUPS = 25
RESERVE_ALL = 26
ALL_CLASSES = 27
CONSUMER_GENERATION = 28
NESTED_CANDIDATES = 29
RESHAPER = 30
IN_TREE = 31
FORBIDDEN_AGGREGATES = 32
NAMED_GROUPS = 33
MAPPINGS = 34
ROOT_REQUIRED = 35
SAME_SUBTREE = 36
REPARENT = 37
CONSUMER_TYPES = 38
ANY_TRAITS = 39


class InvalidVersion(BadRequest):
    """What the header asks for is no version."""

    form = "Invalid microversion: invalid version string: {}"


#: What a request is refused with before it has a version.
REFUSALS = (InvalidVersion, NotAcceptable)


def negotiate(request: Request) -> int:
    """Return a request's minor version (0 by default); raise BadRequest or NotAcceptable."""
    version = requested(request, "placement")
    if version is None:
        return 0
    minor = parse(version, MAJOR, 0, MAXIMUM)
    if minor is not None:
        return minor
    if not re.fullmatch(r"[0-9]+\.[0-9]+", version):
        wrong = next((part for part in version.split(".") if not part.isdecimal()), None)
        reason = "Version.__new__() missing 1 required positional argument: 'minor'"
        if wrong is not None:
            reason = f"invalid literal for int() with base 10: {wrong!r}"
        raise InvalidVersion(f"{version}; {reason}")
    raise NotAcceptable(
        f"Invalid microversion: Unacceptable version header: {version}",
        max_version=f"{MAJOR}.{MAXIMUM}",
        min_version=f"{MAJOR}.0",
    )
