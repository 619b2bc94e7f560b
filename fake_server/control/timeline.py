"""The timeline of a server: the states of its nodes, and the requests that were for them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import sqlalchemy as sa

from fake_server.baremetal.conductor.due.registry import AT_NODES
from fake_server.baremetal.models import node_states
from fake_server.baremetal.models import nodes as node_models
from fake_server.baremetal.tables import nodes
from fake_server.common import due_work

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fake_server.common.redaction import Redactor
    from fake_server.control.recorded_request import RecordedRequest
    from fake_server.control.request_log import RequestLog
    from fake_server.db.store import Record, Transaction

#: Lanes at most; nodes with which something happened come first.
MOST_LANES = 10_000
#: Characters of a body that are shown.
_LONGEST_BODY = 500
_IP_ADDRESS = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b|\[[0-9A-Fa-f]*:[0-9A-Fa-f:.]+\]")
_NODE_KEYS = ("node", "node_uuid", "node_ident")


def of_server(
    tx: Transaction,
    log: RequestLog,
    now: float,
    *,
    bodies: bool = False,
) -> dict[str, Any]:
    """Return the timeline, its secrets masked; ``timeline.js`` describes its form.

    :param now: the time of the server's clock.
    :param bodies: whether the requests are shown with their bodies.
    """
    requests, redactor = log.requests, log.redactor
    changes = node_states.fetch(tx)
    lanes = _lanes(tx, changes, redactor)
    idents = {ident: number for number, lane in enumerate(lanes) for ident in _idents(lane)}
    moments = [now, *(row["moment"] for row in changes), *(one.moment for one in requests)]
    start, end = min(moments), max(moments)
    for lane in lanes:
        lane["states"] = [[round(max(at - start, 0), 3), *more] for at, *more in lane["states"]]
        lane["due"] = [[at - start, what] for at, what in lane["due"]]
    ticks = [_tick(one, redactor, start, idents, bodies=bodies) for one in requests]
    return {
        "about": _about(lanes, requests, start, end),
        "failures": _failures(lanes),
        "start": start,
        "end": end,
        "lanes": lanes,
        "ticks": ticks,
    }


def _lanes(tx: Transaction, changes: Iterable[Record], redactor: Redactor) -> list[dict[str, Any]]:
    """Return the lanes, with times in seconds since the epoch."""
    lanes: dict[str, dict[str, Any]] = {}
    for row in changes:
        lane = lanes.get(row["uuid"])
        if lane is None:
            lane = lanes[row["uuid"]] = {"uuid": row["uuid"], "states": [], "due": []}
            if row["old_state"] is not None:
                # It was in the database before the first change that is kept.
                lane["states"].append([0.0, 0.0, row["old_state"], None])
        lane["name"] = row["name"] or row["uuid"]
        error = row["last_error"] and redactor.text(row["last_error"]) if row["new_state"] else None
        lane["states"].append([row["moment"], row["real_time"], row["new_state"], error])
    present = tx.all(_present())
    due = due_work.by_thing(tx, map(node_models.thing_of, present))
    for row in present:
        lane = lanes.get(row["uuid"])
        if lane is None:
            if len(lanes) >= MOST_LANES:
                continue
            error = row["last_error"] and redactor.text(row["last_error"])
            states = [[0.0, 0.0, row["provision_state"], error]]
            lane = lanes[row["uuid"]] = {"uuid": row["uuid"], "states": states}
        lane["name"] = row["name"] or row["uuid"]
        lane["due"] = [
            [one["due_at"], AT_NODES[one["kind"]].label]
            for one in due.get(node_models.thing_of(row), ())
        ]
    return list(lanes.values())


def _present() -> sa.Select[Any]:
    names = ("uuid", "name", "provision_state", "last_error")
    return sa.select(*(nodes.c[name] for name in names)).order_by(nodes.c.id)


def _idents(lane: Mapping[str, Any]) -> tuple[str, str]:
    return lane["uuid"], lane["name"]


def _tick(
    request: RecordedRequest,
    redactor: Redactor,
    start: float,
    idents: Mapping[str, int],
    *,
    bodies: bool,
) -> list[Any]:
    query = redactor.query(request.query)
    called = f"{request.method} {redactor.text(request.path)}{f'?{query}' if query else ''}"
    status = str(request.status) if request.status else "dropped"
    kind = 2 if request.status >= 500 or not request.status else int(request.status >= 400)
    details: dict[str, Any] = {"id": request.id}
    if request.fault is not None:
        details["fault"] = str(request.fault)
    if bodies:
        details |= _bodies(request, redactor)
    named = (idents[name] for name in _named(request) if name in idents)
    at, text = request.moment - start, f"{called} → {status}"
    return [round(at, 3), request.at, next(named, -1), text, kind, details]


def _named(request: RecordedRequest) -> Iterable[str]:
    """Return what may be the name of the node that a request is for."""
    yield from request.path.split("/")[2:]
    yield from (value for name, value in parse_qsl(request.query) if name in _NODE_KEYS)
    if request.method == "POST":
        try:
            sent = request.json()
        except ValueError:
            return
        if isinstance(sent, dict):
            yield from (sent[key] for key in _NODE_KEYS if isinstance(sent.get(key), str))


def _bodies(request: RecordedRequest, redactor: Redactor) -> dict[str, str]:
    """Return what was sent, and the answer if it was an error."""
    kept = {"sent": request.sent or b""}
    if request.status >= 400:
        kept["answer"] = request.answered or b""
    shown = {name: redactor.body(content) for name, content in kept.items()}
    version = {"version": request.version} if request.version else {}
    return version | {
        name: text if len(text) <= _LONGEST_BODY else f"{text[:_LONGEST_BODY]}…"
        for name, text in shown.items()
        if text
    }


def _about(
    lanes: Sequence[Mapping[str, Any]],
    requests: Sequence[RecordedRequest],
    start: float,
    end: float,
) -> list[tuple[str, str]]:
    refused = sum(one.status >= 400 or not one.status for one in requests)
    return [
        ("Nodes", str(len(lanes))),
        ("Requests", f"{len(requests)}, {refused} with an error"),
        ("From", _written(start)),
        ("Until", _written(end)),
    ]


def _failures(lanes: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the errors of the nodes that are in a failure state, with the nodes of each.

    Errors that differ only in what nodes are called, or in IP addresses, are one.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for lane in lanes:
        state, error = lane["states"][-1][2:]
        if state and ("failed" in state or state == "error"):
            text = error or "no reason was given"
            for ident in _idents(lane):
                text = re.sub(rf"(?<![\w-]){re.escape(ident)}(?![\w-])", "<node>", text)
            key = (state, _IP_ADDRESS.sub("<address>", text))
            found.setdefault(key, []).append(lane["name"])
    return [
        {"text": f"{len(names)} in {state}: {error}", "names": names}
        for (state, error), names in found.items()
    ]


def _written(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
