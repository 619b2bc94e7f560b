"""Ask a Placement API what ``asked_of_placement.txt`` lists, and write down what it answers.

``python -m fake_server.tests.placement.placement URL`` prints the file anew, with the answers of a
real Placement (``tools/real-service placement``).

A request is a microversion (``none`` for no header), a method, a path and perhaps a body: YAML, or
behind ``raw`` a media type and text as it is. ``@name`` stands for a UUID.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import yaml

from fake_server.tests import asked

RECORD = Path(__file__).with_name("asked_of_placement.txt")
_HEADERS = ("openstack-api-version", "vary", "cache-control", "last-modified", "location", "allow")
_NAME = re.compile(r"@([a-z]\w*)")
_VARYING = (
    (r"https?://[^/\"]+(/placement)?(?=/)", "URL"),
    (r'"/placement(?=/)', '"'),
    (r"\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT", "TIME"),
    (r"req-[0-9a-f-]{36}", "REQUEST"),
    # What the database says.
    (r"Update conflict: [^\"]*", "Update conflict: DUPLICATE"),
)


class Asker:
    """Sends the requests of the file.

    :param send: takes method, path, body (bytes or None) and headers; returns the status, the
        headers by their lowercase names, and the decoded body.
    """

    def __init__(self, send):
        self.send = send
        self.names = {}

    def answer(self, line):
        """Return what a request is answered, in a line."""
        request = _NAME.sub(lambda match: self._uuid(match[1]), line)
        version, method, path, *rest = request.split(" ", 3)
        headers = {"X-Auth-Token": "admin", "Accept": "application/json"}
        if version != "none":
            headers["OpenStack-API-Version"] = f"placement {version}"
        body = None
        if rest and rest[0].startswith("raw "):
            _, headers["Content-Type"], text = rest[0].split(" ", 2)
            body = text.encode()
        elif rest:
            headers["Content-Type"] = "application/json"
            body = json.dumps(yaml.safe_load(rest[0])).encode()
        status, answered, found = self.send(method, path, body, headers)
        if isinstance(found, dict) and "errors" in found:
            # Placement goes on with the whole schema.
            (error,) = found["errors"]
            error["detail"] = re.split(r"\s+Failed validating", error["detail"])[0].rstrip()
        shown = {name: answered[name] for name in _HEADERS if name in answered}
        names = {ident: f"@{name}" for name, ident in self.names.items()}
        return f"{status} {asked.shown([shown, found], names, _VARYING)}"

    def _uuid(self, name):
        return self.names.setdefault(name, str(uuid5(NAMESPACE_URL, name)))


def main():
    asked.record(RECORD, Asker(asked.sender(sys.argv[1].rstrip("/"))).answer)


if __name__ == "__main__":
    main()
