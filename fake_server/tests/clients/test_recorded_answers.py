"""What counts as a difference of two answers, and what doesn't."""

from __future__ import annotations

import json

import requests

from fake_server.clients.comparison import answers

BASE = "http://ironic"
TIMES = (
    *("2026-01-31T12:00:00+00:00", "2026-01-31T12:00:00Z", "2026-01-31 12:00:00", "2026-01-31"),
    *("at 2026-01-31T12:00:00.123456, not 2026-01-31T12:00:00-05:00", "12:00:00"),
)
BODIES = (
    *({"x": one} for one in TIMES),
    *({"x": one} for one in (f"{BASE}/v1/nodes", "req-0a-1b and req-x", None, True, 5, 1.5)),
    *(
        {name: value}
        for name in ("driver_internal_info", "reservation")
        for value in (None, {}, "x")
    ),
    *({name: "x"} for name in ("created_at", "at", "updated_at", "at_x")),
    *({name: ["b", "a"]} for name in ("hosts", "enabled_boot_interfaces", "enable", "x")),
    *({"nodes": [{"created_at": 5, "links": [{"href": f"{BASE}/v1"}]}]}, [1, f"{BASE}/"], "text"),
    *({"error_message": text} for text in ('{"faultstring": "x"}', "x", "", 5, "[1]")),
)
HEADERS = (
    *({}, {"Allow": "PUT, GET,HEAD  POST"}, {"Content-Type": "Application/JSON; Charset=X"}),
    *({"Location": f"{BASE}/v1/nodes/x"}, {"Server": "x"}, {"x-openstack-request-id": "req-1"}),
    *({f"X-OpenStack-Ironic-API-{name}Version": "1.5"} for name in ("", "Minimum-", "Maximum-")),
)
PAIRS = (
    *((1, 1), (1, 2), (1, True), (True, 1), (0, False), (None, None), ("a", "b"), ({}, {})),
    *(({"a": 1}, {"a": 2}), ({"a": 1}, {}), ({}, {"a": 1}), ({"b": 1, "a": 2}, {"c": 3, "b": 1})),
    *(([1, 2], [1, 3]), ([1], [1, 2]), ([], {}), ([{"a": {"b": [1]}}], [{"a": {"b": [2]}}])),
    *(({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3, "c": 4}]}), ({"a": None}, {})),
)


def answer(content=b"", status=200, headers=()):
    made = requests.Response()
    made.status_code, made._content, made.encoding = status, content, "utf-8"
    made.headers.update(headers)
    return made


def test_answers_are_seen_as_recorded(recorded):
    found = {
        f"body {json.dumps(body)}": json.dumps(
            answers.view(answer(json.dumps(body).encode()), BASE)["body"]
        )
        for body in BODIES
    }
    for headers in HEADERS:
        found[f"headers {headers}"] = json.dumps(answers.view(answer(b"{", 404, headers), BASE))
    recorded(found)


def test_differences_are_as_recorded(recorded):
    pairs = {str(pair): list(answers.differences(*pair, "body")) for pair in PAIRS}
    recorded({pair: [str(one) for one in found] or "none" for pair, found in pairs.items()})
