"""Files of requests with the answers that a real service gave them.

In a file, a request is a line, and its answer is the indented line below it. Lines that begin with
``#`` say what the requests are about.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from fake_server.app import Application

Answer = tuple[int, dict[str, str], Any]
Send = "Callable[[str, str, bytes | None, Mapping[str, str]], Answer]"


class Row(NamedTuple):
    """A request of a file, with its answer.

    :param place: the file and the line of the request.
    """

    place: str
    request: str
    answer: str


def rows(file: Path) -> list[Row]:
    """Return the requests of a file, each with its answer.

    :raises ValueError: for a request without an answer, and an answer without a request.
    """
    found: list[Row] = []
    asked = asked_at = ""
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        place = f"{file.name}:{number}"
        if not line or line.startswith("#"):
            continue
        if line.startswith(" ") != bool(asked):
            missing = "request" if line.startswith(" ") else "answer"
            raise ValueError(f"{place}: this line comes without the {missing} before it: {line}")
        if asked:
            found.append(Row(asked_at, asked, line.strip()))
            asked = ""
        else:
            asked_at, asked = place, line
    if asked:
        raise ValueError(f"{asked_at}: the answer to this request is missing: {asked}")
    return found


def alike(file: Path) -> list[Row]:
    """Return the requests of a file in which those that are answered alike come before the answer.

    Lines that begin with ``#``, behind blanks or not, say what is peculiar.
    """
    found: list[Row] = []
    requests: list[tuple[str, str]] = []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if not line or line.lstrip().startswith("#"):
            continue
        if line.startswith(" "):
            found += [Row(place, request, line.strip()) for place, request in requests]
            requests = []
        else:
            requests.append((f"{file.name}:{number}", line))
    if requests:
        raise ValueError("{}: the answer to this request is missing: {}".format(*requests[0]))
    return found


def parametrize(file: Path) -> pytest.MarkDecorator:
    """Return the mark that makes a test case of each row of a file, as its argument ``row``."""
    return pytest.mark.parametrize("row", rows(file), ids=lambda row: row.place)


class Conversation:
    """Asks the rows of a file in their order, as later ones need what earlier ones make.

    :param answer: returns what a request is answered, in a line.
    """

    def __init__(self, file: Path, answer: Callable[[str], str]) -> None:
        self._rows = iter(rows(file))
        self._answer = answer
        self._found: dict[str, str] = {}

    def check(self, row: Row) -> None:
        """Fail unless a row is answered as the file says."""
        while row.place not in self._found:
            asked = next(self._rows)
            self._found[asked.place] = self._answer(asked.request)
        compare(row, self._found[row.place])


def compare(row: Row, found: str) -> None:
    """Fail, with the request and both answers, unless a row was answered as the file says."""
    if found != row.answer:
        pytest.fail(
            f"{row.place}: {row.request}\n  real: {row.answer}\n  here: {found}", pytrace=False
        )


def record(file: Path, answer: Callable[[str], str]) -> None:
    """Print a file anew, with what ``answer`` returns for each request."""
    for line in file.read_text("utf-8").splitlines():
        if line.startswith("    "):
            continue
        print(line)
        if line and not line.startswith("#"):
            print(f"    {answer(line)}")


def with_ids(request: str, names: Mapping[str, str]) -> str:
    """Return a request with the ids that names such as ``$A`` stand for."""
    for name in sorted(names, key=len, reverse=True):
        request = request.replace(name, names[name])
    return request


def shown(
    found: Any,
    names: Mapping[str, str],
    varying: Iterable[tuple[str, str]],
    *,
    ordered: bool = False,
) -> str:
    """Return a value as text, in which nothing depends on the server, the moment or the order.

    :param names: what stands for the identifiers that are in it.
    :param varying: patterns of what else varies, each with the word that stands for it.
    :param ordered: whether lists stay as they are, where the service orders them.
    """
    text = json.dumps(found)
    for ident, name in names.items():
        text = text.replace(ident, name)
    for pattern, word in varying:
        text = re.sub(pattern, word, text)
    value = json.loads(text)
    return json.dumps(value if ordered else _sorted(value), sort_keys=True)


def sender(base: str) -> Any:
    """Return what sends a request to a real service, and returns status, headers and body."""
    import requests as http

    def send(method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        found = http.request(method, base + path, data=body, headers=dict(headers), timeout=60)
        return _read(found.status_code, found.headers.items(), found.content)

    return send


def sender_here(app: Application, mount: str) -> Any:
    """Return what sends a request to a service of the fake, as :func:`sender` does."""
    from fake_server.tests.wsgi import request

    def send(method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        environ = {f"HTTP_{name.upper().replace('-', '_')}": text for name, text in headers.items()}
        environ["CONTENT_TYPE"] = environ.pop("HTTP_CONTENT_TYPE", "")
        found = app.answer(request(method, f"{mount}{path}", body, **environ))
        return _read(found.status, found.headers, b"" if method == "HEAD" else found.body)

    return send


def _read(status: int, headers: Iterable[tuple[str, str]], content: bytes) -> Answer:
    try:
        body = json.loads(content)
    except ValueError:
        body = content.decode() or None
    return status, {name.lower(): value for name, value in headers}, body


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _sorted(item) for name, item in value.items()}
    if isinstance(value, list):
        return sorted(map(_sorted, value), key=_place)
    return value


def _place(one: Any) -> tuple[str, str]:
    text = json.dumps(one, sort_keys=True)
    return (str(one.get("name")), text) if isinstance(one, dict) else ("", text)
