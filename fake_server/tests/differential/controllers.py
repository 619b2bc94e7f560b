"""The controllers beside a real Ironic, which keep what nodes before made of their machine."""

from __future__ import annotations

import json
from urllib.request import Request, urlopen

_SYSTEM = "/redfish/v1/Systems/27946b59-9e44-4fa7-8e91-f3527a1ef094"
_BOOT = {
    "BootSourceOverrideTarget": "Hdd",
    "BootSourceOverrideMode": "UEFI",
    "BootSourceOverrideEnabled": "Continuous",
}


def reset_machines(port: int) -> None:
    """Make the machine of the Redfish controller a new one.

    :param port: that of the real Ironic.
    """
    for method, path, body in (
        ("POST", "/Actions/ComputerSystem.Reset", {"ResetType": "ForceOff"}),
        ("PATCH", "", {"Boot": _BOOT, "IndicatorLED": "Lit"}),
        ("POST", "/BIOS/Actions/Bios.ResetBios", {}),
        ("PATCH", "/SecureBoot", {"SecureBootEnable": False}),
        ("POST", "/VirtualMedia/Cd/Actions/VirtualMedia.EjectMedia", {}),
    ):
        request = Request(
            f"http://127.0.0.1:{port + 1}{_SYSTEM}{path}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
            method=method,
        )
        urlopen(request).close()
