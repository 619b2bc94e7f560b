"""Durations as arguments of commands."""

from __future__ import annotations

import argparse

from fake_server.common import durations


def seconds(text: str) -> float:
    """Return the seconds of a duration such as ``90`` or ``10m``."""
    try:
        return durations.parse(text)
    except ValueError as exc:
        raise argparse.ArgumentTypeError(str(exc)) from None
