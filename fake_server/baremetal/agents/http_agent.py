"""The agent that runs on a node elsewhere, and is called over HTTP."""

from __future__ import annotations

import json
import ssl
from functools import lru_cache, partial
from http.client import HTTPException
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPSHandler, ProxyHandler, Request, build_opener

from fake_server.baremetal import errors
from fake_server.baremetal.agents import parameters
from fake_server.common import json_text

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task

_TIMEOUT = 10


class HttpAgent:
    """An agent that is called at the URL in its last heartbeat.

    :param task: a task on its node.
    """

    def __init__(self, task: Task) -> None:
        self._task = task

    def commands(self) -> list[dict[str, Any]]:
        """Return the commands that it was given, with their results."""
        purpose = "to collect commands status"
        answer = self._ask({}, None, purpose, "get_commands_status")
        found = answer.get("commands")
        return found if isinstance(found, list) else []

    def get_steps(self, flow: str) -> dict[str, Any]:
        """Ask for the steps that it offers; see :meth:`call` for the errors."""
        return self.call(f"{flow}.get_{flow}_steps", parameters.about(self._task), wait=True)

    def execute_step(self, flow: str, step: dict[str, Any]) -> dict[str, Any]:
        """Have it run a step; see :meth:`call` for the errors."""
        params = parameters.for_step(self._task, flow, step)
        return self.call(f"{flow}.execute_{flow}_step", params)

    def call(self, method: str, params: dict[str, Any], *, wait: bool = False) -> dict[str, Any]:
        """Give it a command.

        :raises Invalid: if it can't be reached.
        :raises AgentInProgress: if it is busy.
        :raises AgentAPIError: if it refuses.
        """
        body = json.dumps({"name": method, "params": params}, default=str).encode()
        purpose = f"for invoking command {method}"
        return self._ask({"wait": str(wait).lower()}, body, purpose, method)

    def _ask(
        self, query: dict[str, str], body: bytes | None, purpose: str, method: str
    ) -> dict[str, Any]:
        uuid = self._task.node["uuid"]
        url = self._task.internal.get("agent_url")
        if not url:
            raise errors.Invalid(
                "Connection to agent failed: Agent driver requires agent_url in "
                "driver_internal_info"
            )
        token = self._task.internal.get("agent_secret_token")
        if token:
            query = {**query, "agent_token": token}
        address = f"{url}/v1/commands/?{urlencode(query)}"
        trusted = self._task.node["agent_certificate"]
        insecure = self._task.node["driver_info"].get("agent_verify_ca") is False
        found = self._task.outcomes.of(partial(_send, address, body, trusted, insecure))
        if "untrusted" in found:
            raise errors.InvalidParameterValue(
                f"The agent's certificate can't be read: {found['untrusted']}"
            )
        if "unreachable" in found:
            raise errors.Invalid(
                "Connection to agent failed: Failed to connect to the agent running on node "
                f"{uuid} {purpose}. Error: {found['unreachable']}"
            )
        if "refused" in found:
            raise _refusal(uuid, method, found["status"], found["refused"])
        answer = found["answer"]
        if not isinstance(answer, dict):
            raise errors.AgentAPIError(node=uuid, status=200, error="no JSON object")
        return answer


def _send(address: str, body: bytes | None, trusted: str | None, insecure: bool) -> dict[str, Any]:
    """Send a request to an agent; return its ``answer``, or what went wrong.

    :param trusted: the certificate that the agent sent, if it did.
    :param insecure: whether any certificate will do.
    """
    try:
        context = _context(trusted, insecure=insecure)
    except ssl.SSLError as exc:
        return {"untrusted": str(exc)}
    opener = build_opener(ProxyHandler({}), HTTPSHandler(context=context))
    try:
        request = Request(address, body, {"Content-Type": "application/json"})  # noqa: S310
        with opener.open(request, timeout=_TIMEOUT) as response:
            return {"answer": json_text.parse(response.read())}
    except HTTPError as exc:
        try:
            text = str(json_text.parse(exc.read()).get("faultstring"))
        except (ValueError, AttributeError):
            text = exc.reason
        return {"refused": text, "status": exc.code}
    except (URLError, HTTPException, OSError, ValueError) as exc:
        return {"unreachable": str(exc.reason if isinstance(exc, URLError) else exc)}


@lru_cache(maxsize=16)
def _context(trusted: str | None, *, insecure: bool) -> ssl.SSLContext:
    # Kept, as it takes longer to read the certificates of the system than to ask an agent.
    context = ssl.create_default_context(cadata=trusted)
    if insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _refusal(uuid: str, method: str, status: int, text: str) -> errors.ApiError:
    if status == 409 or "agent is busy" in text.lower():
        return errors.AgentInProgress(node=uuid, command=method, error=text)
    return errors.AgentAPIError(node=uuid, status=status, error=text)
