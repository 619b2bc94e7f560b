"""What the fake server answers, written down in files beside the tests.

A deliberate change is written down with ``--record -n 0``, and reviewed as part of it.
"""

from __future__ import annotations

import gzip
import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
#: A time as any of the services writes it.
TIME = r"\d{4}-\d\d-\d\d[T ][\d:.]+(\+00:00|Z)?"


def masked(text: str) -> str:
    """Return a text without UUIDs and times."""
    return re.sub(f"{UUID}|{TIME}", "<own>", text)


def around(first: str, last: str, *news: int) -> list[str]:
    """Return the first and the last version of an API, and those around the news of others.

    :param news: minor versions in which answers begin to differ.
    """
    major, _, lowest = first.partition(".")
    minors = {int(lowest), int(last.partition(".")[2]), *news, *(minor - 1 for minor in news)}
    return [f"{major}.{minor}" for minor in sorted(minors)]


def check(request: pytest.FixtureRequest, file: Path, name: str, found: Any) -> None:
    """Compare what was found with what a file has under a name, or write it there.

    :param file: compressed JSON.
    """
    found = json.loads(json.dumps(found))
    known = json.loads(gzip.decompress(file.read_bytes())) if file.exists() else {}
    if request.config.getoption("--record"):
        known[name] = found
        file.write_bytes(gzip.compress(json.dumps(known, sort_keys=True).encode(), mtime=0))
    recorded = known.get(name)
    if isinstance(found, dict) and isinstance(recorded, dict):
        unlike = [key for key in {*found, *recorded} if found.get(key) != recorded.get(key)]
        assert {key: (recorded.get(key), found.get(key)) for key in sorted(unlike)} == {}
    else:
        assert found == recorded
