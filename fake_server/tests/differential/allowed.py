"""Where the fake server may answer otherwise than the recorded Ironic, and why."""

from __future__ import annotations

import re

#: By a pattern of the request and the difference.
DIFFERENCES = {
    r'PUT .*/boot_device .*"(banana|uefihttp)"}|"boot_device": null': "Ironic fails with 500 at "
    "boot devices that it doesn't know; the fake server refuses them.",
    r'"clean_steps": \[{"interface": "bios"}\]': "Ironic fails with 500 at steps without a "
    "name; the fake server refuses them.",
    r"PUT .*/inject_nmi": "The controllers beside the real Ironic have no such interrupt.",
    r"/last_error: real 'Could not attach device \w+ to node .* Validation of image href": "The "
    "fake server doesn't look for images.",
}


def reason(difference: str) -> str | None:
    """Return why a difference is allowed, if it is."""
    found = (why for pattern, why in DIFFERENCES.items() if re.search(pattern, difference))
    return next(found, None)
