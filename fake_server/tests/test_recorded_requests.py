"""What the services answer to requests, most of which they refuse, and to several in a row.

What Neutron answers was that of Neutron 29 when these requests were written down.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from fake_server.tests.filled_cloud import ACCOUNTS, Filled, said

ABSENT = "00000000-0000-4000-8000-00000000dead"
REQUESTS = Path(__file__).with_name("requests.txt")
SERVICES = ("volume", "compute", "placement", "image", "identity", "network")
#: Those whose requests come from accounts, where a line names none.
USERS = {"identity": "admin", "network": "member"}
LINE = re.compile(
    r"(?:(?P<name>[A-Z]+) = )?(?:(?P<user>[a-z]+): )?(?P<method>[A-Z]+) (?P<path>\S+)"
    r"(?: @(?P<versions>\S+))?(?: (?P<query>\?\S+))?(?: (?P<body>.+))?"
)


def section(name):
    text = REQUESTS.read_text("utf-8").partition(f"== {name}\n")[2]
    return text.partition("\n== ")[0].strip()


#: The beginnings of requests, by what stands for them; what a line adds goes into the inner object.
SHORT = dict(line.split(" = ", 1) for line in section("beginnings").splitlines())


def paragraphs(service):
    """Yield requests that follow one another, with their title."""
    for part in section(service).split("\n\n"):
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
        begin = SHORT[word] if SHORT[word].endswith("/") else f"{SHORT[word]} "
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


@pytest.mark.rows
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
