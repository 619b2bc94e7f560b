"""Ask a Compute API what ``asked_of_nova.txt`` lists, and write down what it answers.

``python -m fake_server.tests.compute.nova URL`` prints the file anew, with the answers of a real
Nova (``tools/real-service nova``), whose other services are those of a fake server.

A request is who sends it, a microversion (``-`` for none), a method, a path below ``/v2.1``, or
with ``:`` and the name of a service below its version, and perhaps a body: YAML, or behind ``raw``
text as it is. A name behind ``->`` is that of what it makes. Before the next request, all servers
and volumes have become what they are to be.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path

import yaml

from fake_server.tests import asked

RECORD = Path(__file__).with_name("asked_of_nova.txt")
SEED = Path(__file__).with_name("cloud_of_nova.yaml")
#: Accounts of the fake server by what the file calls them, with their projects.
ACCOUNTS = {
    "admin": ("admin", "admin"),
    "member": ("project-member", "demo"),
    "reader": ("project-reader", "demo"),
    "other": ("other-member", "other"),
}
_PATHS = {"compute": "/v2.1", "network": "/v2.0", "volume": "/v3", "image": "/v2"}
#: Of the headers that depend on a request, those that clients read.
_HEADERS = ("location", "retry-after")
_UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_VARYING = (
    # Numbers that requests took in vain are left out by some databases, as by the real one.
    (r"(for flavor|not found for) \d+ (and project|/)", r"\1 N \2"),
    (r"https?://[^/\"]+(/compute)?(?=/)", "URL"),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)?", "TIME"),
    (r"fa:16:3e(:[0-9a-f]{2}){3}", "MAC"),
    (rf"req-{_UUID}", "REQUEST"),
    (_UUID, "UUID"),
    (r"\br-[a-z0-9]{8}\b", "RESERVATION"),
    (r'(?<="adminPass": ")[^"]+', "PASSWORD"),
    (r'(?<="instance-)[0-9a-f]{8}', "N"),
    # The scheduler takes any of them.
    (r"\$NODE\d", "$NODE"),
)
#: What stands for the ids of the seed.
KNOWN = {
    **{f"$NODE{n}": f"11111111-0000-4000-8000-00000000000{n}" for n in range(1, 5)},
    **{f"$NET{n}": f"22222222-0000-4000-8000-00000000000{n}" for n in (1, 2)},
    **{f"$PORT{n}": f"22222222-0000-4000-8000-0000000000a{n}" for n in (1, 2)},
    **{f"$IMAGE{n}": f"33333333-0000-4000-8000-00000000000{n}" for n in (1, 2, 3)},
    **{f"$VOL{n}": f"44444444-0000-4000-8000-00000000000{n}" for n in range(1, 5)},
    "$NOWHERE": "00000000-0000-4000-8000-000000000000",
}
_PATIENCE = 120


class Asker:
    """Sends the requests of the file.

    :param send: takes a service, method, path below its version, body (bytes or None) and headers;
        returns the status, the headers by their lowercase names, and the decoded body.
    """

    def __init__(self, send):
        self.send = send
        self.names = dict(KNOWN)
        self.tokens = {}
        for who, (user, project) in ACCOUNTS.items():
            self._log_in(who, user, project)

    def answer(self, line):
        """Return what a request is answered, in a line."""
        request, _, name = line.partition(" -> ")
        request = asked.with_ids(request, self.names)
        who, version, method, path, *rest = request.split(" ", 4)
        headers = {"Content-Type": "application/json"}
        if who in self.tokens:
            headers["X-Auth-Token"] = self.tokens[who]
        if version != "-":
            headers["OpenStack-API-Version"] = f"compute {version}"
        body = None
        if rest and rest[0].startswith("raw "):
            body = rest[0].removeprefix("raw ").encode()
        elif rest:
            body = json.dumps(yaml.safe_load(rest[0])).encode()
        service, path = path[1:].split("/", 1) if path[0] == ":" else ("compute", path[1:])
        status, answered, found = self.send(service, method, f"/{path}", body, headers)
        if name and status < 300:
            (item,) = (value for value in found.values() if isinstance(value, dict))
            self.names[name] = item.get("id", item.get("port_id"))
        if method != "GET":
            self._settle()
        shown = {name: answered[name] for name in _HEADERS if name in answered}
        if service == "compute":
            shown |= self._unusual(answered, version, found)
        text = f"{asked.shown(shown, {}, _VARYING)} " if shown else ""
        return f"{status} {text}{self._body(found)}".rstrip()

    def _unusual(self, answered, version, found):
        """Return the headers of all answers where they differ from what they usually are."""
        number = "2.1" if version == "-" else version
        usual = {
            "openstack-api-version": f"compute {number}",
            "x-openstack-nova-api-version": number,
            "vary": "OpenStack-API-Version, X-OpenStack-Nova-API-Version",
        }
        if found is not None:
            usual["content-type"] = "application/json"
        return {k: answered.get(k) for k, text in usual.items() if answered.get(k) != text}

    def _body(self, found):
        if found is None:
            return ""
        if isinstance(found, dict) and "fault" in found.get("server", {}):
            # Nova shows where in its code it happened.
            found["server"]["fault"].pop("details", None)
        names = {ident: name for name, ident in self.names.items()}
        return asked.shown(found, names, _VARYING, ordered=True)

    def _log_in(self, who, name, project):
        domain = {"id": "default"}
        user = {"name": name, "domain": domain, "password": "secret"}
        identity = {"methods": ["password"], "password": {"user": user}}
        scope = {"project": {"name": project, "domain": domain}}
        body = {"auth": {"identity": identity, "scope": scope}}
        headers = {"Content-Type": "application/json"}
        status, answered, found = self.send(
            "identity", "POST", "/auth/tokens", json.dumps(body).encode(), headers
        )
        assert status == 201, found
        self.tokens[who] = answered["x-subject-token"]
        self.names[f"${project.upper()}"] = found["token"]["project"]["id"]
        self.names[f"${who.upper()}_USER"] = found["token"]["user"]["id"]

    def _settle(self):
        """Wait until no server is about to change."""
        for _ in range(_PATIENCE):
            servers = self._all("compute", "/servers/detail?all_tenants=1")
            volumes = self._all("volume", "/volumes/detail?all_tenants=1")
            if not any(
                one["OS-EXT-STS:task_state"] or one["status"] == "BUILD" for one in servers
            ) and not any(one["status"].endswith("ing") for one in volumes):
                return
            time.sleep(0.5)
        raise AssertionError("servers or volumes don't become what they are to be")

    def _all(self, service, path):
        headers = {"X-Auth-Token": self.tokens["admin"]}
        status, _, found = self.send(service, "GET", path, None, headers)
        assert status == 200, found
        (listed,) = found.values()
        return listed


def main():
    import requests as http

    nova = sys.argv[1].rstrip("/")
    # Nova says where its Keystone is, which is that of the fake server.
    refused = http.get(f"{nova}/v2.1/servers", timeout=60)
    keystone = re.search(r"(http[^'\"]+)", refused.headers["WWW-Authenticate"])[1]
    cloud = keystone.partition("/identity")[0]
    senders = {
        "compute": asked.sender(f"{nova}/v2.1"),
        "identity": asked.sender(f"{cloud}/identity/v3"),
        "network": asked.sender(f"{cloud}/networking/v2.0"),
        "volume": asked.sender(f"{cloud}/volume/v3"),
        "image": asked.sender(f"{cloud}/image/v2"),
    }

    def send(service, method, path, *more):
        if (service, method, path) == ("compute", "POST", "/servers"):
            time.sleep(1)  # Nova puts servers in order by the second
        return senders[service](method, path, *more)

    asked.record(RECORD, Asker(send).answer)


if __name__ == "__main__":
    main()
