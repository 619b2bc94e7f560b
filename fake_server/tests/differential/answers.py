"""Answers made comparable: what two servers may legitimately say differently is replaced."""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fake_server.clients.comparison.answers import HEADERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?")
#: Patterns and what takes the place of what they match, in this order.
REPLACED = (
    (r"req-\S+", "<request id>"),
    (r"\n\nFailed validating (?s:.*)", ""),
    (r"( not found) in \{'id': (?s:.*)", r"\1"),
    # Of several interfaces that can't be had, the order of a hash table says which one is told.
    (r"(Could not find the following interface in the )'(?s:.*)", r"\1<entrypoint>"),
    # Where objects of Ironic's process are in its memory.
    (r"(object at 0x)[0-9a-f]+", r"\1<address>"),
    # Where a conductor gives access to a serial console.
    (r"tcp://[^:]+:", "tcp://<host>:"),
    # Where an agent of the tests answers.
    (r"http://127\.0\.0\.1:\d+/agent", "<agent>"),
    # Where Ironic publishes images.
    (r"http://[^/]+(/redfish/(?:boot|cdrom|disk|floppy)-)", r"<published>\1"),
    # The address of the machine of the Redfish emulator, and those of the fake's machines.
    (r"00:5c:52:31:3a:9c|02(?::[0-9a-f]{2}){5}", "<machine>"),
    (r"((?:traits|inventory record) for node )\d+", r"\1<key>"),
    (r"((?:by host |[Cc]onductor ))\S+", r"\1<host>"),
)
# Sets that Ironic prints in the order of a hash table.
SHUFFLED = re.compile(
    r"(missing traits |Unexpected arguments: |connectivity attributes \()([^.)]*)"
    r"|(Valid values are: \{)([^}]*)"
)
HOST_KEYS = frozenset({"conductor", "hostname", "reservation"})
SECRET_KEYS = frozenset({"agent_token"})


@dataclass(frozen=True)
class Answer:
    """One answer, as it came.

    :param status: the HTTP status
    :param headers: the headers by lower-case name
    :param body: the raw body
    """

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """Return the decoded body, or None where it is not JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    @property
    def failed(self) -> bool:
        """Whether the server itself failed."""
        return self.status >= 500

    @property
    def busy(self) -> bool:
        """Whether SQLite could not take the write: the reference's only flake."""
        return self.failed and b"database is locked" in self.body


class Normaliser:
    """Names identifiers of one server by the order in which they first appear.

    :param base: the server's URL
    :param known: identifiers that the test chose itself, kept as they are
    """

    def __init__(self, base: str, known: frozenset[str] = frozenset()) -> None:
        self._base = base
        self._known = known
        self._names: dict[str, str] = {}

    def view(self, answer: Answer) -> dict[str, Any]:
        """Return what has to be equal of an answer."""
        headers = {
            name: self._header(name, answer.headers[name.lower()])
            for name in HEADERS
            if name.lower() in answer.headers
        }
        return {"status": answer.status, "headers": headers, "body": self._body(answer)}

    def _header(self, name: str, value: str) -> str:
        if name == "Allow":
            return ", ".join(sorted(re.split(r"[,\s]+", value)))
        return self._text(value.lower() if name == "Content-Type" else value)

    def _body(self, answer: Answer) -> Any:
        document = answer.json()
        if document is None:
            return self._text(answer.body.decode("utf-8", "replace"))
        if isinstance(document, dict) and isinstance(document.get("error_message"), str):
            with contextlib.suppress(ValueError):
                document["error_message"] = json.loads(document["error_message"])
        return self._tree(document)

    def _tree(self, value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            if "hosts" in value and "name" in value:
                return self._driver(value)
            return {self._text(name): self._tree(item, name) for name, item in value.items()}
        if isinstance(value, list):
            return [self._tree(item) for item in value]
        if isinstance(value, str):
            if key in SECRET_KEYS:
                return "<secret>"
            return "<host>" if key in HOST_KEYS and value else self._text(value)
        return value

    def _driver(self, value: dict[str, Any]) -> dict[str, Any]:
        sets = {name for name, item in value.items() if name.startswith("enabled_") and item}
        return {
            name: sorted(item, key=str) if name in sets else self._tree(item)
            for name, item in value.items()
            if name != "hosts"
        }

    def _text(self, text: str) -> str:
        if text.isidentifier():  # most are, and none of what follows is in them
            return text
        text = text.replace(self._base, "<base>")
        text = TIME.sub(lambda found: f"<time{found[1] or ''}>", text)
        text = UUID.sub(self._name, text)
        for pattern, replacement in REPLACED:
            text = re.sub(pattern, replacement, text)
        return SHUFFLED.sub(_sorted, text)

    def _name(self, found: re.Match[str]) -> str:
        ident = found[0]
        if ident in self._known:
            return ident
        return self._names.setdefault(ident, f"<uuid {len(self._names) + 1}>")


def _sorted(found: re.Match[str]) -> str:
    start, items = (part for part in found.groups() if part is not None)
    return start + ", ".join(sorted(items.split(", ")))


def differences(real: Any, fake: Any, path: str = "") -> Iterator[str]:
    """Yield a line for each place where two documents differ."""
    if isinstance(real, dict) and isinstance(fake, dict):
        for key in sorted(real.keys() | fake.keys(), key=str):
            if key not in fake:
                yield f"{path}/{key}: real {real[key]!r}, fake has none"
            elif key not in real:
                yield f"{path}/{key}: real has none, fake {fake[key]!r}"
            else:
                yield from differences(real[key], fake[key], f"{path}/{key}")
    elif isinstance(real, list) and isinstance(fake, list) and len(real) == len(fake):
        for index, (left, right) in enumerate(zip(real, fake, strict=True)):
            yield from differences(left, right, f"{path}/{index}")
    elif type(real) is not type(fake) or real != fake:
        yield f"{path}: real {real!r}, fake {fake!r}"
