"""Programs that enrol a node: one is right, and each of the others has one planted bug.

Each is a function that asks a server over its adapter, as scripts do over HTTP.
"""

from __future__ import annotations

from typing import Any

import requests

NODE = {"name": "rack1", "driver": "fake-hardware"}
_URL = "http://127.0.0.1"
_TRIES = 8
#: What is worth another try.
_AGAIN = (409, 429, 500, 503)


class Client:
    """Sends requests, and tries again what failed.

    :param again: statuses after which a request is sent again.
    """

    def __init__(self, server: Any, again: tuple[int, ...] = _AGAIN) -> None:
        self._session = requests.Session()
        self._session.mount(_URL, server.adapter())
        self._session.headers["X-OpenStack-Ironic-API-Version"] = "1.115"
        self._again = again

    def __call__(
        self, method: str, path: str, body: Any = None, *, tries: int = _TRIES
    ) -> requests.Response:
        answer = None
        for _ in range(tries):
            try:
                answer = self._session.request(method, f"{_URL}/v1/{path}", json=body)
                answer.content  # noqa: B018 - it may be cut
            except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError):
                continue
            if answer.status_code not in self._again:
                return answer
        if answer is None:
            raise RuntimeError("no answer")
        return answer

    def node(self) -> dict[str, Any] | None:
        """Return the node, if it is there."""
        found = self("GET", "nodes/rack1")
        return found.json() if found.status_code == 200 else None

    def wait(self, state: str) -> None:
        """Wait for a state of the node, and fail if it is another one that stays."""
        for _ in range(20):
            node = self.node()
            if node and node["provision_state"] == state:
                return
        raise RuntimeError(f"not {state}")


def right(server: Any) -> None:
    """Look before each step whether it is needed, and after it whether it was done."""
    client = Client(server)
    if client.node() is None:
        client("POST", "nodes", NODE)
        if client.node() is None:
            raise RuntimeError("no node")
    for verb, before, after in (
        ("manage", ("enroll", "clean failed"), "manageable"),
        ("provide", ("manageable",), "available"),
    ):
        node = client.node()
        if node and node["provision_state"] in before:
            client("PUT", "nodes/rack1/states/provision", {"target": verb})
            client.wait(after)
    patch = [{"op": "add", "path": "/extra/rack", "value": "1"}]
    if client("PATCH", "nodes/rack1", patch).status_code != 200:
        raise RuntimeError("not changed")


def makes_a_second_node(server: Any) -> None:
    """Send a creation again whose answer was lost, without a name."""
    client = Client(server)
    if not client("GET", "nodes").json()["nodes"]:
        client("POST", "nodes", {"driver": "fake-hardware"})


def ignores_conflicts(server: Any) -> None:
    """Take any answer for success."""
    client = Client(server, again=())
    client("POST", "nodes", NODE)
    client("PUT", "nodes/rack1/maintenance", {"reason": "new"})


def trusts_a_list(server: Any) -> None:
    """Take what a list lacks for what isn't there."""
    client = Client(server)
    client("POST", "nodes", NODE)
    for node in client("GET", "nodes").json()["nodes"]:
        client("PUT", f"nodes/{node['uuid']}/maintenance", {})


def leaves_maintenance(server: Any) -> None:
    """Set maintenance while it changes something, and forget it if that fails."""
    client = Client(server)
    client("POST", "nodes", NODE)
    client("PUT", "nodes/rack1/maintenance", {})
    patch = [{"op": "add", "path": "/description", "value": "d"}]
    if client("PATCH", "nodes/rack1", patch, tries=1).status_code == 200:
        client("DELETE", "nodes/rack1/maintenance")


def polls_for_ever(server: Any) -> None:
    """Wait for a state that doesn't come any more once cleaning has failed."""
    client = Client(server)
    client("POST", "nodes", NODE)
    client("PUT", "nodes/rack1/states/provision", {"target": "manage"})
    client.wait("manageable")
    client("PUT", "nodes/rack1/states/provision", {"target": "provide"})
    while (client.node() or {}).get("provision_state") != "available":
        pass


def fails_on_what_is_there(server: Any) -> None:
    """Take "already there" for a failure, so it can't be run again."""
    client = Client(server, again=())
    if client("POST", "nodes", NODE, tries=1).status_code != 201:
        raise RuntimeError("not made")
    if client("PUT", "nodes/rack1/traits/CUSTOM_A", None, tries=1).status_code != 204:
        raise RuntimeError("no trait")
