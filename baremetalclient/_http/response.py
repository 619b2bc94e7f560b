"""HTTP responses, and checks that they hold what the API promises."""

from __future__ import annotations

import gc
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from baremetalclient import exc
from baremetalclient._http.text import printable

if TYPE_CHECKING:
    from collections.abc import Mapping


_LARGE = 256 * 1024
"""Bytes of a body from which on decoding pauses the garbage collector."""


class Response(NamedTuple):
    """A response.

    :param status: the HTTP status.
    :param headers: the headers, case-insensitive.
    :param body: the whole body.
    :param request: the method and the URL without credentials, for messages.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    request: str

    # Names of requests, by which programs read the response of an exception.
    @property
    def status_code(self) -> int:
        """The HTTP status."""
        return self.status

    @property
    def content(self) -> bytes:
        """The whole body."""
        return self.body

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")

    @property
    def ok(self) -> bool:
        """Whether the status is not that of an error."""
        return self.status < 400

    def json(self) -> Any:
        """Return the decoded body.

        :raises InvalidResponse: if it is not JSON.
        """
        # What a long list consists of stays alive: looking for garbage in it again and again while
        # it is decoded takes a fifth of the time.
        paused = len(self.body) > _LARGE and gc.isenabled()
        if paused:
            gc.disable()
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise self.invalid("JSON") from None
        finally:
            if paused:
                gc.enable()

    def object(self) -> dict[str, Any]:
        """Return the decoded body, which has to be a JSON object.

        :raises InvalidResponse: if it is not a JSON object.
        """
        decoded = self.json()
        if not isinstance(decoded, dict):
            raise self.invalid("a JSON object")
        return decoded

    def items(self, key: str | None, kind: type[dict[str, Any]] | type[str]) -> list[Any]:
        """Return the list under a key of the decoded body.

        :param key: the key, None if the whole body is the list.
        :param kind: the type that each item has to have.
        :raises InvalidResponse: if there is no such list, or an item has another type.
        """
        found = self.json() if key is None else self.object().get(key)
        if not isinstance(found, list) or not all(isinstance(item, kind) for item in found):
            raise self.invalid("a list" if key is None else f"an object with a list {key!r}")
        return found

    def invalid(self, expected: str) -> exc.InvalidResponse:
        """Return the exception for a body that is not what the API promises.

        :param expected: what the API promises.
        """
        content_type = self.headers.get("Content-Type") or "no content type"
        start = printable(self.body[:80].decode("utf-8", "replace"))
        found = f"{content_type}, beginning with {start!r}" if self.body else "an empty body"
        return exc.InvalidResponse(
            f"The response to {self.request} (HTTP {self.status}) is not {expected} but {found}. "
            "Is this the endpoint of the right service?"
        )
