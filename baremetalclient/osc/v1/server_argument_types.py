"""The words that describe a server's networks and block devices."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import Any

from baremetalclient.osc import argument_types

_BLOCK_DEVICE = (
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
    "attach_mode": ("ro", "rw"),
}
_NUMBERS = ("boot_index", "volume_size")
#: What OpenStackClient calls the parts of a connection, and what Nova does.
_NIC = {"net-id": "uuid", "port-id": "port", "v4-fixed-ip": "fixed_ip", "tag": "tag"}


def block_device(word: str) -> dict[str, Any]:
    """Read ``uuid=…,source_type=volume,boot_index=0,…``.

    :param word: the argument as given.
    :returns: a mapping as Nova takes it; an existing volume, where nothing else is said.
    :raises ArgumentTypeError: a key is unknown or missing, or a value can't be.
    """
    found: dict[str, Any] = {"source_type": "volume"}
    for key, text in _pairs(word, _BLOCK_DEVICE):
        found[key] = _value(key, text)
    by_default = "volume" if found["source_type"] in ("volume", "snapshot") else "local"
    found.setdefault("destination_type", by_default)
    if found["source_type"] != "blank" and "uuid" not in found:
        raise ArgumentTypeError(f"a {found['source_type']} needs its uuid=")
    if found["destination_type"] == "local" and "attach_mode" in found:
        raise ArgumentTypeError("only a volume has an attach_mode, not what is local")
    return found


def nic(word: str) -> str | dict[str, Any]:
    """Read ``auto``, ``none``, ``net-id=…`` or ``port-id=…``.

    :param word: the argument as given.
    :returns: the word alone, or a connection as Nova takes it.
    :raises ArgumentTypeError: it is none of these.
    """
    if word in ("auto", "none"):
        return word
    found = {_NIC[key]: text for key, text in _pairs(word, tuple(_NIC))}
    if ("uuid" in found) == ("port" in found):
        raise ArgumentTypeError("expected auto, none, net-id=<id> or port-id=<id>")
    return found


def _pairs(word: str, known: tuple[str, ...]) -> list[tuple[str, str]]:
    found = []
    for part in word.split(","):
        key, equals, text = part.partition("=")
        if not equals or not text:
            raise ArgumentTypeError(f"expected key=value, got {part!r}")
        if key not in known:
            raise ArgumentTypeError(f"unknown key {key!r}; known are {', '.join(known)}")
        found.append((key, text))
    return found


def _value(key: str, text: str) -> Any:
    if key in _CHOICES and text not in _CHOICES[key]:
        raise ArgumentTypeError(f"{key} is one of {', '.join(_CHOICES[key])}, not {text!r}")
    if key in _NUMBERS:
        try:
            return int(text)
        except ValueError:
            raise ArgumentTypeError(f"{key} is a number, not {text!r}") from None
    return argument_types.boolean(text) if key == "delete_on_termination" else text
