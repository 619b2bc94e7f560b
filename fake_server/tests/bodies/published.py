"""Which bodies Cinder and Nova accept, by the schemas that they publish.

``tools/dev bodies`` writes the facts down anew, in the files ``cinder.txt`` and ``nova.txt`` beside
this one. In a file, a request is a line: its method, its path, the versions that have the same
schema, and a body that is accepted. Below it is a line for each place in the body, with the values
of :data:`VALUES` that are accepted there, and behind ``|`` those that are refused.
"""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
REQUESTS = HERE / "requests.yaml"
#: What is put into each place of a body; ``absent`` is nothing.
VALUES: dict[str, Any] = {
    "null": None,
    "true": True,
    "false": False,
    "0": 0,
    "1": 1,
    "-1": -1,
    "1.5": 1.5,
    "huge": 10**40,
    "'0'": "0",
    "'1'": "1",
    "'-1'": "-1",
    "digits": "9" * 5000,
    "empty": "",
    "blank": " ",
    "x": "x",
    "odd": "\x00,/:\u00e9\U0001f600",
    "255": "x" * 255,
    "256": "x" * 256,
    "65536": "x" * 65536,
    "uuid": "00000000-0000-4000-8000-000000000001",
    "list": [],
    "texts": ["x", "y"],
    "object": {},
    "pairs": {"x": "y"},
}
ABSENT, UNKNOWN = "absent", "unknown"
_NAME = re.compile(r"[A-Z]{3,}")
_WORDS = ("AUTO", "HARD")


class Row(NamedTuple):
    """A request with the values that are accepted and refused in each place of its body.

    :param place: the file and the line of the request.
    :param versions: the first and the last with this schema.
    :param verdicts: by the path, whether each of the values is accepted.
    """

    place: str
    method: str
    path: str
    versions: tuple[str, str]
    body: Any
    verdicts: dict[tuple[str | int, ...], dict[str, bool]]


def asked(service: str) -> list[tuple[str, str, list[Any]]]:
    """Return request, schema and bodies of what is asked of a service, with ids for names."""
    return [
        (row["request"], row["schema"], [_replaced(body, ids(body)) for body in _bodies(row)])
        for row in _requests(service)
    ]


def ids(body: Any) -> dict[str, str]:
    """Return an id for each of the names in a body."""
    names = set(_NAME.findall(json.dumps(body))).difference(_WORDS)
    return {name: str(uuid5(NAMESPACE_URL, name)) for name in names}


def text(service: str, version: str, found: list[Any]) -> str:
    """Return the facts about a service as text."""
    lines = [f"# Which bodies {service} {version} accepts; see published.py beside this file."]
    given = [body for row in _requests(service) for body in _bodies(row)]
    names = {ident: name for name, ident in ids(given).items()}
    for request, first, last, body, places in found:
        shown = json.dumps(_replaced(body, names), ensure_ascii=False)
        lines += ["", f"{request} @{first or 'first'}-{last} {shown}"]
        for path, verdicts in places:
            accepted = " ".join(name for name, verdict in verdicts.items() if verdict)
            refused = " ".join(name for name, verdict in verdicts.items() if not verdict)
            lines.append(f"    {json.dumps(path)} {accepted} | {refused}".replace("  |", " |"))
    return "\n".join(lines).replace(" \n", "\n").rstrip() + "\n"


def read(service: str) -> Iterator[Row]:
    """Yield the facts about a service."""
    file = HERE / f"{service}.txt"
    row = None
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        if not line.startswith(" "):
            if row is not None:
                yield row
            method, path, versions, body = line.split(" ", 3)
            first, _, last = versions[1:].partition("-")
            row = Row(f"{file.name}:{number}", method, path, (first, last), json.loads(body), {})
            continue
        assert row is not None
        end = line.index("]") + 1
        accepted, _, refused = line[end:].partition("|")
        verdicts = dict.fromkeys(accepted.split(), True)
        verdicts |= dict.fromkeys(refused.split(), False)
        row.verdicts[tuple(json.loads(line[:end]))] = verdicts
    if row is not None:
        yield row


def bodies(row: Row) -> Iterator[tuple[str, Any, bool]]:
    """Yield what is asked of a row: how to call it, the body, and whether it is accepted."""
    for path, verdicts in row.verdicts.items():
        for name, accepted in verdicts.items():
            yield f"{'/'.join(map(str, path))} = {name}", _changed(row.body, path, name), accepted


def _changed(body: Any, path: tuple[str | int, ...], name: str) -> Any:
    body = copy.deepcopy(body)
    holder = body
    for key in path[:-1]:
        holder = holder[key]
    if name == ABSENT:
        del holder[path[-1]]
    else:
        holder[path[-1]] = VALUES[name]
    return body


def _requests(service: str) -> list[dict[str, Any]]:
    found: dict[str, list[dict[str, Any]]] = yaml.safe_load(REQUESTS.read_text("utf-8"))
    return found[service]


def _bodies(row: dict[str, Any]) -> list[Any]:
    return [row[name] for name in ("body", "older") if name in row]


def _replaced(body: Any, names: dict[str, str]) -> Any:
    if isinstance(body, dict):
        return {key: _replaced(value, names) for key, value in body.items()}
    if isinstance(body, list):
        return [_replaced(value, names) for value in body]
    return names.get(body, body) if isinstance(body, str) else body
