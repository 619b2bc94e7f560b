"""Types of arguments for networks and block devices of servers."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import Any

from baremetalclient._resource.fields import words_of
from baremetalclient.osc import argument_types

BLOCK_DEVICE_KEYS = (
    "uuid",
    "source_type",
    "destination_type",
    "boot_index",
    "attach_mode",
    "volume_size",
    "volume_type",
    "device_name",
    "delete_on_termination",
    "tag",
    "guest_format",
    "disk_bus",
    "device_type",
)
_CHOICES = {
    "source_type": ("volume", "image", "snapshot", "blank"),
    "destination_type": ("volume", "local"),
    "attach_mode": words_of("baremetalclient.compute.objects", "AttachMode", closed=True),
}
_NUMBERS = ("boot_index", "volume_size")
# The keys of OpenStackClient, and those of Nova.
_NIC_KEYS = {"net-id": "uuid", "port-id": "port", "v4-fixed-ip": "fixed_ip", "tag": "tag"}


def block_device(argument: str) -> dict[str, Any]:
    """Return the block device described by ``uuid=…,source_type=volume,boot_index=0,…``.

    :returns: a block device mapping of Nova, by default of an existing volume.
    :raises ArgumentTypeError: if a key is unknown or missing, or a value is invalid.
    """
    found: dict[str, Any] = {"source_type": "volume"}
    for key, text in _pairs(argument, BLOCK_DEVICE_KEYS):
        found[key] = _value(key, text)
    by_default = "volume" if found["source_type"] in ("volume", "snapshot") else "local"
    found.setdefault("destination_type", by_default)
    if found["source_type"] != "blank" and "uuid" not in found:
        raise ArgumentTypeError(f"uuid is required for source_type {found['source_type']}")
    if found["destination_type"] == "local" and "attach_mode" in found:
        raise ArgumentTypeError("attach_mode cannot be used with destination_type local")
    return found


def nic(argument: str) -> str | dict[str, Any]:
    """Return the network described by ``auto``, ``none``, ``net-id=…`` or ``port-id=…``.

    :returns: ``auto`` or ``none`` as it is, else a network of Nova.
    :raises ArgumentTypeError: if it is none of these.
    """
    if argument in ("auto", "none"):
        return argument
    found = {_NIC_KEYS[key]: text for key, text in _pairs(argument, tuple(_NIC_KEYS))}
    if ("uuid" in found) == ("port" in found):
        raise ArgumentTypeError("expected auto, none, net-id=<id> or port-id=<id>")
    return found


def _pairs(argument: str, known: tuple[str, ...]) -> list[tuple[str, str]]:
    found = []
    for part in argument.split(","):
        key, equals, text = part.partition("=")
        if not equals or not text:
            raise ArgumentTypeError(f"expected key=value, got {part!r}")
        if key not in known:
            raise ArgumentTypeError(f"unknown key {key!r}; known keys: {', '.join(known)}")
        found.append((key, text))
    return found


def _value(key: str, text: str) -> Any:
    if key in _CHOICES and text not in _CHOICES[key]:
        raise ArgumentTypeError(f"{key} has to be one of {', '.join(_CHOICES[key])}, not {text!r}")
    if key in _NUMBERS:
        try:
            return int(text)
        except ValueError:
            raise ArgumentTypeError(f"{key} has to be a number, not {text!r}") from None
    return argument_types.boolean(text) if key == "delete_on_termination" else text
