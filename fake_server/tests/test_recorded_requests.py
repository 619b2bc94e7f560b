"""What the services answer to requests, most of which they refuse, and to several in a row.

What Neutron answers was that of Neutron 29 when these requests were written down.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from fake_server.tests.filled_cloud import Filled, said
from fake_server.tests.test_recorded_rights import ACCOUNTS

ABSENT = "00000000-0000-4000-8000-00000000dead"
#: The beginnings of bodies, by what stands for them; what a line adds goes into the inner object.
SHORT = {
    "boot": "POST /servers {server: {name: t, flavorRef: FLAVOR, imageRef: IMAGE, networks: none, ",
    "disk": (
        "POST /servers {server: {name: t, flavorRef: FLAVOR, imageRef: IMAGE, networks: none, "
        "block_device_mapping_v2: [{boot_index: 1, source_type: volume, "
    ),
    "claim": (
        "PUT /allocations/NEW {consumer_type: INSTANCE, project_id: p, user_id: u, "
        "consumer_generation: null, "
    ),
    "login": "POST /auth/tokens {auth: {identity: {methods: [password], ",
    "scope": (
        "POST /auth/tokens {auth: {identity: {methods: [password], password: {user: {name: admin, "
        "domain: {id: default}, password: secret}}}, scope: "
    ),
    "act": "POST /volumes/SPARE/action {",
    "attach": "POST /attachments {attachment: {volume_uuid: SPARE, instance_uuid: x, ",
    "stock": (
        "PUT /resource_providers/PROVIDER/inventories {resource_provider_generation: 4, "
        "inventories: {MEMORY_MB: {total: 4096}, "
    ),
    "flat": (
        "POST /networks {network: {'provider:network_type': flat, 'provider:physical_network': "
    ),
    "vlan": (
        "POST /networks {network: {'provider:network_type': vlan, 'provider:physical_network': "
        "one, 'provider:segmentation_id': "
    ),
    "wire": "POST /subnets {subnet: {network_id: WIRED, ip_version: 4, cidr: 10.0.0.0/",
    "port": "POST /ports {port: {network_id: NETWORK, ",
    "fix": "POST /ports {port: {network_id: WIRED, fixed_ips: [{ip_address: ",
    "rule": (
        "POST /security-group-rules {security_group_rule: {security_group_id: GROUP, "
        "direction: ingress, "
    ),
}
REQUESTS = Path(__file__).with_name("requests.txt")
SERVICES = ("volume", "compute", "placement", "image", "identity", "network")
#: Those whose requests come from accounts, where a line names none.
USERS = {"identity": "admin", "network": "member"}
LINE = re.compile(
    r"(?:(?P<name>[A-Z]+) = )?(?:(?P<user>[a-z]+): )?(?P<method>[A-Z]+) (?P<path>\S+)"
    r"(?: @(?P<versions>\S+))?(?: (?P<query>\?\S+))?(?: (?P<body>.+))?"
)


def paragraphs(service):
    """Yield requests that follow one another, with their title."""
    text = REQUESTS.read_text("utf-8").partition(f"== {service}\n")[2].partition("\n== ")[0]
    for part in text.strip().split("\n\n"):
        lines = part.splitlines()
        if lines[0].startswith("# "):
            yield lines[0][2:], lines[1:]
        else:
            yield from ((None, [line]) for line in lines)


def written_out(line):
    """Return a line without abbreviations."""
    start = re.match(r"(?:[A-Z]+ = )?(?:[a-z]+: )?", line)[0]
    word, _, rest = line.removeprefix(start).partition(" ")
    if word in SHORT:
        versions = re.match(r"@\S+ ", rest)
        begin = SHORT[word]
        if versions:
            rest = rest.removeprefix(versions[0])
            method, path, body = begin.split(" ", 2)
            begin = f"{method} {path} {versions[0]}{body}"
        text = begin + rest
        opened = re.sub(r"'[^']*'|\"[^\"]*\"", "", text)
        pairs = {"{": "}", "[": "]"}
        missing = []
        for sign in opened:
            if sign in pairs:
                missing.append(pairs[sign])
            elif sign in pairs.values():
                missing.pop()
        line = start + text + "".join(reversed(missing))
    return line.replace("LONG", "x" * 256).replace("ABSENT", ABSENT)


def shown(method, path, answer):
    """Return what matters of an answer to a request that succeeded."""
    if method != "GET" or not isinstance(answer, dict):
        return ""
    values = list(answer.values())
    if "fields=" in path:
        return json.dumps(values[0], sort_keys=True)
    if values and isinstance(values[0], list):
        rows = values[0]
        found = [row.get("name") or row.get("id") if isinstance(row, dict) else row for row in rows]
        if "generation" in str(rows):  # providers come in no order
            found.sort()
        others = sorted(name for name in answer if name.endswith("links"))
        return " ".join([json.dumps(found[:8]), *others])
    inner = values[0] if len(values) == 1 and isinstance(values[0], dict) else answer
    kept = {name: one for name, one in inner.items() if isinstance(one, str | int | None)}
    return json.dumps(dict(list(kept.items())[:6]))[:150]


def answers(cloud, service, line):
    """Send a request, in each of its versions; return what it is answered."""
    found = LINE.fullmatch(written_out(line))
    assert found, line
    body = yaml.safe_load(found["body"]) if found["body"] else None
    path = found["path"] + (found["query"] or "")
    cloud.log_in(*ACCOUNTS[found["user"] or USERS.get(service, "admin")])
    # Neutron's answers have a type as well.
    length = 250 if service == "network" else 50
    told = {}
    for version in (found["versions"] or "").split(","):
        status, answer = cloud.ask(service, found["method"], path, body, version or None)
        text = said(answer).strip() if status >= 400 else shown(found["method"], path, answer)
        text = f"{status} {text}".replace("x" * 256, "LONG")[:length].strip()
        told.setdefault(text, []).append(version)
        if found["name"] and status < 300:
            made = cloud.answer
            inner = next(iter(made.values())) if len(made) == 1 else made
            cloud.ids[found["name"]] = inner.get("id") or inner.get("uuid")
    return [f"{' '.join(versions)} {text}".strip() for text, versions in told.items()]


@pytest.mark.parametrize("service", SERVICES)
def test_requests_are_answered_as_recorded(recorded, service):
    cloud = Filled("keystone" if service in USERS else "none")
    if service == "network":
        cloud.ids["DEMO"] = cloud.cloud.log_in("project-member", "demo")["project"]["id"]
    known, found = dict(cloud.ids), {}
    for title, lines in paragraphs(service):
        for number, line in enumerate(lines, 1):
            key = f"{title} {number}" if title else f"{len(found):03} {line}"[:20]
            found[key] = answers(cloud, service, line)
        if any(not line.startswith("GET ") for line in lines):
            cloud.restore()
            cloud.ids = dict(known)
    recorded(found)
