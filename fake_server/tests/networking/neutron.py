"""Ask a Networking API what ``asked_of_neutron.txt`` lists, and write down what it answers.

``python -m fake_server.tests.networking.neutron URL`` prints the file anew, with the answers of a
real Neutron (``tools/real-service neutron``), whose users are those that headers name.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import yaml

from fake_server.tests import asked

RECORD = Path(__file__).with_name("asked_of_neutron.txt")
#: The project and the roles of who asks.
USERS = {
    "admin": ("ADMIN", "admin,manager,member,reader"),
    "member": ("DEMO", "member,reader"),
    "reader": ("DEMO", "reader"),
    "other": ("OTHER", "member,reader"),
    "service": ("SERVICE", "service"),
}
_VARYING = (
    (r"https?://[^/\"]+(/networking)?/v2\.0", "URL"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME"),
    (r"fa:16:3e(:[0-9a-f]{2}){3}", "MAC"),
    # Neutron takes any of the free ones.
    (r"(?<=ip_address\": \")(?:(?:10|203)\.[\d.]+\.(?!1\")\d+|fd00:3::\w+)(?=\")", "ADDRESS"),
    (r"(?<=fixed IP )[\d.]+\d|(?<=floating IP )[\d.]+\d", "ADDRESS"),
    (r"(?<=floating_ip_address': ')[\d.]+", "ADDRESS"),
    (r"Callback [\w.]+-\d+ failed with \\\"((?:[^\\\"]|\\n)*)\\\"", r"\1"),
    (r"(?<=segmentation_id\": )\d+", "0"),
    # Neutron has another mechanism.
    (r"(?<=vif_type\": \")ovs", "other"),
    (r"(?<=vif_details\": )\{(?:[^{}]|\{[^}]*\})*\}", "{}"),
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID"),
)
#: What Neutron shows of extensions that the fake server doesn't have, and of itself when routes are
#: added or removed.
_LEFT_OUT = {
    *("resource_request", "standard_attr_id"),
    *("enable_default_route_bfd", "enable_default_route_ecmp"),
}
_INTERNAL = {"distributed", "enable_snat", "gw_port_id", "ha", "ha_vr_id"}
#: A known id that nothing has.
NOWHERE = "00000000-0000-0000-0000-000000000001"


class Asker:
    """Sends the requests of the file.

    :param send: takes who asks, method, path below ``/v2.0`` and body or None; returns the status
        and the decoded body.
    :param ids: what stands in the file for ids that there are before.
    """

    def __init__(self, send, ids):
        self.send = send
        self.ids = {"$NOWHERE": NOWHERE, **ids}

    def answer(self, line):
        """Return what a request is answered, in a line."""
        request, _, name = line.partition(" -> ")
        for known, ident in self._longest_first():
            request = request.replace(known, ident)
        who, method, path, *rest = request.split(" ", 3)
        body = yaml.safe_load(rest[0]) if rest else None
        status, found = self.send(who, method, path, body)
        if name and status < 300:
            # Of an interface of a router, it is the port.
            made = {"id": found["port_id"]} if "port_id" in found else next(iter(found.values()))
            self.ids[name] = made["id"]
        if "extraroutes" in path and status == 200:
            found = {"router": {k: v for k, v in found["router"].items() if k not in _INTERNAL}}
        return f"{status} {self.shown(found)}".rstrip()

    def shown(self, found):
        """Return a body as text, in which nothing depends on the server or the moment."""
        if found is None:
            return ""
        text = json.dumps(_sorted(found), sort_keys=True)
        for name, ident in self._longest_first():
            text = text.replace(ident, name)
        for pattern, word in _VARYING:
            text = re.sub(pattern, word, text)
        return json.dumps(_sorted(json.loads(text)), sort_keys=True)

    def _longest_first(self):
        return sorted(self.ids.items(), key=lambda pair: -len(pair[0]))


def _sorted(value):
    """Return a value whose lists don't depend on the order in which a database has them."""
    if isinstance(value, dict):
        if str(value.get("device_owner")).startswith("compute:"):
            # Neutron counts more changes of its binding, and waits for an agent.
            value = {**value, "revision_number": 0, "status": "STATUS"}
        if "floating_ip_address" in value:
            # Without an agent for routers, it stays DOWN in Neutron.
            value = {**value, "status": "STATUS"}
        if "min_prefixlen" in value:
            # On SQLite, Neutron gives texts back until the pool is changed, and then no quota.
            lengths = {name: int(value[name]) for name in value if name.endswith("_prefixlen")}
            value = {"default_quota": None, **value, **lengths}
        if "l2_adjacency" in value:
            # Neutron counts more changes around a network.
            value = {**value, "revision_number": 0}
            if not value["router:external"]:
                # Neutron shows it of new networks alone.
                value.pop("is_default", None)
        return {name: _sorted(item) for name, item in value.items() if name not in _LEFT_OUT}
    if isinstance(value, list):
        return sorted(map(_sorted, value), key=lambda one: json.dumps(one, sort_keys=True))
    return value


def main():
    import requests as http

    base = f"{sys.argv[1].rstrip('/')}/v2.0"
    projects = {"ADMIN": "ad" * 16, "DEMO": "de" * 16, "OTHER": "fe" * 16, "SERVICE": "5e" * 16}

    def send(who, method, path, body):
        project, roles = USERS[who]
        headers = {"X-User-Id": who, "X-Project-Id": projects[project], "X-Roles": roles}
        found = http.request(method, base + path, json=body, headers=headers, timeout=60)
        return found.status_code, found.json() if found.content else None

    asker = Asker(send, {f"${name}": ident for name, ident in projects.items()})
    asked.record(RECORD, asker.answer)


if __name__ == "__main__":
    main()
