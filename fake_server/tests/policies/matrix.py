"""The requests of ``matrix.txt``, and what is right to answer to each of the people of a cloud.

Which policy decides about a request comes from the operations that the services publish with their
policies. Where they name none, or several, ``deciding.yaml`` has it with the place in the source of
the service. What a policy says is evaluated by oslo.policy: see :mod:`.judge`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from fake_server.tests.policies.judge import judge

if TYPE_CHECKING:
    from collections.abc import Iterator


HERE = Path(__file__)
ROWS = HERE.with_name("matrix.txt")
#: What stands for ids in paths, and is a segment of its own or the value of an argument.
NAME = re.compile(r"\b[A-Z]{3,}\b")
#: Words in capitals that are no names.
_WORDS = ("VCPU", "DISK", "CUSTOM", "HARD", "AVX", "INSTANCE", "CPU")


@dataclass(frozen=True)
class Row:
    """A request.

    :param line: where it is in the file.
    :param version: a microversion, by default the newest.
    :param absent: whether what is asked for isn't there, which is found out after the policy.
    """

    service: str
    line: int
    method: str
    path: str
    version: str | None
    body: Any
    absent: bool = False

    @property
    def text(self) -> str:
        """The request as one reads it."""
        body = "" if self.body is None else f" {yaml.safe_dump(self.body, width=1000).strip()}"
        return f"{self.method} {self.path}{body}"

    @property
    def action(self) -> str | None:
        """The action that the body asks for, if the address is for actions."""
        asked = self.path.endswith("/action") and isinstance(self.body, dict)
        return next(iter(self.body)) if asked else None

    @cached_property
    def policies(self) -> list[str]:
        """The policies that decide about it; raises LookupError if that isn't clear."""
        return _policies_of(self)

    @property
    def thing(self) -> str | None:
        """The name of what the request is about, if it is about something."""
        found = [name for name in NAME.findall(self.path) if name not in _WORDS]
        return found[0] if found else None


def rows() -> Iterator[Row]:
    """Yield the rows of the file; raise ValueError, with the line, for one that can't be read."""
    service = ""
    for number, line in enumerate(ROWS.read_text("utf-8").splitlines(), 1):
        if line.startswith("== "):
            service = line[3:]
        elif line and line[0] != "#":
            match = re.fullmatch(r"([A-Z]+)(!?)(?: @(\S+))? (/\S*)(?: (.+))?", line)
            if match is None:
                raise ValueError(f"{ROWS.name}:{number} is no request: {line}")
            method, absent, version, path, body = match.groups()
            said = yaml.safe_load(body or "null")
            yield Row(service, number, method, path, version, said, absent=bool(absent))


def _policies_of(row: Row) -> list[str]:
    asked = f"{row.method} {row.path} {row.action or ''}".strip()
    detail = yaml.safe_dump(
        row.body[row.action] if row.action else row.body, default_flow_style=True
    )
    for text, policies in _deciding()[row.service].items():
        if re.fullmatch(text, asked) or re.fullmatch(text, f"{asked} {detail.strip()}"):
            return str(policies).split()
    found = _candidates(row)
    if row.service == "neutron":
        found = _of_attributes(row, found)
    elif len(found) != 1:
        raise LookupError(f"{row.service}: {row.text} may be decided by {found}.")
    return found


def _of_attributes(row: Row, found: list[str]) -> list[str]:
    """Return the policy of an action of Neutron, and those of the attributes that are set."""
    whole = [name for name in found if ":" not in name]
    inner = next(iter(row.body.values())) if row.body else {}
    names = inner if isinstance(inner, dict) else {}
    return [
        *whole,
        *(f"{one}:{name}" for one in whole for name in names if f"{one}:{name}" in found),
    ]


def _candidates(row: Row) -> list[str]:
    """Return the policies whose published operations name a request."""
    path = row.path.partition("?")[0]
    found = []
    for name, operation in judge(row.service).operations():
        method, _, published = operation.partition(" ")
        published, _, action = published.partition(" (")
        pattern = re.escape(published.partition("?")[0].rstrip("/")).replace(r"\{\}", "[^/]+")
        wanted = action.rstrip(")") or None
        if method == row.method and wanted == row.action and re.fullmatch(pattern, path):
            found.append(name)
    return list(dict.fromkeys(found))


@cache
def _deciding() -> dict[str, dict[str, str]]:
    found = yaml.safe_load(HERE.with_name("deciding.yaml").read_text("utf-8"))
    return {
        service: {text: policy for part in parts for text, policy in part["policies"].items()}
        for service, parts in found.items()
    }
