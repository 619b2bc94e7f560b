"""Argument types: functions that convert text to a value.

They raise ``argparse.ArgumentTypeError`` for an invalid text.
"""

from __future__ import annotations

import argparse
import os
import re
from typing import TYPE_CHECKING, TypeVar

from fake_server.baremetal import microversions
from fake_server.baremetal.conductor_hosts import ConductorHost, parse
from fake_server.baremetal.hardware_types import KINDS
from fake_server.cli.durations import seconds
from fake_server.clock import FASTEST, Clock
from fake_server.common import timing
from fake_server.common.parsing import parse_boolean, parse_integer
from fake_server.compute import microversions as compute_microversions

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

T = TypeVar("T")
_CLOCKS = ("auto", "manual", "real")
#: The greatest whole number of an option, unless it says so.
_MOST = 2**63 - 1
_FACTOR = re.compile(r"[0-9]+(\.[0-9]+)?(e[0-9]+)?", re.ASCII)
_HOST = re.compile(r"[A-Za-z0-9._:%-]{1,253}")
_ORIGIN = re.compile(r"\*|https?://[A-Za-z0-9._:\[\]-]+")
_ROUTE = re.compile(r"[A-Z*]+ [/*][!-~]*")
_LONGEST = 255


def names(text: str) -> tuple[str, ...]:
    """Return the names of a comma-separated list, each of which is another."""
    found = tuple(one.strip() for one in text.split(","))
    _once(text, [(name(one), None) for one in found])
    return found


def name(text: str) -> str:
    """Return a name."""
    if not 0 < len(text) <= _LONGEST or text != text.strip() or not text.isprintable():
        raise argparse.ArgumentTypeError(
            f"{_cut(text)} is no name: use up to {_LONGEST} characters that can be printed"
        )
    return text


def kinds(text: str) -> tuple[str, ...]:
    """Return the kinds of faults of a comma-separated list."""
    from fake_server.sweep.kinds import KINDS

    return _among("kind of fault", text, KINDS)


def verdicts(text: str) -> tuple[str, ...]:
    """Return the verdicts of a comma-separated list."""
    from fake_server.sweep.judge import VERDICTS

    return _among("verdict", text, VERDICTS)


def case(text: str) -> str:
    """Return the id of a case of a sweep, which ends in a kind of fault."""
    request, _, kind = text.rpartition(":")
    if not request or not text.isprintable():
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form REQUEST:KIND")
    kinds(kind)
    return text


def patterns(text: str) -> tuple[str, ...]:
    """Return the patterns of requests of a comma-separated list."""
    return _each(text, _ROUTE, "METHOD /PATH, in which * stands for anything")


def origins(text: str) -> tuple[str, ...]:
    """Return the origins of a comma-separated list."""
    return _each(text, _ORIGIN, "http://HOST[:PORT], https://HOST[:PORT] or *")


def host(text: str) -> str:
    """Return a host name or an address."""
    if not _HOST.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{_cut(text)} is no host name or address")
    return text


def file(text: str) -> str:
    """Return the path of a file that is there."""
    if not _is_path(text) or not os.path.exists(text) or os.path.isdir(text):
        raise argparse.ArgumentTypeError(f"there is no file {_cut(text)}")
    return text


def folder(text: str) -> str:
    """Return the path of a folder, or of what can be one."""
    if not _is_path(text) or (os.path.exists(text) and not os.path.isdir(text)):
        raise argparse.ArgumentTypeError(f"{_cut(text)} can't be a folder")
    return text


def url(text: str) -> str:
    """Return a URL, or any other reference to an image; it may be empty."""
    if not text.isprintable() or " " in text:
        raise argparse.ArgumentTypeError(f"{_cut(text)} has characters that no URL has")
    return text


def database(text: str) -> str:
    """Return the URL of a database, which may have a password."""
    # Most commands take no database.
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        make_url(text)
    except (ArgumentError, ValueError):
        form = "a URL of SQLAlchemy, such as sqlite:///FILE or postgresql://USER@HOST/NAME"
        raise argparse.ArgumentTypeError(f"it has to be {form}") from None
    return url(text)


def token(text: str) -> str:
    """Return a token that a header can have."""
    if not text or not (text.isascii() and text.isprintable()) or " " in text:
        raise argparse.ArgumentTypeError("it has to be ASCII characters without blanks")
    return text


