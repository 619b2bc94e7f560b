"""HTTP responses, and checks that they hold what the API promises."""

from __future__ import annotations

import gc
import json
import math
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from baremetalclient import exc
from baremetalclient._http.escapes import printable
from baremetalclient._http.redact import masked, masked_text

if TYPE_CHECKING:
    from collections.abc import Mapping


_LARGE = 256 * 1024
"""Bytes of a body from which on decoding pauses the garbage collector."""


def _number(text: str) -> float | str:
    number = float(text)
    return number if math.isfinite(number) else text


_DECODER = json.JSONDecoder(parse_constant=str, parse_float=_number)
"""Decodes to text what can't be written as JSON again; it is expensive to make.

That is NaN and Infinity, which are no JSON, and numbers that are too large, such as 1e999.
"""


class ConnectionLost(Exception):
    """The connection was lost before the response was complete; the server may have acted."""


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
            return _DECODER.decode(self.body.decode(json.detect_encoding(self.body)))
        except ValueError as error:
            raise self.invalid("JSON", str(error)) from None
        except RecursionError:
            raise self.invalid("JSON", "it is nested too deeply") from None
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

    def objects(self, **types: type) -> dict[str, dict[str, Any]]:
        """Return the decoded body, which has to be a JSON object of objects.

        :param types: the types of some of their fields, which may be null or missing.
        :raises InvalidResponse: if it is something else.
        """
        found = self.object()
        for name, item in found.items():
            if not isinstance(item, dict):
                raise self.invalid(f"a JSON object of objects, as {name!r} should be")
            for field, type_ in types.items():
                if not isinstance(item.get(field), type_ | None):
                    raise self.invalid(f"valid, as {field!r} of {name!r} has another type")
        return found

    def items(
        self, key: str | None, kind: type[dict[str, Any]] | type[str], *texts: str
    ) -> list[Any]:
        """Return the list under a key of the decoded body.

        :param key: the key, None if the whole body is the list.
        :param kind: the type that each item has to have.
        :param texts: the fields that each item has to have, which are text.
        :raises InvalidResponse: if there is no such list, or an item is something else.
        """
        found = self.json() if key is None else self.object().get(key)
        if not isinstance(found, list) or not all(isinstance(item, kind) for item in found):
            raise self.invalid("a list" if key is None else f"an object with a list {key!r}")
        for name in texts:
            if not all(isinstance(item.get(name), str) for item in found):
                raise self.invalid(f"an object with a list {key!r} whose items have {name!r}")
        return found

    def invalid(self, expected: str, why: str = "") -> exc.InvalidResponse:
        """Return the exception for a body that is not what the API promises.

        :param expected: what the API promises.
        :param why: the reason, if the body cannot be decoded.
        """
        if not self.body:
            found = " but empty"
        elif self._is_html:
            found = f" but {self._page()}"
        else:
            start = printable(self._without_secrets()[:80])
            content_type = printable(self.headers.get("Content-Type") or "missing")
            reason = f": {why}" if why else ""
            found = f"{reason}. The content type is {content_type}, the beginning {start!r}"
        return exc.InvalidResponse(
            f"The response to {self.request} (HTTP {self.status}) is not {expected}{found}. "
            "Is this the endpoint of the right service?"
        )

    def _without_secrets(self) -> str:
        try:
            return json.dumps(masked(json.loads(self.body)))
        except (ValueError, RecursionError):
            return masked_text(self.text[:_LARGE])

    @property
    def _is_html(self) -> bool:
        return "html" in self.headers.get("Content-Type", "") or self.body.lstrip()[:1] == b"<"

    def _page(self) -> str:
        """Return a description of a body of HTML."""
        from html import unescape

        text = self.body[:_LARGE].decode("utf-8", "replace")
        is_login = re.search(r"<input[^>]*type=.?password", text, re.IGNORECASE)
        title = re.search(r"<title[^>]*>(.*?)</title>", text, re.DOTALL | re.IGNORECASE)
        named = f" with the title {printable(unescape(title[1].strip()[:80]))!r}" if title else ""
        return f"{'a login page' if is_login else 'an HTML page'}{named}"
