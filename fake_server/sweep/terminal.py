"""A sweep on the terminal: how far it is, and what it found."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

from fake_server.sweep.judge import VERDICTS
from fake_server.sweep.junit import told

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fake_server.sweep.results import Case
    from fake_server.sweep.runs import Sweep

_BAR = 24
#: How many findings are shown, and how many lines of each at both ends.
_SHOWN, _ENDS = 40, 4
_ORDER = {verdict: number for number, verdict in enumerate(VERDICTS)}


class Progress:
    """A bar with counts on standard error, if that is a terminal; else a line now and then."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._tenth = 0

    def show(self, sweep: Sweep, _case: Case) -> None:
        """Show how many cases are done."""
        done, all_ = len(sweep.results.cases), len(sweep.chosen)
        text = f"{done}/{all_}  {counts(sweep.results.cases)}"
        if self._live:
            bar = "#" * (_BAR * done // all_)
            print(f"\r\x1b[K[{bar:-<{_BAR}}] {text}", end="", file=sys.stderr, flush=True)
        elif (tenth := 10 * done // all_) > self._tenth:
            self._tenth = tenth
            print(f"sweep: {text}", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Clear the line."""
        if self._live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def counts(cases: Sequence[Case]) -> str:
    """Return how many cases have each verdict, the worst first."""
    found = Counter(case.verdict for case in cases)
    return ", ".join(f"{found[verdict]} {verdict}" for verdict in VERDICTS if found[verdict])


def summary(
    sweep: Sweep, findings: Sequence[Case], whole: bool, again: Callable[[Case], str]
) -> str:
    """Return what a sweep found, as text.

    :param findings: the cases that are no good, of which the first are shown with what they did.
    :param whole: whether what each printed is shown, too.
    :param again: returns the command that repeats a case.
    """
    lines = [*_matrix(sweep.results.cases), ""]
    if sweep.results.varies:
        lines += [f"It varies by itself, and isn't compared: {', '.join(sweep.results.varies)}", ""]
    ordered = sorted(findings, key=lambda case: _ORDER[case.verdict])
    for case in ordered[:_SHOWN]:
        lines += [f"{case.verdict}: {case.id} ({VERDICTS[case.verdict]})"]
        lines += [f"    {line}" for line in _shortened(told(case).splitlines(), whole=whole)]
        lines += [f"    again: {again(case)}", ""]
    if len(ordered) > _SHOWN:
        lines += [f"... and {len(ordered) - _SHOWN} more: see the report.", ""]
    left = len(sweep.chosen) - len(sweep.results.cases)
    unfinished = f" ({left} cases were not run)" if left else ""
    report = sweep.options.report / "index.html"
    lines.append(f"{len(sweep.results.cases)} cases: {counts(sweep.results.cases)}{unfinished}")
    lines.append(f"{len(findings)} findings. Report: {report}")
    return "\n".join(lines)


def _shortened(lines: list[str], *, whole: bool) -> list[str]:
    """Return the first lines, which say what differs, and the last ones, which say why."""
    if whole or len(lines) <= 2 * _ENDS:
        return lines
    return [*lines[:_ENDS], "...", *lines[-_ENDS:]]


def _matrix(cases: Sequence[Case]) -> list[str]:
    """Return a table of the verdicts by request and kind, requests with the worst first."""
    by_request: dict[str, dict[str, Case]] = {}
    for case in cases:
        by_request.setdefault(case.request, {})[case.kind] = case
    rows = sorted(
        by_request.items(), key=lambda row: min(_ORDER[case.verdict] for case in row[1].values())
    )
    width = max((len(request) for request, _ in rows), default=0)
    lines = []
    for request, found in rows:
        worst = sorted(found.values(), key=lambda case: _ORDER[case.verdict])
        groups: dict[str, list[str]] = {}
        for case in worst:
            groups.setdefault(case.verdict, []).append(case.kind)
        told_ = "; ".join(
            f"{verdict}: {', '.join(kinds)}" if verdict != "survived" else f"survived: {len(kinds)}"
            for verdict, kinds in groups.items()
        )
        lines.append(f"{request:{width}}  {told_}")
    return lines
