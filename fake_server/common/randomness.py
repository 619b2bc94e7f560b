"""Random identifiers and secrets; those of a server with a seed are the same in each run.

The generator of the request that is being answered is in a context variable, since identifiers are
made in many places.
"""

from __future__ import annotations

import contextlib
import secrets
from base64 import urlsafe_b64encode
from contextvars import ContextVar
from itertools import count
from random import Random
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_READING = ("GET", "HEAD", "OPTIONS")

_generator: ContextVar[Random | None] = ContextVar("generator", default=None)


class Generators:
    """The generators of a server with a seed, one for each request.

    What is done after a response therefore takes no values from the next request. Requests that
    only read are counted separately, since programs poll.

    :param seed: the seed.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._reading, self._changing = count(), count()

    def restart(self) -> None:
        """Begin again with the first request; the first generator was for the start itself."""
        self._reading, self._changing = count(), count(1)

    def next(self, method: str) -> Random:
        """Return the generator of the next request.

        :param method: the HTTP method of the request.
        """
        if method in _READING:
            return Random(f"{self._seed} read {next(self._reading)}")  # noqa: S311 - no secrets
        return Random(f"{self._seed} change {next(self._changing)}")  # noqa: S311 - no secrets


@contextlib.contextmanager
def use(generator: Random | None) -> Iterator[None]:
    """Take all values from a generator for as long as a ``with`` block lasts.

    :param generator: the generator, ``None`` for unpredictable values.
    """
    before = _generator.set(generator)
    try:
        yield
    finally:
        _generator.reset(before)


def uuid() -> str:
    """Return a random UUID."""
    generator = _generator.get()
    if generator is None:
        return str(uuid4())
    return str(UUID(int=generator.getrandbits(128), version=4))


def token(size: int) -> str:
    """Return random text for a URL.

    :param size: the number of random bytes in it.
    """
    return urlsafe_b64encode(_bytes(size)).rstrip(b"=").decode()


def hexadecimal(size: int) -> str:
    """Return random hexadecimal digits, two for each byte.

    :param size: the number of bytes.
    """
    return _bytes(size).hex()


def below(limit: int) -> int:
    """Return a random number from 0 that is lower than a limit."""
    generator = _generator.get()
    return secrets.randbelow(limit) if generator is None else generator.randrange(limit)


def choice(values: Sequence[str]) -> str:
    """Return one of some values."""
    return values[below(len(values))]


def _bytes(size: int) -> bytes:
    generator = _generator.get()
    return secrets.token_bytes(size) if generator is None else generator.randbytes(size)
