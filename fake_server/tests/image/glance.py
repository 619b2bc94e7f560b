"""Ask an Image API what ``asked_of_glance.txt`` lists, and write down what it answers.

``python -m fake_server.tests.image.glance URL`` prints the file anew, with the answers of a real
Glance (``tools/real-service glance``), which believes what the headers of a request say of its
sender.

A request is who sends it, a method, a path below ``/v2`` and perhaps a body: YAML, or behind
``raw`` a media type and text as it is. A name behind ``->`` is that of the image it creates.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import yaml

from fake_server.tests import asked

RECORD = Path(__file__).with_name("asked_of_glance.txt")
#: Accounts of the fake server by what the file calls them, with their projects and roles.
ACCOUNTS = {
    "admin": ("admin", "admin", "admin,member,reader"),
    "member": ("project-member", "demo", "member,reader"),
    "reader": ("project-reader", "demo", "reader"),
    "other": ("other-member", "other", "member,reader"),
}
_PATCH = "application/openstack-images-v2.1-json-patch"
_HEADERS = ("content-type", "location", "content-md5", "openstack-image-import-methods", "allow")
_VARYING = (
    (r"https?://[^/\"]+(/image)?/v2", "URL"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME"),
    (r"[0-9a-f]{128}", "SHA512"),
    (r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID"),
)


class Asker:
    """Sends the requests of the file.

    :param send: takes method, path, body (bytes or None) and headers; returns the status, the
        headers by their lowercase names, and the decoded body.
    :param headers: those of each account.
    :param projects: the id of each project.
    """

    def __init__(self, send, headers, projects):
        self.send = send
        self.headers = headers
        self.names = {f"${name.upper()}": ident for name, ident in projects.items()}

    def answer(self, line):
        """Return what a request is answered, in a line."""
        request, _, name = line.partition(" -> ")
        if name:
            self.names[name] = str(uuid5(NAMESPACE_URL, name))
        request = asked.with_ids(request, self.names)
        who, method, path, *rest = request.split(" ", 3)
        headers = {**self.headers[who], "Accept": "application/json"}
        body = None
        if rest and rest[0].startswith("raw "):
            _, headers["Content-Type"], text = rest[0].split(" ", 2)
            body = text.encode()
        elif rest:
            headers["Content-Type"] = _PATCH if method == "PATCH" else "application/json"
            wanted = yaml.safe_load(rest[0])
            if name:
                wanted["id"] = self.names[name]
            body = json.dumps(wanted).encode()
        status, answered, found = self.send(method, f"/v2{path}", body, headers)
        shown = {name: answered[name] for name in _HEADERS if found and name in answered}
        if isinstance(found, dict) and "message" in found:
            # Glance goes on with the whole schema.
            text = found["message"].split("\n\nFailed validating")[0]
            found["message"] = " ".join(text.replace("<br />", " ").split())
        if "allow" in shown:
            shown["allow"] = sorted(shown["allow"].split(", "))
        names = {ident: name for name, ident in self.names.items()}
        return f"{status} {asked.shown([shown, found], names, _VARYING)}"


def main():
    projects = {project: f"{project}-0123456789" for _, project, _ in ACCOUNTS.values()}
    headers = {
        who: {
            "X-Identity-Status": "Confirmed",
            "X-User-Id": name,
            "X-Project-Id": projects[project],
            "X-Roles": roles,
        }
        for who, (name, project, roles) in ACCOUNTS.items()
    }
    send = asked.sender(sys.argv[1].rstrip("/"))
    asked.record(RECORD, Asker(send, headers, projects).answer)


if __name__ == "__main__":
    main()
