"""Two servers that are asked the same."""

from __future__ import annotations

import http.client
import json
import re
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from fake_server.tests.differential.answers import Answer, Normaliser, differences

VERSION_HEADER = "X-OpenStack-Ironic-API-Version"
LATEST = {VERSION_HEADER: "1.115"}
SETTLE_SECONDS = 30.0
BUSY_RETRIES = 20
HANDLE = re.compile(r"\{(\w+-\d+)\}")
UNKNOWN_ID = "00000000-0000-4000-8000-00000000dead"
LEFTOVERS = (
    *("allocations", "deploy_templates", "inspection_rules", "runbooks", "ports", "portgroups"),
    *("volume/connectors", "volume/targets", "chassis"),
)


@dataclass(frozen=True)
class Request:
    """One request; `{node-1}` in its path or body stands for what each server calls that node.

    :param version: the API version header, or None for no header
    :param body: a JSON document, or None for no body
    """

    method: str
    path: str
    version: str | None = "1.115"
    body: Any = None

    def __str__(self) -> str:
        """Return the request on one line."""
        body = "" if self.body is None else " " + json.dumps(self.body)
        return f"{self.method} {self.path} @{self.version}{body}"


class Difference(AssertionError):
    """The two servers answered differently."""


@dataclass
class Server:
    """One of the two, with a connection that is kept.

    :param url: where it is
    """

    url: str
    ids: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._parts = urlsplit(self.url)
        self._connection: http.client.HTTPConnection | None = None
        self.normaliser = Normaliser(self.url)

    def send(self, request: Request) -> Answer:
        """Send a request as this server's identifiers have it; repeat it while SQLite is busy."""
        text = None if request.body is None else self._fill(json.dumps(request.body))
        headers = {} if request.version is None else {VERSION_HEADER: request.version}
        if text is not None:
            headers["Content-Type"] = "application/json"
        for _ in range(BUSY_RETRIES):
            answer = self._exchange(request.method, self._fill(request.path), text, headers)
            if not answer.busy:
                break
            time.sleep(0.2)
        return answer

    def settle(self, node: str, until: tuple[str, ...] = ()) -> None:
        """Wait until nothing happens to a node any more.

        :param until: provision states, one of which it has to be in then.
        """
        end = time.monotonic() + SETTLE_SECONDS
        while time.monotonic() < end:
            body = self.send(Request("GET", f"/v1/nodes/{node}")).json() or {}
            state = body.get("provision_state") or ""
            busy = body.get("reservation") or body.get("target_power_state")
            if "uuid" not in body:
                return
            if not busy and (state in until if until else not state.endswith("ing")):
                return
            time.sleep(0.02)

    def settle_allocations(self) -> None:
        """Wait until no allocation waits for its node any more."""
        end = time.monotonic() + SETTLE_SECONDS
        while time.monotonic() < end:
            answer = self.send(Request("GET", "/v1/allocations?state=allocating"))
            if not answer.json()["allocations"]:
                return
            time.sleep(0.02)

    def clear(self) -> None:
        """Delete everything, and forget all identifiers."""
        for _ in range(4):  # parents can't go before their children
            found = self._listed("nodes?include_children=true")
            for node in found:
                self.settle(node)
                self.send(Request("PUT", f"/v1/nodes/{node}/maintenance", body={}))
                if self.send(Request("DELETE", f"/v1/nodes/{node}")).status >= 400:
                    for name in ("instance_uuid", "protected"):
                        patch = [{"op": "remove", "path": f"/{name}"}]
                        self.send(Request("PATCH", f"/v1/nodes/{node}", body=patch))
            if not found:
                break
        for kind in LEFTOVERS:
            for ident in self._listed(kind):
                self.send(Request("DELETE", f"/v1/{kind}/{ident}"))
        self.ids.clear()
        self.normaliser = Normaliser(self.url)

    def _listed(self, path: str) -> list[str]:
        body = self.send(Request("GET", f"/v1/{path}")).json()
        key = path.split("?", maxsplit=1)[0].split("/")[-1]
        return [item["uuid"] for item in body[key]]

    def _fill(self, text: str) -> str:
        return HANDLE.sub(lambda found: self.ids.get(found[1], UNKNOWN_ID), text)

    def _exchange(
        self, method: str, path: str, text: str | None, headers: dict[str, str]
    ) -> Answer:
        body = None if text is None else text.encode()
        for attempt in (1, 2):  # an idle connection may have been closed: once more on a new one
            if self._connection is None:
                self._connection = http.client.HTTPConnection(self._parts.netloc, timeout=60)
            try:
                self._connection.request(method, self._parts.path + path, body, headers)
                reply = self._connection.getresponse()
                return Answer(
                    reply.status,
                    {name.lower(): value for name, value in reply.getheaders()},
                    reply.read(),
                )
            except (OSError, http.client.HTTPException):
                self._connection.close()
                self._connection = None
                if attempt == 2:
                    raise
        raise AssertionError("unreachable")


class Pair:
    """The real one and the fake, side by side.

    :param real: URL of the real Ironic
    :param fake: URL of the fake server
    """

    def __init__(self, real: str, fake: str) -> None:
        self.real, self.fake = Server(real), Server(fake)
        self.history: list[str] = []

    def clear(self) -> None:
        """Start a new sequence on empty servers."""
        for server in (self.real, self.fake):
            server.clear()
        self.history.clear()

    def send(
        self, request: Request, *, creates: str | None = None, settles: str | None = None
    ) -> bool:
        """Send a request to both and compare the answers.

        :param creates: the handle for the resource that it makes
        :param settles: the handle of a node that it starts something on
        :returns: whether the request succeeded
        :raises Difference: if the answers differ
        """
        real, fake = self.real.send(request), self.fake.send(request)
        self.history.append(f"{request} -> {real.status}")
        if real.failed and not fake.failed:
            # Whatever is wrong with OPTIONS, Ironic answers it with nothing.
            clear = fake.status == 200 if request.method == "OPTIONS" else 400 <= fake.status < 500
            self._require(clear, request, [f"real {real.status}: {fake}"])
            return False
        if creates is not None:
            for server, answer in ((self.real, real), (self.fake, fake)):
                body = answer.json()
                if answer.status < 300 and isinstance(body, dict) and "uuid" in body:
                    server.ids[creates] = body["uuid"]
        found = list(differences(self.real.normaliser.view(real), self.fake.normaliser.view(fake)))
        self._require(not found, request, found)
        if settles is not None and real.status < 300:
            for server in (self.real, self.fake):
                server.settle(server.ids.get(settles, settles))
        if request.method == "POST" and request.path == "/v1/allocations":
            for server in (self.real, self.fake):
                server.settle_allocations()
        return real.status < 300

    def _require(self, equal: bool, request: Request, found: list[str]) -> None:
        if not equal:
            before = "\n  ".join(self.history[-12:])
            lines = "\n  ".join(found[:12])
            raise Difference(f"{request}\n  {lines}\nafter:\n  {before}")
