"""Reports as pages: a summary and a timeline in an HTML file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections import Counter
from datetime import UTC, datetime
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from baremetalclient.osc.report.timeline import Timeline, TimelineListener
from baremetalclient.osc.terminal.progress import failure_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from baremetalclient._bulk.result import Result
    from baremetalclient._resource.resource import Item
    from baremetalclient.osc.terminal.printing_listener import PrintingListener

_START = "showReport(document.body, JSON.parse(document.getElementById('data').textContent));\n"


class ReportPage:
    """The page of a report; what it is made of is read at once.

    :ivar timeline: what has happened so far.
    """

    def __init__(self) -> None:
        self.timeline = Timeline()
        folder = files("baremetalclient.osc.report")
        self._page, self._style, script = (
            folder.joinpath(name).read_text(encoding="utf-8")
            for name in ("report.html", "timeline.css", "timeline.js")
        )
        self._script = script + _START

    def listener(
        self, console: PrintingListener, state_field: str, items: Iterable[Item | None]
    ) -> TimelineListener:
        """Return what notes what happens, and tells the console; see :meth:`.Report.listener`."""
        listener = TimelineListener(self.timeline, console, state_field)
        listener.present(items)
        return listener

    def text(self, verb: str, noun: str, results: Sequence[Result]) -> str:
        """Return the page: the numbers, the failures as the terminal has them, and the timeline.

        :param verb: the name of the command without ``baremetal``.
        :param noun: what the resources are, such as ``node``.
        """
        timeline = self.timeline
        told = timeline.failed_names()
        for one in results:
            timeline.identify(one.label, one.uuid)
            if one.state:
                timeline.see(one.label, one.state)
            if one.error and one.label not in told:
                timeline.note(one.label, one.result, one.error, failed=one.result == "failed")
        groups = failure_groups(noun, (one for one in results if one.error))
        found = timeline.document()
        return self._filled(
            {
                "title": f"baremetal {verb}",
                "about": _about(results, found["start"], found["end"]),
                "failures": [{"text": text, "names": names} for text, names in groups],
                **found,
            }
        )

    def _filled(self, data: Mapping[str, Any]) -> str:
        """Return the page with data, in the form that ``timeline.js`` describes.

        Names and errors can't be executed: the data are no script, they are shown as text, and the
        policy of the page allows its own script alone.
        """
        policy = (
            f"default-src 'none'; script-src {_hash(self._script)}; style-src {_hash(self._style)}"
        )
        parts = {
            "policy": policy,
            "title": html.escape(data["title"]),
            "style": self._style,
            "data": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
            "script": self._script,
        }
        return re.sub(r"@(\w+)@", lambda found: parts[found[1]], self._page)


def _about(results: Sequence[Result], start: float, end: float) -> list[tuple[str, str]]:
    counts = Counter(one.result for one in results).most_common()
    about = [
        ("Results", ", ".join(f"{number} {result}" for result, number in counts) or "none"),
        ("Started", datetime.fromtimestamp(start, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")),
        ("Took", f"{end - start:.1f} s"),
    ]
    times = sorted((one.seconds, one.label) for one in results if one.result == "done")
    if times and times[-1][0]:
        (median, _), (longest, name) = times[len(times) // 2], times[-1]
        about.append(("Of those done", f"{median:.1f} s typically, {longest:.1f} s for {name}"))
    return about


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
