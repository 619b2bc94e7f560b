"""Requests that a real Ironic 39.0.0 answered once, and the same requests to the fake server.

In the recorded answers, UUIDs, times, host names and the server's URL are replaced by placeholders.
There is none where that Ironic failed itself, and where its networks were asked.
"""

from __future__ import annotations

import gzip
import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

from fake_server.app import Application
from fake_server.common.wsgi import Request
from fake_server.settings import ENABLED_INTERFACES, Settings
from fake_server.tests import databases

_FILE = Path(__file__).with_name("recorded_requests.json.gz")
# That Ironic knew no newer version than 1.115.
_SETTINGS = Settings(
    hardware_types=("fake-hardware",), interfaces=ENABLED_INTERFACES, max_minor=115
)
_BASE = "http://ironic"
_UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_ABSENT = "00000000-0000-4000-8000-00000000dead"
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?")
_HEADERS = {
    *(f"X-OpenStack-Ironic-API-{which}Version" for which in ("Minimum-", "Maximum-", "")),
    *("Content-Type", "Location", "Allow"),
}
# What Ironic prints in any order, and what it says about its own inside.
_UNORDERED = re.compile(
    r"(missing traits |Unexpected arguments: |connectivity attributes \()([^.)]*)"
)
_INSIDE = (
    (re.compile(r"req-<uuid-\d+>"), "<request-id>"),
    (re.compile(r"(by host |[Cc]onductor )(localhost|fake)\b"), r"\1<host>"),
    (re.compile(r"(traits for node |because portgroup )\d+"), r"\1<id>"),
    (re.compile(r"\n\nFailed validating .*", re.DOTALL), ""),
)

SCENARIOS: dict[str, list[dict[str, Any]]] = json.loads(gzip.decompress(_FILE.read_bytes()))


def application() -> Application:
    """Return a server like the Ironic that answered."""
    return Application(_SETTINGS, db=databases.new())


class Replay:
    """Sends the requests of a scenario to a server that it resets first."""

    def __init__(self, app: Application, steps: list[dict[str, Any]]) -> None:
        self._app = app
        app.control.snapshots.reset()
        self._chosen = set(_UUID.findall(json.dumps([step["request"] for step in steps])))
        self._names: dict[str, str] = {}
        self._captured: dict[str, str] = {}

    def answer(self, step: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return its answer with placeholders."""
        request = step["request"]
        path = self._filled(request["path"])
        if request.get("service"):
            path = f"/networking{path}"
        body = self._filled(json.dumps(request["body"])).encode() if "body" in request else b""
        status, headers, content = self._send(
            request["method"], path, body, request.get("headers", {})
        )
        for name, place in step.get("capture", {}).items():
            value = _find(content, place)
            self._captured[name] = value
            if _UUID.fullmatch(value):
                self._names.setdefault(value, f"<{name}>")
        found = self._view(status, headers, content)
        for node in step.get("settle", ()):
            # Whoever looks next finds that what was due has happened.
            self._send("GET", f"/v1/nodes/{self._filled(node)}", b"", {})
        return found

    def _send(
        self, method: str, target: str, body: bytes, headers: dict[str, str]
    ) -> tuple[int, dict[str, str], bytes]:
        path, _, query = target.partition("?")
        kind = {"Content-Type": "application/json"} if body else {}
        environ = {
            "REQUEST_METHOD": method,
            "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": query,
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": BytesIO(body),
            "wsgi.url_scheme": "http",
            "HTTP_HOST": _BASE.removeprefix("http://"),
        }
        for name, value in {**kind, **headers}.items():
            key = name.upper().replace("-", "_")
            environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
        response = self._app.answer(Request(environ))
        content = b"" if method == "HEAD" else response.body
        return response.status, dict(response.headers), content

    def _filled(self, text: str) -> str:
        return re.sub(r"{{([\w-]+)}}", lambda found: self._captured.get(found[1], _ABSENT), text)

    def _view(self, status: int, headers: dict[str, str], content: bytes) -> dict[str, Any]:
        shown = {name: value for name, value in headers.items() if name in _HEADERS}
        if "Allow" in shown:
            shown["Allow"] = ", ".join(sorted(re.split(r"[,\s]+", shown["Allow"])))
        if "Content-Type" in shown:
            shown["Content-Type"] = shown["Content-Type"].lower().replace(" ", "")
        view: dict[str, Any] = {"status": status}
        if not content:
            view["empty"] = True
        else:
            try:
                view["body"] = self._neutral(_decoded(content))
            except ValueError:
                view["text"] = self._text(content.decode())
        return {**view, "headers": {name: self._text(value) for name, value in shown.items()}}

    def _neutral(self, value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            if {"name", "hosts"} <= set(value):
                value = {**value, "hosts": "<hosts>" if value["hosts"] else None}
            return {self._text(name): self._neutral(value[name], name) for name in sorted(value)}
        if isinstance(value, list):
            items = sorted(value, key=str) if key.startswith("enabled_") else value
            return [self._neutral(item) for item in items]
        if isinstance(value, str):
            host = key in ("conductor", "reservation", "hostname") and value
            return "<host>" if host else self._text(value)
        return value

    def _text(self, value: str) -> str:
        text = _TIME.sub(lambda found: f"<time{found[2] or ''}>", value.replace(_BASE, "<base>"))
        text = _UUID.sub(self._named, text)
        text = _UNORDERED.sub(
            lambda found: found[1] + ", ".join(sorted(found[2].split(", "))), text
        )
        for pattern, replacement in _INSIDE:
            text = pattern.sub(replacement, text)
        return text

    def _named(self, found: re.Match[str]) -> str:
        uuid = found[0]
        if uuid in self._chosen:
            return uuid
        return self._names.setdefault(uuid, f"<uuid-{len(self._names) + 1}>")


def _decoded(content: bytes) -> Any:
    document = json.loads(content)
    if isinstance(document, dict) and isinstance(document.get("error_message"), str):
        document["error_message"] = json.loads(document["error_message"])
    return document


def _find(content: bytes, place: str) -> str:
    try:
        value = json.loads(content)
        for part in place.split("."):
            value = value[int(part) if part.isdigit() else part]
    except (KeyError, ValueError):
        return ""
    return str(value)