def steps(text: str) -> tuple[str, ...]:
    """Return the steps of a comma-separated list of ``INTERFACE.STEP``; none for an empty one."""
    found = names(text) if text else ()
    for one in found:
        kind, _, step = one.partition(".")
        if kind not in KINDS or not step:
            known = ", ".join(sorted(KINDS))
            raise argparse.ArgumentTypeError(
                f"{one!r} is not of the form INTERFACE.STEP, with an interface of {known}"
            )
    return found


def conductors(text: str) -> tuple[ConductorHost, ...]:
    """Return the conductors of a comma-separated list of ``HOST[:GROUP[:TYPE+TYPE]]``."""
    try:
        return tuple(parse(part) for part in text.split(","))
    except ValueError as exc:
        raise argparse.ArgumentTypeError(str(exc)) from None


def by_architecture(text: str) -> dict[str, str]:
    """Return the URLs by architecture of a comma-separated list of ``ARCH:URL``."""
    found = []
    for part in text.split(","):
        architecture, _, image = part.strip().partition(":")
        if not architecture or not image:
            raise argparse.ArgumentTypeError(f"{part!r} is not of the form ARCH:URL")
        found.append((name(architecture), url(image)))
    return dict(_once(text, found))


def hardware_type(text: str) -> list[tuple[str, str]]:
    """Return the hardware types of a comma-separated list of ``NAME=like:TYPE``."""
    found = []
    for part in text.split(","):
        added, like, known = part.strip().partition("=like:")
        if not like:
            raise argparse.ArgumentTypeError(f"{part!r} is not of the form NAME=like:TYPE")
        found.append((name(added), known))
    return _once(text, found)


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
        option, equals, duration = part.partition("=")
        if not equals:
            raise argparse.ArgumentTypeError(f"{part!r} is not of the form NAME=DURATION")
        found.append((option.strip(), seconds(duration.strip())))
    return _once(text, found)


def clock(text: str) -> Clock:
    """Return the clock of a mode, or one that runs as many times as fast as the system's."""
    try:
        if text in _CLOCKS:
            return Clock(text)
        return Clock("scaled", factor=float(text) if _FACTOR.fullmatch(text) else 0)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is none of {', '.join(_CLOCKS)}, and no factor above 0 and at most "
            f"{FASTEST:.0f}"
        ) from None


def time_limit(text: str) -> float:
    """Return the seconds of a duration above 0."""
    found = seconds(text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is not above 0")
    return found


def whole(minimum: int, maximum: int = _MOST) -> Callable[[str], int]:
    """Return what reads integers within limits, which are written in digits."""

    def read(text: str) -> int:
        found = parse_integer(text, minimum=minimum, maximum=maximum, strict=True)
        if found is None:
            limits = f"from {minimum} to {maximum}" if maximum < _MOST else f"from {minimum} on"
            raise argparse.ArgumentTypeError(f"{_cut(text)} is not an integer {limits}")
        return found

    return read


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


def _among(what: str, text: str, known: Collection[str]) -> tuple[str, ...]:
    from fake_server.sweep.options import check_names

    try:
        check_names(what, found := names(text), known)
    except ValueError as exc:
        raise argparse.ArgumentTypeError(str(exc)) from None
    return found


def _once(text: str, pairs: list[tuple[str, T]]) -> list[tuple[str, T]]:
    """Return pairs with different names."""
    if len({one for one, _ in pairs}) < len(pairs):
        raise argparse.ArgumentTypeError(f"{_cut(text)} has a name twice")
    return pairs


def _each(text: str, form: re.Pattern[str], described: str) -> tuple[str, ...]:
    for one in (found := names(text)):
        if not form.fullmatch(one):
            raise argparse.ArgumentTypeError(f"{one!r} is not of the form {described}")
    return found


def _is_path(text: str) -> bool:
    parts = text.encode(errors="replace").split(b"/")
    return bool(text.strip()) and text.isprintable() and max(map(len, parts)) <= _LONGEST


def _cut(text: str) -> str:
    """Return a text in quotes, of which it takes no more than shows what it is."""
    return repr(text if len(text) <= _LONGEST else f"{text[:20]}…")
