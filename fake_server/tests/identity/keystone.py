"""Ask an Identity API what ``asked_of_keystone.txt`` lists, and write down what it answers.

``python -m fake_server.tests.identity.keystone URL`` prints the file anew, with the answers of a
real Keystone (``tools/real-service keystone``), in which it creates the accounts of the fake server
first.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import yaml

from fake_server.tests import asked

RECORD = Path(__file__).with_name("asked_of_keystone.txt")
ACCOUNTS = {
    "admin": "admin",
    "system-reader": None,
    "project-admin": "demo",
    "project-member": "demo",
    "other-member": "other",
}
_ROLES = {"project-admin": "admin", "project-member": "member", "other-member": "member"}
_VARYING = (
    (r"https?://[^/\"]+(/identity)?/v3", "URL"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?", "TIME"),
    (r"\b[0-9a-f]{32,64}\b", "ID"),
    # Keystone goes on with the whole schema.
    (r"(\\n)+Failed validating.*?(?=\", \"title\")", ""),
    (r"\"audit_ids\": \[[^\]]*\]", '"audit_ids": "IDS"'),
    (r"\"secret\": \"[\w-]{64,}\"", '"secret": "SECRET"'),
)


class Asker:
    """Sends the requests of the file.

    :param send: takes method, path below ``/v3``, body or None, and headers; returns the status,
        the headers by their lowercase names, and the decoded body.
    """

    def __init__(self, send):
        self.send = send
        self.tokens = {}
        self.ids = {}

    def token(self, who):
        """Return a token of an account, in its usual scope."""
        if who not in self.tokens:
            project = ACCOUNTS[who]
            scope = (
                {"project": {"name": project, "domain": {"id": "default"}}}
                if project
                else {"system": {"all": True}}
            )
            user = {"name": who, "password": "secret", "domain": {"id": "default"}}
            identity = {"methods": ["password"], "password": {"user": user}}
            body = {"auth": {"identity": identity, "scope": scope}}
            status, headers, _ = self.send("POST", "/auth/tokens", body, {})
            assert status == 201, who
            self.tokens[who] = headers["x-subject-token"]
        return self.tokens[who]

    def learn(self):
        """Note the ids of what there is before the first request."""
        headers = {"X-Auth-Token": self.token("admin")}
        for kind in ("users", "projects", "roles"):
            for item in self.send("GET", f"/{kind}", None, headers)[2][kind]:
                self.ids[f"${item['name'].upper().replace('-', '_')}_{kind[:-1].upper()}"] = item[
                    "id"
                ]

    def answer(self, line):
        """Return what a request is answered, in a line."""
        request, _, name = line.partition(" -> ")
        for known, ident in sorted(self.ids.items(), key=lambda pair: -len(pair[0])):
            request = request.replace(known, ident)
        who, method, path, *rest = request.split(" ", 3)
        secret = self.token(who) if who in ACCOUNTS else who
        headers = {} if who == "nobody" else {"X-Auth-Token": secret}
        path, about_token, other = path.partition("$SUBJECT")
        if about_token:
            headers["X-Subject-Token"] = other.removeprefix("=") or secret
        body = yaml.safe_load(rest[0]) if rest else None
        status, answered, found = self.send(method, path, body, headers)
        if name and status < 300:
            if name.startswith("token "):
                self.ids[name.removeprefix("token ")] = answered["x-subject-token"]
            else:
                (item,) = found.values()
                self.ids[name] = item[0]["id"] if isinstance(item, list) else item["id"]
        return f"{status} {self.shown(found)}".rstrip()

    def shown(self, found):
        """Return a body as text, in which nothing depends on the server or the moment."""
        if found is None:
            return ""
        if isinstance(found, dict) and "token" in found:
            token = found["token"]
            # Keystone repeats roles that follow from several assignments.
            token["roles"] = [
                one
                for number, one in enumerate(token.get("roles", []))
                if one not in token["roles"][:number]
            ]
            if "catalog" in token:
                token["catalog"] = "CATALOG"
        names = {ident: name for name, ident in self.ids.items()}
        return asked.shown(found, names, _VARYING)


def main():
    import requests as http

    base = f"{sys.argv[1].rstrip('/')}/v3"
    changed = False

    def send(method, path, body, headers):
        nonlocal changed
        if changed and (method, path) == ("POST", "/auth/tokens"):
            # Keystone revokes all that was issued in the same second.
            time.sleep(1.1)
            changed = False
        changed |= method in ("PATCH", "DELETE") or path.endswith("/password")
        found = http.request(method, base + path, json=body, headers=headers, timeout=60)
        try:
            decoded = found.json()
        except ValueError:
            decoded = found.text or None
        named = {name.lower(): value for name, value in found.headers.items()}
        return found.status_code, named, decoded

    asker = Asker(send)
    prepare(asker)
    asker.learn()
    asked.record(RECORD, asker.answer)


def prepare(asker):
    """Create the accounts."""
    headers = {"X-Auth-Token": asker.token("admin")}
    ids = {}

    def make(kind, **values):
        status, _, found = asker.send("POST", f"/{kind}s", {kind: values}, headers)
        if status == 409:
            found = asker.send("GET", f"/{kind}s?name={values['name']}", None, headers)[2]
            return found[f"{kind}s"][0]["id"]
        return found[kind]["id"]

    make("role", name="service")
    admin = asker.send("GET", "/projects?name=admin", None, headers)[2]["projects"][0]["id"]
    asker.send("PATCH", f"/projects/{admin}", {"project": {"description": ""}}, headers)
    found = asker.send("GET", "/roles", None, headers)[2]["roles"]
    roles = {one["name"]: one["id"] for one in found}
    for name in ("demo", "other", "service"):
        ids[name] = make("project", name=name)
    for name, project in {**ACCOUNTS, "system-member": None, "nova": "service"}.items():
        if name == "admin":
            continue
        options = {"default_project_id": ids[project]} if project else {}
        user = make("user", name=name, password="secret", **options)
        if project:
            role = roles[_ROLES.get(name, "service")]
            asker.send("PUT", f"/projects/{ids[project]}/users/{user}/roles/{role}", None, headers)
        else:
            role = roles[name.removeprefix("system-")]
            asker.send("PUT", f"/system/users/{user}/roles/{role}", None, headers)


if __name__ == "__main__":
    main()
