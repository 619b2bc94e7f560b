"""How the steps of plans look: as lines, as numbers, as JSON, and on the page of a report."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from baremetalclient.osc.terminal.progress import some_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from baremetalclient.declare import PlannedStep, StepResult
    from baremetalclient.osc.report.page import ReportPage

MANY = 20
"""Above this number of new nodes, they are summarized."""


class _Look(NamedTuple):
    """How steps of a kind look, and how they are counted before and after they are taken."""

    sign: str
    colour: str
    planned: str
    done: str


_LOOKS: Mapping[str, _Look] = {
    "create": _Look("+", "\x1b[32m", "to add", "added"),
    "change": _Look("~", "\x1b[33m", "to change", "changed"),
    "interrupt": _Look("!", "\x1b[31m", "to interrupt", "interrupted"),
    "remove": _Look("-", "\x1b[31m", "to remove", "removed"),
    "refused": _Look("!", "\x1b[31m", "refused", "refused"),
}


def look_of(step: PlannedStep) -> _Look:
    """Return how a step looks."""
    interrupts = step.action == "change" and step.interrupts
    return _LOOKS["interrupt" if interrupts else step.action]


def outcome_of(step: StepResult) -> str:
    """Return what became of a step, such as ``added`` or ``failed``."""
    through = step.result == "done" or step.action == "refused"
    return look_of(step).done if through else step.result


def groups_of(steps: Sequence[PlannedStep], *, summary: bool | None) -> list[list[PlannedStep]]:
    """Return steps that are printed together, in the order of the first of each."""
    if summary is None:
        new = sum(step.kind == "node" and step.action == "create" for step in steps)
        alike = {"create"} if new > MANY else set()
    else:
        alike = {"create", "change", "remove"} if summary else set()
    groups: dict[tuple[object, ...], list[PlannedStep]] = {}
    for at, step in enumerate(steps):
        look = look_of(step)
        together = step.action in alike and look is not _LOOKS["interrupt"]
        groups.setdefault((look, step.kind) if together else (at,), []).append(step)
    return list(groups.values())


def together(steps: Sequence[PlannedStep]) -> str:
    """Return one line for steps of the same kind."""
    kind = steps[0].kind
    noun = kind if kind == "chassis" else f"{kind}s"
    return f"{look_of(steps[0]).sign} {len(steps)} {noun}: {some_names([one.id for one in steps])}"


def as_json(steps: Iterable[PlannedStep]) -> str:
    """Return steps as ``-f json`` prints them."""
    return json.dumps({"changes": [asdict(step) for step in steps]}, indent=2)


def page_text(page: ReportPage, steps: Iterable[StepResult]) -> str:
    """Return the page of a report, with a lane for each node and what was done to it."""
    from baremetalclient._bulk.result import Result

    results = []
    for one in steps:
        name = one.node or one.id
        uuid = one.uuid if one.kind == "node" else None
        error = None
        if one.result == "done":
            page.timeline.note(name, name_of(one))
        else:
            error = f"{name_of(one)}: {one.error or 'not begun'}"
        results.append(Result(name, uuid, one.result, error=error))
    return page.text("apply", "node", results)


def counted(words: Iterable[str]) -> str:
    """Return how often there is each word, such as ``3 added, 1 failed``."""
    counts = Counter(words)
    known = [word for look in _LOOKS.values() for word in (look.planned, look.done)]
    order = dict.fromkeys([*known, "failed", "skipped"])
    return ", ".join(f"{counts[word]} {word}" for word in order if counts[word])


def name_of(step: PlannedStep) -> str:
    """Return what a step is about, behind the sign of what it does."""
    of = f" of node {step.node}" if step.node is not None and step.kind != "node" else ""
    return f"{look_of(step).sign} {step.kind} {step.id}{of}"


def lines_of(step: PlannedStep) -> Iterable[str]:
    """Yield the lines of a step: what it is about, and the fields that change."""
    why = ""
    if step.reason:
        why = f": refused, because {step.reason}"
    elif step.action == "change" and step.interrupts:
        why = f": {step.interrupts}"
    yield name_of(step) + why
    for name, change in step.fields.items():
        if step.action == "create":
            yield f"    {name}: {_written(change['new'])}"
        else:
            yield f"    {name}: {_written(change['old'])} → {_written(change['new'])}"


def _written(value: Any) -> str:
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
