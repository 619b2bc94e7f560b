"""The loggers of the server, which hide secrets in whatever is logged, tracebacks included.

The values of a request or of a node may be in the text of an exception. Which of them are secrets
is found by their names, in the variables of the functions that were running.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote

from fake_server.common import json_text
from fake_server.common.redaction import Redactor, texts_if_secret

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import FrameType

#: How many values are looked at: the variables themselves, and then what is in them.
_MOST = 20_000
#: The package whose functions and objects are looked into.
_OURS = __name__.partition(".")[0]


def logger(name: str) -> logging.Logger:
    """Return the logger of a module."""
    found = logging.getLogger(name)
    if _hide_secrets not in found.filters:
        found.addFilter(_hide_secrets)
    return found


def told(exc: BaseException) -> str:
    """Return what an exception is, without secrets, for whoever has no traceback of it."""
    return _redactor(exc).text(repr(exc))


def _hide_secrets(record: logging.LogRecord) -> bool:
    """Replace what a record tells by text without secrets; return that it is logged.

    Formatters take the text of the traceback that is there, and the exception is gone.
    """
    exc = record.exc_info[1] if record.exc_info else None
    redactor = Redactor()
    if exc:
        redactor = _redactor(exc)
        record.exc_text = redactor.text("".join(traceback.format_exception(exc)).rstrip())
        record.exc_info = None
    record.msg, record.args = redactor.text(record.getMessage()), ()
    return True


def _redactor(exc: BaseException) -> Redactor:
    """Return what hides the secrets in the variables of the functions that an exception has left.

    Those of the server's functions that haven't ended are looked at, too.
    """
    waiting = deque[tuple[str, Any]](("", dict(frame.f_locals)) for frame in _frames(exc))
    seen: dict[int, Any] = {}
    secrets: list[str] = []
    while waiting and len(seen) < _MOST:
        place, value = waiting.popleft()
        if id(value) in seen:
            continue
        seen[id(value)] = value  # which keeps it, so that no other gets its id
        # Whatever is among the variables may fail at being looked at.
        with suppress(Exception):
            for name, item in _items(place, value):
                secrets += texts_if_secret((place, name), item)
                waiting.append((name, item))
    return Redactor(form for secret in secrets for form in _spellings(secret))


def _spellings(secret: str) -> set[str]:
    """Return a secret as it is in text, in Python's and JSON's quotes, and in URLs."""
    return {secret, repr(secret)[1:-1], json.dumps(secret)[1:-1], quote(secret, safe="")}


def _items(place: str, value: Any) -> Iterable[tuple[str, Any]]:
    """Return what is in a value, by name.

    :param place: the name of the value itself, which the items of a list have, too.
    """
    if isinstance(value, Mapping):
        path = value.get("path")  # of an operation of a JSON patch
        named = [(path.rpartition("/")[2], value.get("value"))] if isinstance(path, str) else []
        return [*((str(name), item) for name, item in value.items()), *named]
    if isinstance(value, list | tuple | set | frozenset):
        return [(place, item) for item in value]
    if isinstance(value, bytes):
        return [(place, json_text.parse(value))]
    if isinstance(value, str):
        return parse_qsl(value) if place == "QUERY_STRING" else ()
    if type(value).__module__.partition(".")[0] == _OURS:
        slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
        found = {name: getattr(value, name) for name in slots if hasattr(value, name)}
        return (found | getattr(value, "__dict__", {})).items()
    return ()


def _frames(exc: BaseException) -> Iterator[FrameType]:
    """Yield those that an exception and its causes have left, then those that haven't ended."""
    for one in _with_causes(exc):
        for frame, _line in traceback.walk_tb(one.__traceback__):
            yield frame
    running: FrameType | None = sys._getframe()
    while running is not None:
        if running.f_globals.get("__name__", "").startswith(_OURS):
            yield running
        running = running.f_back


def _with_causes(exc: BaseException) -> list[BaseException]:
    found = [exc]
    for one in found:
        found += [
            other
            for other in (one.__cause__, one.__context__, *getattr(one, "exceptions", ()))
            if other is not None and other not in found
        ]
    return found
