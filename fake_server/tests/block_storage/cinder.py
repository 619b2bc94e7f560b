"""Ask a Block Storage API what ``asked_of_cinder.txt`` lists, and write down what it answers.

``python -m fake_server.tests.block_storage.cinder URL`` prints the file anew, with the answers of a
real Cinder (``tools/real-service cinder``), whose users are those that headers name. With the name
of another file, it prints that one; each needs a new Cinder.

A request is who sends it, perhaps with ``@`` and a microversion (3.71 by default, ``none`` for no
header), a method, a path below ``/v3`` and perhaps a body: YAML, or behind ``raw`` a media type and
text as it is. A name behind ``->`` is that of what it creates.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import yaml

from fake_server.tests import asked

RECORDS = [Path(__file__).with_name(f"asked_of_cinder{name}.txt") for name in ("", "_about_quotas")]
#: Accounts of the fake server by what the file calls them, with their projects and roles.
ACCOUNTS = {
    "admin": ("admin", "admin", "admin,member,reader"),
    "member": ("project-member", "demo", "member,reader"),
    "reader": ("project-reader", "demo", "reader"),
    "other": ("other-member", "other", "member,reader"),
}
#: An id that nothing has, and that of a server.
NOWHERE, SERVER = "00000000-0000-0000-0000-000000000001", "11111111-2222-4333-8444-555555555555"
_NEWEST = "3.71"
#: How many seconds a real Cinder may take for what it does in the background.
_LONGEST, _PAUSE = 5, 0.4
#: What a real Cinder ends by itself.
_PASSING = {
    *("creating", "deleting", "extending", "retyping", "restoring-backup", "backing-up"),
    *("restoring", "updating"),
}
_HEADERS = ("openstack-api-version", "vary", "location")
_VARYING = (
    (r"https?://[^/\"]+(/volume)?(?=/)", "URL"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?", "TIME"),
    (r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID"),
    (r"(?<=\"auth_key\": \")[0-9a-f]{16}", "KEY"),
)


class Asker:
    """Sends the requests of the file.

    :param send: takes method, path, body (bytes or None) and headers; returns the status, the
        headers by their lowercase names, and the decoded body.
    :param headers: those of each account.
    :param projects: the id of each project.
    :param users: the id of each account.
    """

    def __init__(self, send, headers, projects, users):
        self.send = send
        self.headers = headers
        self.names = {f"${name.upper()}": ident for name, ident in projects.items()}
        self.names |= {f"${name}": ident for name, ident in users.items()}
        self.names |= {"$NOWHERE": NOWHERE, "$SERVER": SERVER}

    def answer(self, line):
        """Return what a request is answered, in a line."""
        request, _, name = line.partition(" -> ")
        request = asked.with_ids(request, self.names)
        sender, method, path, *rest = request.split(" ", 3)
        who, _, version = sender.partition("@")
        headers = {**self.headers[who], "Accept": "application/json"}
        if version != "none":
            headers["OpenStack-API-Version"] = f"volume {version or _NEWEST}"
        body = None
        if rest and rest[0].startswith("raw "):
            _, headers["Content-Type"], text = rest[0].split(" ", 2)
            body = text.encode()
        elif rest:
            headers["Content-Type"] = "application/json"
            body = json.dumps(yaml.safe_load(rest[0])).encode()
        status, answered, found = self.send(method, f"/v3{path}", body, headers)
        if name and status < 300:
            made = next(value for value in found.values() if isinstance(value, dict))
            self.names[name] = made.get("id") or made["volume_id"]
            if "auth_key" in made:
                self.names[f"{name}_KEY"] = made["auth_key"]
        shown = {header: answered[header] for header in _HEADERS if header in answered}
        if shown.pop("openstack-api-version", None) != headers.get("OpenStack-API-Version"):
            shown["openstack-api-version"] = answered.get("openstack-api-version")
        names = {ident: name for name, ident in self.names.items()}
        return f"{status} {asked.shown([shown, found], names, _VARYING)}"


def main():
    projects = {"admin": "ad" * 16, "demo": "de" * 16, "other": "fe" * 16}
    users = {who: name for who, (name, _, _) in ACCOUNTS.items() if who != "admin"}
    headers = {
        who: {"X-User-Id": name, "X-Project-Id": projects[project], "X-Roles": roles}
        for who, (name, project, roles) in ACCOUNTS.items()
    }
    send = asked.sender(sys.argv[1].rstrip("/"))

    def settled(method, path, body, sent):
        answer = send(method, path, body, sent)
        end = time.monotonic() + _LONGEST
        if answer[0] == 202:
            # A question in between can lock its database.
            time.sleep(_PAUSE)
            while busy() and time.monotonic() < end:
                time.sleep(_PAUSE)
        return answer

    def busy():
        lists = [
            send("GET", f"/v3/{kind}/detail?all_tenants=1", None, newest)[2][kind]
            for kind in ("volumes", "snapshots", "backups", "groups", "group_snapshots")
        ]
        return any(one["status"] in _PASSING for rows in lists for one in rows)

    newest = {**headers["admin"], "OpenStack-API-Version": f"volume {_NEWEST}"}
    record = Path(sys.argv[2]) if sys.argv[2:] else RECORDS[0]
    asked.record(record, Asker(settled, headers, projects, users).answer)


if __name__ == "__main__":
    main()
