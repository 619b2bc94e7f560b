"""Which requests the controls refuse, what they say, and what they tell of recorded requests.

A deliberate change is written down with ``--record -n 0``.
"""

from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path

import pytest

from fake_server.app import Application
from fake_server.clock import Clock
from fake_server.common.wsgi import ConnectionDropped, Request
from fake_server.settings import Settings
from fake_server.tests import databases, recorded

RECORD = Path(__file__).with_name("guard.json.gz")
OWN = re.compile(
    rf"{recorded.UUID}|{recorded.TIME}|req-[0-9a-f-]+"
    r"|(?<=\"time\": )[\d.e-]+|(?<=\"wait\": )[\d.e-]+"
    r"|(?<=\"seconds\": )[\d.e-]+(?=[,}])|(?<=\"id\": \")\d{9,}"
)
TYPE = {"CONTENT_TYPE": "application/json"}
HOSTS = ("localhost", "localhost:80", "127.0.0.1", "127.0.0.1:6385", "[::1]", "[::1]:80", "fake")
QUERIES = (*("text=n", "text=n&text=m", "state=enroll", "state=x", "bogus=x", "state=a&state=b"),)
FILTERS = (
    *(
        "format=json",
        "format=har",
        "format=x",
        "format=json&format=har",
        "status=404",
        "status=4xx",
    ),
    *("status=9xx", "status=40", "limit=0", "limit=999999999", "limit=1000000000", "limit=-1"),
    *("limit=1&limit=2", "limit=", "method=GET", "path=/v1/*", "node=n", "bogus=x"),
)
ASKED = (
    *(("GET", "/_fake/clock", {"HTTP_HOST": host}) for host in (*HOSTS, "", "fake:80", "::1")),
    *(
        ("GET", "/_fake/clock", {"HTTP_ORIGIN": origin})
        for origin in ("http://localhost", "https://localhost", "http://x", "null", "")
    ),
    *(
        (method, "/_fake/reset", {"CONTENT_TYPE": kind})
        for kind in ("", "text/plain", "application/json", "application/json; charset=utf-8")
        for method in ("POST", "GET", "HEAD", "PUT")
    ),
    *(
        ("GET", path, {"HTTP_X_FAKE_TOKEN": token})
        for path in ("/_fake/clock", "/_fake", "/_fake/health", "/_fake/page/page.js")
        for token in ("t", "T", "", "é")
    ),
    *(("GET", f"/_fake/page/{name}", {}) for name in ("page.css", "dom.js", "x.js", "index.html")),
    *(
        ("GET", path, {})
        for path in ("/_fake/", "/_fake/bogus", "/_fake/nodes/n", "/_fake/nodes/x")
    ),
    *(("HEAD", "/_fake/health", {}), ("POST", "/_fake/health", TYPE), ("HEAD", "/_fake/clock", {})),
    *(("GET", "/_fake/overview", {"QUERY_STRING": query}) for query in QUERIES),
    *(("GET", "/_fake/requests", {"QUERY_STRING": query}) for query in FILTERS),
    *(
        (method, f"/_fake/{path}", TYPE, body)
        for method, path, body in (
            *(("PUT", "delays", {"nodes": ["n"]}), ("PUT", "delays", {"nodes": {"n": 5}})),
            *(("PUT", "delays", {"nodes": {"n": {"cleaning": 5}}}), ("DELETE", "delays", None)),
            *(("PUT", "delays", {"nodes": {"n": {"x": 5}}}), ("PUT", "delays", ["n"])),
            *(("POST", "faults", {"do": {"locked": on}}) for on in (True, False, 1)),
            *(("POST", "faults", {"do": {"headers": {name: "x"}}}) for name in ("", "a b", "A-b")),
            *(("POST", "faults", {"do": {"headers": {"A": value}}}) for value in ("\n", "é", "~")),
            *(("PUT", "clock", {"mode": "real"}), ("POST", "clock/advance", {"seconds": 5})),
            *(("PUT", "clock", {"mode": "real", "now": 5}), ("PUT", "clock", {"mode": "manual"})),
            *(("POST", "snapshots/x/restore", None), ("DELETE", "snapshots/x", None)),
        )
    ),
)


class Server:
    """An application whose controls need a token, or none."""

    def __init__(self, token):
        settings = Settings(control_token=token)
        clock = Clock("manual", start=1_700_000_000)
        self.app = Application(settings, db=databases.new(), clock=clock)

    def ask(self, method, path, headers, body=None):
        data = body if isinstance(body, bytes) else json.dumps(body).encode() if body else b""
        environ = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "QUERY_STRING": "",
            "CONTENT_TYPE": "",
            "CONTENT_LENGTH": str(len(data)),
            "wsgi.input": BytesIO(data),
            "wsgi.url_scheme": "http",
            "HTTP_HOST": "localhost",
            "HTTP_X_OPENSTACK_IRONIC_API_VERSION": "1.115",
            **headers,
        }
        try:
            response = self.app.answer(Request(environ))
        except ConnectionDropped:
            return "dropped"
        text = OWN.sub("-", response.body.decode())
        kept = not dict(response.headers).get("Content-Type", "").startswith("text/")
        shown = sorted(map(list, response.headers))
        return [response.status, json.loads(OWN.sub("-", json.dumps(shown))), kept and text]


@pytest.mark.parametrize("token", [None, "t"])
def test_controls_answer_as_recorded(request, token):
    server, found = Server(token), {}
    for asked in ASKED:
        told = server.ask(*asked)
        server.app.control.clock.switch("manual", start=1_700_000_000)
        # A real clock goes on.
        moved = asked[1:] == ("/_fake/clock", TYPE, {"mode": "real"})
        found[str(asked)] = told[:2] if moved else told
    recorded.check(request, RECORD, f"controls with the token {token}", found)


def test_requests_are_kept_as_recorded(request):
    server = Server(None)
    node = {"driver": "fake-hardware", "name": "n", "driver_info": {"fake_password": "secret"}}
    add = {"do": {"drop": "after"}, "match": {"path": "/v1/chassis"}}
    for asked in (
        ("POST", "/v1/nodes", TYPE, node),
        ("POST", "/v1/nodes", TYPE, b"secret"),
        ("POST", "/v1/nodes", {}, b"{"),
        ("GET", "/v1/nodes/n", {"HTTP_X_AUTH_TOKEN": "secret", "QUERY_STRING": "password=x&a="}),
        ("GET", "/v1/nodes/x", {"HTTP_AUTHORIZATION": "secret", "HTTP_COOKIE": "secret"}),
        ("HEAD", "/v1/nodes", {}),
        ("POST", "/_fake/faults", TYPE, add),
        ("GET", "/v1/chassis", {}),
        ("DELETE", "/v1/nodes/n", {}),
    ):
        server.ask(*asked)
    found = {
        form: server.ask("GET", "/_fake/requests", {"QUERY_STRING": f"format={form}"})
        for form in ("json", "har")
    }
    requests = server.app.control.requests
    for times in (None, 0, 1, 2):
        for path in ("/v1/nodes", "/v1/nodes/*", "/bogus"):
            try:
                requests.assert_asked("GET", path, times=times)
                said = None
            except AssertionError as exc:
                said = str(exc)
            found[f"{path} {times}"] = said
    requests.clear()
    with pytest.raises(AssertionError) as caught:
        requests.assert_asked("GET", "/v1")
    found["nothing"] = str(caught.value)
    recorded.check(request, RECORD, "requests", found)
