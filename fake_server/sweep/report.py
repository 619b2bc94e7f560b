"""The results of a sweep in a folder: JSON, JUnit and a page."""

from __future__ import annotations

import json
import os
import secrets
import time
from typing import TYPE_CHECKING, Any

from fake_server.common import json_text
from fake_server.sweep import junit, page
from fake_server.sweep.results import ForeignResultsError, Results

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from fake_server.sweep.runs import Sweep

RESULTS, _TIMELINES, _JUNIT, _PAGE = "sweep.json", "timelines.json", "sweep.xml", "index.html"
#: Seconds between two times that the results so far are stored.
_PERIOD = 2.0


def read(folder: Path, command: Sequence[str]) -> tuple[Results, dict[str, Any]]:
    """Return the results of before, and the timelines of their cases.

    :raises ForeignResultsError: if there are none, or they are of another command.
    """
    results = Results.read(folder / RESULTS, command)
    try:
        return results, dict(json_text.parse((folder / _TIMELINES).read_text("utf-8")))
    except (OSError, ValueError, TypeError) as exc:
        raise ForeignResultsError(f"{folder / _TIMELINES} can't be read: {exc}") from None


def store(sweep: Sweep, folder: Path) -> None:
    """Store the results so far, unless they were stored a moment ago."""
    now = time.monotonic()
    if now - sweep.stored >= _PERIOD:
        sweep.stored = now
        _store(sweep, folder)


def write(sweep: Sweep, folder: Path, allowed: Collection[str]) -> None:
    """Write all files."""
    _store(sweep, folder)
    _replace(folder / _JUNIT, junit.text(sweep.results, allowed))
    _replace(folder / _PAGE, page.text(sweep.results, sweep.timelines))


def _store(sweep: Sweep, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _replace(folder / RESULTS, json.dumps(sweep.results.as_json(), indent=1))
    _replace(folder / _TIMELINES, json.dumps(sweep.timelines))


def _replace(file: Path, text: str) -> None:
    """Write a file as a whole or not at all."""
    # A name that nobody can have put something at.
    new = file.with_name(f".{file.name}.{secrets.token_hex(8)}")
    try:
        with new.open("x", encoding="utf-8") as stream:
            stream.write(text)
        os.replace(new, file)
    except OSError as exc:
        raise OSError(exc.errno, exc.strerror, str(file)) from exc
    finally:
        new.unlink(missing_ok=True)
