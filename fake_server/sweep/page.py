"""The results of a sweep as a page: a matrix, and each case beside the run without a fault."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from fake_server.sweep.judge import VERDICTS
from fake_server.sweep.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.sweep.results import Results

_DATA = "__DATA__"


def text(results: Results, timelines: Mapping[str, Any]) -> str:
    """Return the page, which needs no other file.

    :param timelines: what was asked for in each case, and without a fault under an empty name.
    """
    data = {
        **results.as_json(),
        "verdicts": VERDICTS,
        "kinds": {name: kind.text for name, kind in KINDS.items()},
        "timelines": timelines,
    }
    # So that nothing in it ends the script.
    shown = json.dumps(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    template = files("fake_server.sweep").joinpath("page.html").read_text("utf-8")
    return template.replace(_DATA, shown)
