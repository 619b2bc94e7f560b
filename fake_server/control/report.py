"""Reports: a timeline in an HTML file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_START = "showReport(document.body, JSON.parse(document.getElementById('data').textContent));\n"


def page(data: Mapping[str, Any]) -> str:
    """Return the report of a timeline.

    Names and errors can't be executed: the data are no script, they are shown as text, and the
    policy of the page allows its own script alone.

    :param data: the timeline, in the form that ``timeline.js`` describes.
    """
    import html  # see rest.page()

    style, script = _content("timeline.css"), _content("timeline.js") + _START
    parts = {
        "policy": f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}",
        "title": html.escape(data["title"]),
        "style": style,
        "data": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        "script": script,
    }
    return re.sub(r"@(\w+)@", lambda found: parts[found[1]], _content("report.html"))


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


@cache
def _content(name: str) -> str:
    return files("fake_server.control").joinpath("page", name).read_text(encoding="utf-8")
