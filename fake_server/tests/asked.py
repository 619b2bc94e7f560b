"""Files of requests with the answers that a real service gave them.

In a file, a request is a line, and its answer is the indented line below it. Lines that begin with
``#`` say what the requests are about.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from fake_server.app import Application

Answer = tuple[int, dict[str, str], Any]
Send = "Callable[[str, str, bytes | None, Mapping[str, str]], Answer]"


def recorded(file: Path) -> list[tuple[str, str]]:
    """Return the requests of a file, each with its answer."""
    lines = [line for line in file.read_text("utf-8").splitlines() if line and line[0] != "#"]
    return [(line, answer.strip()) for line, answer in zip(lines[::2], lines[1::2], strict=True)]


def record(file: Path, answer: Callable[[str], str]) -> None:
    """Print a file anew, with what ``answer`` returns for each request."""
    for line in file.read_text("utf-8").splitlines():
        if line.startswith("    "):
            continue
        print(line)
        if line and not line.startswith("#"):
            print(f"    {answer(line)}")


def problems(file: Path, answer: Callable[[str], str]) -> list[str]:
    """Return the requests that are answered in another way than the file says, with both."""
    return [
        f"{line}\n  real: {expected}\n  here: {found}"
        for line, expected in recorded(file)
        if (found := answer(line)) != expected
    ]


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
