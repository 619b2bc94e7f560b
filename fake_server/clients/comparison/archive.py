"""What an Ironic answered to a program, compared with what a fake one answers to the same."""

from __future__ import annotations

import base64
import binascii
import json
import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

import requests

from fake_server.baremetal import microversions
from fake_server.clients.comparison import answers
from fake_server.clients.comparison.sides import Compared
from fake_server.common import json_text
from fake_server.common.formats import is_uuid
from fake_server.server import FakeServer
from fake_server.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fake_server.seeds.parsing import Seed

_VERSION = "x-openstack-ironic-api-version"
_MAXIMUM = "x-openstack-ironic-api-maximum-version"
_OURS = "http://fake-ironic.invalid"
_ADDRESS = re.compile(r"(https?://[^/]+(?:/[^?]*?)?)(/v1(?:[/?].*)?)")
#: Headers of a request that a fake server gets, too.
_SENT = (_VERSION, "content-type", "accept")
#: How often a fake server is asked where the program waited.
_MOST_POLLS = 200


class ArchiveError(Exception):
    """An archive that can't be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A request to an Ironic and its answer.

    :param base: the URL of the Ironic.
    :param path: the rest of the URL, with the query.
    """

    method: str
    base: str
    path: str
    headers: dict[str, str]
    body: str | None
    answer: requests.Response


def read(text: str) -> list[Entry]:
    """Return the requests to an Ironic in an HTTP Archive.

    :raises ArchiveError: if it isn't one, or has no request to an Ironic.
    """
    try:
        all_entries = json_text.parse(text)["log"]["entries"]
        found = [_entry(one["request"], one["response"]) for one in all_entries]
    except (ValueError, KeyError, TypeError, binascii.Error) as exc:
        raise ArchiveError(f"It is no HTTP Archive (HAR): {exc!r}") from exc
    entries = [entry for entry in found if entry is not None]
    if not entries:
        raise ArchiveError("It has no request to an Ironic, at a path that begins with /v1.")
    return entries


def compare(entries: list[Entry], seed: Seed | None, dialect: str) -> Iterator[Compared]:
    """Yield each request with what a fake server answers otherwise.

    Where the program waited, sending the same GET several times in a row, the last answer counts.

    :param seed: the lab that the Ironic had.
    :raises ValueError: for an invalid seed.
    """
    told = (entry.answer.headers.get(_MAXIMUM, "") for entry in entries)
    newest = [int(version.partition(".")[2]) for version in told if version]
    settings = Settings(dialect=dialect, max_minor=min([microversions.MAXIMUM, *newest]))
    server = FakeServer(settings, seed=seed, clock="auto")
    session = requests.Session()
    session.mount(_OURS, server.adapter())
    #: Identifiers of the Ironic, and those of the same things in the fake one.
    same: dict[str, str] = {}
    try:
        for _, group in groupby(entries, key=lambda one: (one.method, one.path)):
            entry, *others = reversed([*group])
            if entry.method != "GET" and others:
                # Each of several changes is one.
                for one in reversed(others):
                    yield _compared(session, one, same, 1)
            yield _compared(session, entry, same, _MOST_POLLS if others else 1)
    finally:
        server.stop()


def _compared(
    session: requests.Session, entry: Entry, same: dict[str, str], polls: int
) -> Compared:
    path, body = _renamed(entry.path, same), entry.body and _renamed(entry.body, same)
    theirs = answers.view(entry.answer, entry.base)
    for _ in range(polls):
        answer = session.request(
            entry.method, _OURS + path, data=body, headers=entry.headers, allow_redirects=False
        )
        ours = answers.view(answer, _OURS)
        if entry.method == "POST":
            same |= _made(theirs["body"], ours["body"])
        shown = json.loads(_renamed(json.dumps(theirs), same))
        differences = list(answers.differences(shown, ours))
        if not differences:
            break
    version = entry.answer.headers.get(_VERSION, "1.1").partition(".")[2]
    return Compared(entry.method, entry.path, int(version), differences)


def _entry(request: dict[str, Any], response: dict[str, Any]) -> Entry | None:
    address = _ADDRESS.fullmatch(request["url"])
    if address is None:
        return None
    headers = {one["name"].lower(): one["value"] for one in request["headers"]}
    answer = requests.Response()
    answer.status_code = int(response["status"])
    answer.headers.update({one["name"]: one["value"] for one in response["headers"]})
    content = response["content"]
    text = content.get("text", "")
    encoded = content.get("encoding") == "base64"
    answer._content = base64.b64decode(text) if encoded else text.encode()
    return Entry(
        request["method"],
        address[1],
        address[2],
        {name: headers[name] for name in _SENT if name in headers},
        request.get("postData", {}).get("text"),
        answer,
    )


def _renamed(text: str, same: dict[str, str]) -> str:
    for theirs, ours in same.items():
        text = text.replace(theirs, ours)
    return text


def _made(theirs: Any, ours: Any) -> dict[str, str]:
    """Return the identifier of what was made there, with that of what was made here."""
    if not (isinstance(theirs, dict) and isinstance(ours, dict)):
        return {}
    there, here = theirs.get("uuid"), ours.get("uuid")
    return {str(there): str(here)} if is_uuid(there) and is_uuid(here) else {}
