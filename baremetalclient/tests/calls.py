"""Which method of the SDK and which command makes which call, for the table in the documentation.

``tools/dev routes`` runs the unit tests with ``--record-calls FILE``, in one process.
"""

from __future__ import annotations

import inspect
import json
import threading
from functools import wraps
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from baremetalclient import client
from baremetalclient._http.baremetal import HTTPClient
from baremetalclient.osc import command
from baremetalclient.v1.resources import RESOURCES

REFERENCE = Path(__file__).parents[2] / "doc" / "source" / "reference"
DATA = REFERENCE / "calls.json"
_ROUTES = REFERENCE / "routes.json"
_COMMANDS = {
    entry.name.replace("_", " ").removeprefix("baremetal ")
    for entry in entry_points(group="openstack.baremetal.v1")
}
#: Commands that make many different calls.
COMPOSED = frozenset(
    {"apply", "create", "diff", "export", "lab graph", "node explain", "node watch"}
)


def managers() -> dict[str, Any]:
    """Return all managers by their names."""
    ironic = client.get_client(1, endpoint="http://127.0.0.1:1")
    return {name: getattr(ironic, name) for name in RESOURCES}


class Recorder:
    """Notes who sends which request."""

    def __init__(self) -> None:
        self._routes = [
            (name.split()[0], name.split()[1].strip("/").split("/"), name)
            for name in json.loads(_ROUTES.read_text())
        ]
        self._seen: set[tuple[str, str, str]] = set()
        self._command = ""
        self._methods = threading.local()

    def install(self) -> None:
        """Take part in all calls from now on."""
        for name, manager in managers().items():
            for attribute, function in inspect.getmembers(type(manager), inspect.isfunction):
                if not attribute.startswith("_"):
                    wrapped = self._note_method(f"{name}.{attribute}", function)
                    setattr(type(manager), attribute, wrapped)
        command._run = self._note_command(command._run)
        HTTPClient.request = self._note_request(HTTPClient.request)  # type: ignore[method-assign]

    def write(self, path: Path) -> None:
        """Write what was seen: of a command that changes something, only these calls."""
        changing = {command for command, _, route in self._seen if not route.startswith("GET")}
        lines = []
        for _, _, route in self._routes:
            seen = [one for one in self._seen if one[2] == route]
            commands = {
                command
                for command, _, _ in seen
                if command and not (route.startswith("GET") and command in changing)
            }
            methods = {method for _, method, _ in seen if method}
            if methods:
                found = {"methods": sorted(methods), "commands": sorted(commands)}
                lines.append(f"{json.dumps(route)}: {json.dumps(found)}")
        path.write_text("{\n" + ",\n".join(lines) + "\n}\n")

    def _note_method(self, name: str, function: Any) -> Any:
        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            before = getattr(self._methods, "name", "")
            self._methods.name = name
            try:
                return function(*args, **kwargs)
            finally:
                self._methods.name = before

        return call

    def _note_command(self, function: Any) -> Any:
        @wraps(function)
        def run(running: command.Command, *args: Any) -> Any:
            name = (running.cmd_name or "").removeprefix("baremetal ")
            self._command = name if name in _COMMANDS - COMPOSED else ""
            try:
                return function(running, *args)
            finally:
                self._command = ""

        return run

    def _note_request(self, function: Any) -> Any:
        @wraps(function)
        def request(http: HTTPClient, method: str, path: str, **options: Any) -> Any:
            segments = path.partition("?")[0].strip("/").split("/")
            for verb, pattern, name in self._routes:
                fits = len(pattern) == len(segments) and all(
                    expected in ("{}", given)
                    for expected, given in zip(pattern, segments, strict=True)
                )
                if verb == method and fits:
                    self._seen.add((self._command, getattr(self._methods, "name", ""), name))
                    break
            return function(http, method, path, **options)

        return request
