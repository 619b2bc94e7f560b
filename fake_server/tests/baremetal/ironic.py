"""Ask a Bare Metal API what ``asked_of_ironic.txt`` lists, and write down what it answers.

``python -m fake_server.tests.baremetal.ironic URL`` prints the file anew, with the answers of a
real Ironic without authentication, which has just been started.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import yaml

from fake_server.tests import asked

RECORD = Path(__file__).with_name("asked_of_ironic.txt")
_VERSION = "X-OpenStack-Ironic-API-Version"
_VARYING = [(r"https?://[^/\"]+", "URL")]


class Asker:
    """Sends the requests of the file.

    :param send: as of :func:`.asked.sender`.
    """

    def __init__(self, send):
        self.send = send

    def answer(self, line):
        """Return what a request is answered, in a line: the fields that it names, or an error."""
        request, _, fields = line.partition(" ? ")
        request, _, headers = request.partition(" | ")
        method, path, body = (*request.split(" ", 2), "")[:3]
        method, _, version = method.partition("@")
        given = {_VERSION: version or "latest", **(yaml.safe_load(headers) or {})}
        content = None
        if body:
            content = json.dumps(yaml.safe_load(body)).encode()
            given = {"Content-Type": "application/json", **given}
        status, _, found = self.send(method, path, content, given)
        return f"{status} {self._shown(status, found, fields.split())}".rstrip()

    def _shown(self, status, found, fields):
        if isinstance(found, dict) and "error_message" in found:
            found = _text(found["error_message"])
        elif status < 300:
            found = {name: found.get(name, "-") for name in fields} if fields else None
        return "" if found is None else asked.shown(found, {}, _VARYING)


def _text(fault):
    """Return what an error says, which Ironic writes as JSON in JSON, as JSON, or as it is."""
    if isinstance(fault, str):
        try:
            fault = json.loads(fault)
        except ValueError:
            return fault
    return fault.get("faultstring", fault)


def main():
    asked.record(RECORD, Asker(asked.sender(sys.argv[1].rstrip("/"))).answer)


if __name__ == "__main__":
    main()
