"""Argument types: functions that convert text to a value.

They raise ``argparse.ArgumentTypeError`` for an invalid text.
"""

from __future__ import annotations

import argparse

from fake_server.baremetal import microversions
from fake_server.baremetal.conductor_hosts import ConductorHost, parse
from fake_server.baremetal.hardware_types import KINDS
from fake_server.cli.durations import seconds
from fake_server.clock import FASTEST, Clock
from fake_server.common import timing
from fake_server.common.parsing import parse_boolean, parse_integer
from fake_server.compute import microversions as compute_microversions

_LAST_PORT = 65535
_LEAST_DEPTH = 8
_CLOCKS = ("auto", "manual", "real")


def names(text: str) -> tuple[str, ...]:
    """Return the names of a comma-separated list."""
    return tuple(name.strip() for name in text.split(","))


def steps(text: str) -> tuple[str, ...]:
    """Return the steps of a comma-separated list of ``INTERFACE.STEP``; none for an empty one."""
    found = tuple(name for name in names(text) if name)
    for name in found:
        kind, _, step = name.partition(".")
        if kind not in KINDS or not step:
            known = ", ".join(sorted(KINDS))
            raise argparse.ArgumentTypeError(
                f"{name!r} is not of the form INTERFACE.STEP, with an interface of {known}"
            )
    return found


def depth(text: str) -> int:
    """Return how deep JSON may be nested; as in Ironic, at least 8."""
    found = parse_integer(text, strict=True)
    if found is None or found < _LEAST_DEPTH:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from {_LEAST_DEPTH} on")
    return found


def conductors(text: str) -> tuple[ConductorHost, ...]:
    """Return the conductors of a comma-separated list of ``HOST[:GROUP[:TYPE+TYPE]]``."""
    try:
        return tuple(parse(part) for part in text.split(","))
    except ValueError as exc:
        raise argparse.ArgumentTypeError(str(exc)) from None


def by_architecture(text: str) -> dict[str, str]:
    """Return the URLs by architecture of a comma-separated list of ``ARCH:URL``."""
    found = {}
    for part in text.split(","):
        architecture, _, url = part.strip().partition(":")
        if not architecture or not url:
            raise argparse.ArgumentTypeError(f"{part!r} is not of the form ARCH:URL")
        found[architecture] = url
    return found


def hardware_type(text: str) -> list[tuple[str, str]]:
    """Return the hardware types of a comma-separated list of ``NAME=like:TYPE``."""
    found = []
    for part in text.split(","):
        name, like, known = part.strip().partition("=like:")
        if not like:
            raise argparse.ArgumentTypeError(f"{part!r} is not of the form NAME=like:TYPE")
        found.append((name, known))
    return found


def delay(text: str) -> float | str:
    """Return a delay: seconds, or the text of what is drawn at random."""
    try:
        found = timing.parse(text)
    except ValueError as exc:
        raise argparse.ArgumentTypeError(str(exc)) from None
    return found.first if found.is_fixed else text


def periodic(text: str) -> list[tuple[str, float]]:
    """Return the options of a comma-separated list of ``NAME=DURATION``."""
    found = []
    for part in text.split(","):
        name, equals, duration = part.partition("=")
        if not equals:
            raise argparse.ArgumentTypeError(f"{part!r} is not of the form NAME=DURATION")
        found.append((name.strip(), seconds(duration.strip())))
    return found


def clock(text: str) -> Clock:
    """Return the clock of a mode, or one that runs as many times as fast as the system's."""
    try:
        return Clock(text) if text in _CLOCKS else Clock("scaled", factor=float(text))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is none of {', '.join(_CLOCKS)}, and no factor above 0 and at most "
            f"{FASTEST:.0f}"
        ) from None


def positive(text: str) -> int:
    """Return an integer above 0."""
    number = parse_integer(text, minimum=1, strict=True)
    if number is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer above 0")
    return number


def port(text: str) -> int:
    """Return a port number, or 0."""
    number = parse_integer(text, maximum=_LAST_PORT, strict=True)
    if number is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to {_LAST_PORT}")
    return number


def truth(text: str) -> bool:
    """Return the boolean that a text such as ``yes`` or ``off`` stands for."""
    found = parse_boolean(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is neither true nor false")
    return found


def minor(text: str) -> int:
    """Return the minor part of a microversion of the Bare Metal API."""
    return _offered(text, microversions.MAJOR, microversions.MINIMUM, microversions.MAXIMUM)


def compute_minor(text: str) -> int:
    """Return the minor part of a microversion of the Compute API."""
    versions = compute_microversions
    return _offered(text, versions.MAJOR, versions.MINIMUM, versions.MAXIMUM)


def _offered(text: str, major: int, lowest: int, highest: int) -> int:
    wanted, _, rest = text.partition(".")
    found = parse_integer(rest, minimum=lowest, maximum=highest, strict=True)
    if wanted != str(major) or found is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a version from {major}.{lowest} to {major}.{highest}"
        )
    return found
