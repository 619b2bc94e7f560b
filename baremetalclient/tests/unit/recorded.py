"""What users and their programs rely on, written down in files beside the tests.

A deliberate change is written down with ``--record -n 0``, and reviewed as part of it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def check(request: pytest.FixtureRequest, file: Path, name: str, found: dict[str, Any]) -> None:
    """Compare the entries of a thing with those in a file, or write them there."""
    found = json.loads(json.dumps(found))
    known = json.loads(file.read_text("utf-8")) if file.exists() else {}
    if request.config.getoption("--record"):
        known[name] = found
        file.write_text(_text(known), "utf-8")
    assert found == known.get(name)


def _text(known: dict[str, Any]) -> str:
    """Return JSON with one entry a line."""
    parts = []
    for name in sorted(known):
        lines = (f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in known[name].items())
        parts.append(f" {json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n }")
    return "{\n" + ",\n".join(parts) + "\n}\n"
