"""An Ironic and a fake one with the same lab, asked the same."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import requests

from fake_server.baremetal import hardware_types
from fake_server.clients.capture import CaptureError, Source, capture, drivers, options_like
from fake_server.clients.comparison import answers
from fake_server.clients.comparison.requests import READING, VERSIONS, WRITING
from fake_server.seeds.parsing import SeedError
from fake_server.server import FakeServer
from fake_server.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fake_server.clients.comparison.requests import Template

_VERSION = "X-OpenStack-Ironic-API-Version"
_OURS = "http://fake-ironic.invalid"
#: How often it is tried to remove a node that is locked.
_TRIES = 10
_NAME = re.compile(r"<([a-z_]+)>")
#: The words that templates have for the first resource of a list, by its key.
_FIRST = {
    "chassis": "chassis",
    "deploy_templates": "deploy_template",
    "runbooks": "runbook",
    "inspection_rules": "inspection_rule",
    "allocations": "allocation",
    "portgroups": "portgroup",
    "ports": "port",
    "volume_connectors": "connector",
    "volume_targets": "target",
}


@dataclass(frozen=True, slots=True)
class Compared:
    """A request that both answered.

    :param version: the minor version that it was sent in.
    :param differences: places where the answers differ, with the Ironic's value and the fake's.
    """

    method: str
    path: str
    version: int
    differences: list[tuple[str, Any, Any]]


class Comparison:
    """Compares an Ironic with a fake server that has the same lab.

    :param url: URL of the Ironic.
    :param session: sends requests to it.
    :param dialect: dialect of the fake server.
    :raises CaptureError: if there is no Ironic, or its lab can't be made here.
    """

    def __init__(self, url: str, session: requests.Session, dialect: str = "ironic") -> None:
        self._url = url.rstrip("/").removesuffix("/v1")
        self._session = session
        source = Source(url, session)
        captured = capture(source, keep_drivers=True, masked=True)
        like, unknown = options_like(source)
        #: What the fake one can't have as the other has it.
        self.notes = [*captured.notes, *unknown]
        self._minor = source.minor
        try:
            self._server = FakeServer(Settings(dialect=dialect, **like), seed=captured.seed)
        except (SeedError, ValueError) as exc:
            raise CaptureError(f"No fake Ironic can be made like this one: {exc}") from exc
        self._fake = requests.Session()
        self._fake.mount(_OURS, self._server.adapter())
        self._words = _words(captured.seed)
        used = sorted(node["driver"] for node in captured.seed.get("nodes", []))
        known = [one["name"] for one in drivers(source)]
        self._words["driver"] = next(iter([*used, *known]), hardware_types.FAKE_HARDWARE)

    def close(self) -> None:
        """Stop the fake one."""
        self._server.stop()

    def read(self) -> Iterator[Compared]:
        """Send the requests that change nothing."""
        return self._send(READING)

    def write(self) -> Iterator[Compared]:
        """Make a node, change it and remove it, in both; it is removed whatever happens."""
        own = str(uuid4())
        digits = own.replace("-", "")
        self._words |= {
            "own": own,
            "own_name": f"fake-server-compare-{digits[:8]}",
            "own_mac": "02:" + ":".join(digits[at : at + 2] for at in range(0, 10, 2)),
            **{f"own_{kind}": str(uuid4()) for kind in ("port", "group", "connector")},
        }
        try:
            yield from self._send(WRITING)
        finally:
            self._remove(own)

    def _send(self, templates: Iterable[Template]) -> Iterator[Compared]:
        for template in templates:
            older = [minor for minor in VERSIONS if minor < self._minor]
            path, body = self._filled(template.path), self._filled(template.body)
            if path is None:
                continue
            for minor in [*(older if template.versions else []), self._minor]:
                asked = (template.method, path, body, minor)
                theirs = self._ask(self._session, self._url, *asked)
                ours = self._ask(self._fake, _OURS, *asked)
                found = list(answers.differences(theirs, ours))
                yield Compared(template.method, path, minor, found)

    def _ask(
        self, session: requests.Session, base: str, method: str, path: str, body: Any, minor: int
    ) -> dict[str, Any]:
        try:
            answer = session.request(
                method,
                base + path,
                json=body,
                headers={_VERSION: f"1.{minor}"},
                timeout=60,
                verify=session.verify,
                allow_redirects=False,
            )
        except requests.RequestException as exc:
            raise CaptureError(f"No response from {base}: {exc}") from exc
        return answers.view(answer, base)

    def _remove(self, uuid: str) -> None:
        """Remove a node; another request may still hold it."""
        for _ in range(_TRIES):
            answer = self._ask(
                self._session, self._url, "DELETE", f"/v1/nodes/{uuid}", None, self._minor
            )
            if answer["status"] != HTTPStatus.CONFLICT:
                return
            time.sleep(1)

    def _filled(self, value: Any) -> Any:
        """Return a value with identifiers instead of words; ``None`` for a path without one."""
        if isinstance(value, dict):
            return {key: self._filled(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._filled(item) for item in value]
        if not isinstance(value, str):
            return value
        if any(word not in self._words for word in _NAME.findall(value)):
            return None
        return _NAME.sub(lambda found: self._words[found[1]], value)


def _words(seed: Mapping[str, Any]) -> dict[str, str]:
    """Return what templates call resources of a lab, by the words that they have for them."""
    nodes = seed.get("nodes", [])
    words = {"unknown": "00000000-0000-4000-8000-00000000dead"}
    if nodes:
        # The one that has most.
        node = max(nodes, key=lambda one: sum(len(one.get(key, ())) for key in _FIRST))
        words["node"] = node["uuid"]
        if node.get("name"):
            words["node_name"] = node["name"]
    for key, word in _FIRST.items():
        entries = [*seed.get(key, []), *(one for node in nodes for one in node.get(key, []))]
        if entries:
            words[word] = entries[0]["uuid"]
    return words
