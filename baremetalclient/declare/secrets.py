"""Secrets that files refer to instead of holding them: ``!secret env:NAME`` and the like."""

from __future__ import annotations

import os
import shlex
import subprocess
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from baremetalclient._http import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

TAG = "!secret"

_COMMAND_TIMEOUT = 60
_MOST_BYTES = 1_000_000
_REDACTED = {"content": "** Redacted", "redacted_contents": "** Value redacted"}
"""How the only value begins of what Ironic shows for ``driver_info`` and for ``properties``."""


class SecretError(ValueError):
    """A secret cannot be read; the message says why, and contains no secret."""


class Secret(str):
    """A secret that a file refers to. Its ``repr()`` is masked, and so are logs of requests."""

    __slots__ = ()

    def __new__(cls, value: str) -> Secret:
        """Return the secret, which is masked in all logs from now on."""
        redact.remember(value)
        return super().__new__(cls, value)

    def __repr__(self) -> str:
        return repr(redact.MASK)


@dataclass(frozen=True)
class Reference:
    """A reference to a secret, as a file has it.

    :param text: ``env:NAME``, ``file:PATH`` or ``cmd:COMMAND``; anything else is an error.
    """

    text: Any

    def __repr__(self) -> str:
        return f"{TAG} {self.text}"


def resolved(reference: Reference, directory: Path, allowed: Iterable[str] = ()) -> Secret:
    """Return the secret that a reference stands for.

    Without more permissions it is a variable, but none of OpenStack's, or a file in the directory
    or below it: a lab of somebody else can't have others sent to where it likes.

    :param directory: the directory that paths of files are relative to.
    :param allowed: patterns of further references, as :mod:`fnmatch` has them: ``cmd:pass *``,
        ``file:/etc/ironic/*`` with the whole path.
    :raises SecretError: if it cannot be read, or is not allowed.
    """
    source, colon, name = str(reference.text).partition(":")
    if not colon or not name or source not in _SOURCES:
        raise SecretError(
            f"{reference!r} is not a reference to a secret. Use env:NAME, file:PATH or cmd:COMMAND"
        )
    place = os.path.realpath(directory / name) if source == "file" else name
    why = _objection(source, place, directory)
    if why and not any(fnmatchcase(f"{source}:{place}", pattern) for pattern in allowed):
        pattern = shlex.quote(f"{source}:{place}")
        raise SecretError(f"{reference!r} {why}. To allow it: --allow-secrets {pattern}")
    return Secret(_SOURCES[source](name, directory))


def _objection(source: str, place: str, directory: Path) -> str | None:
    """Return why a secret is only read if it is allowed, None for any other."""
    if source == "cmd":
        return "is a command"
    if source == "env":
        return "is a setting of the client" if place.startswith("OS_") else None
    outside = not Path(place).is_relative_to(os.path.realpath(directory))
    return "is outside the folder of the file" if outside else None


def holds_secret(value: Any) -> bool:
    """Return whether a value is a secret that a file refers to, or holds one."""
    if isinstance(value, dict):
        return any(map(holds_secret, value.values()))
    return any(map(holds_secret, value)) if isinstance(value, list) else isinstance(value, Secret)


def is_redacted(value: Any) -> bool:
    """Return whether Ironic shows this for an object that the user has no permission to see."""
    return isinstance(value, dict) and any(
        value.keys() == {key} and str(value[key]).startswith(text)
        for key, text in _REDACTED.items()
    )


def _variable(name: str, _: Path) -> str:
    try:
        return os.environ[name]
    except KeyError:
        raise SecretError(f"the environment has no variable {name}") from None


def _file(name: str, directory: Path) -> str:
    with _explained(f"cannot read {name!r}"):
        # To open a named pipe may never end.
        if os.path.exists(directory / name) and not os.path.isfile(directory / name):
            raise ValueError("it is no regular file")
        with open(directory / name, "rb") as file:
            return _text(file.read(_MOST_BYTES + 1))


def _output(command: str, directory: Path) -> str:
    with (
        _explained(f"{command!r} failed"),
        subprocess.Popen(  # noqa: S603 - only if it is allowed
            shlex.split(command),
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process,
    ):
        timer = threading.Timer(_COMMAND_TIMEOUT, process.kill)
        timer.start()
        try:
            output = process.stdout.read(_MOST_BYTES + 1) if process.stdout else b""
            if len(output) > _MOST_BYTES:
                process.kill()
            code = process.wait()
        finally:
            late = not timer.is_alive()
            timer.cancel()
        found = _text(output)
        if late:
            raise ValueError(f"it took more than {_COMMAND_TIMEOUT} seconds")
        if code:
            raise ValueError(f"exit code {code}")
    return found


@contextmanager
def _explained(what: str) -> Iterator[None]:
    """Raise SecretError with the reason for what failed."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise SecretError(f"{what}: {reason}") from None


def _text(content: bytes) -> str:
    if len(content) > _MOST_BYTES:
        raise ValueError(f"it is longer than {_MOST_BYTES:,} bytes")
    try:
        return content.decode().removesuffix("\n")
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None


_SOURCES: dict[str, Callable[[str, Path], str]] = {
    "env": _variable,
    "file": _file,
    "cmd": _output,
}
