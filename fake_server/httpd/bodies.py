"""The body of a request as it arrives: of a given length, or in chunks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from fake_server.httpd.heads import Refusal

if TYPE_CHECKING:
    from fake_server.httpd.heads import Environ

#: What is read alike everywhere; Python takes ``1_0`` and ``0x2`` for numbers too.
_LENGTH = re.compile(r"[0-9]{1,4000}")
_CHUNK_LENGTH = re.compile(rb"([0-9A-Fa-f]{1,16})(?:[ \t]*;.*)?")
#: Bytes of the line that the length of a chunk stands on.
_MAX_LINE = 4096


class Body(Protocol):
    """A request body while it is received.

    ``too_large`` means that it exceeds the limit; it ends there and its ``content`` is empty.
    """

    content: bytes
    length: int
    too_large: bool

    def take(self, buffer: bytearray) -> bool:
        """Take what is there of it out of a buffer; return whether it is complete.

        :raises Refusal: for what is not a body.
        """


def expected(environ: Environ, limit: int) -> Body:
    """Return the body that a request announces; raise Refusal if it is invalid or too long."""
    encodings = environ.get("HTTP_TRANSFER_ENCODING", "").lower()
    if encodings:
        names = [name.strip(" \t") for name in encodings.split(",") if name.strip(" \t")]
        if any(name != "chunked" for name in names):
            raise Refusal("501 Unimplemented")
        if "CONTENT_LENGTH" in environ:
            raise Refusal(
                "400 Bad Request", "Content-Length and Transfer-Encoding cannot be used together."
            )
        return _Chunks(limit)
    announced = environ.get("CONTENT_LENGTH", "0")
    length = int(announced) if _LENGTH.fullmatch(announced) else -1
    if length < 0:
        raise Refusal("400 Bad Request", "Malformed Content-Length Header.")
    return _Measured(length, limit)


class _Measured:
    """A body with ``Content-Length``."""

    def __init__(self, length: int, limit: int) -> None:
        self.content = b""
        self.length = length
        self.too_large = length > limit

    def take(self, buffer: bytearray) -> bool:
        if self.too_large:
            return True
        if len(buffer) < self.length:
            return False
        self.content = bytes(buffer[: self.length])
        del buffer[: self.length]
        return True


class _Chunks:
    """A body in chunks; trailers after the last one are dropped."""

    def __init__(self, limit: int) -> None:
        self.content = b""
        self.length = 0
        self.too_large = False
        self._limit = limit
        self._parts = bytearray()
        self._left = 0
        self._line_end_due = False
        self._trailing = False

    def take(self, buffer: bytearray) -> bool:
        while not self._trailing:
            if self._left:
                part = buffer[: self._left]
                self._parts += part
                del buffer[: len(part)]
                self._left -= len(part)
                if self._left:
                    return False
                self._line_end_due = True
            line = self._line(buffer)
            if line is None:
                return False
            if self._line_end_due:
                if line:
                    raise Refusal("400 Bad Request", "A chunk is longer than its declared length.")
                self._line_end_due = False
                continue
            self._left = _chunk_length(line)
            self._trailing = self._left == 0
            self.length += self._left
            if self.length > self._limit:
                self.too_large = True
                return True
        while (line := self._line(buffer)) is not None:
            if not line:
                self.content = bytes(self._parts)
                return True
        return False

    @staticmethod
    def _line(buffer: bytearray) -> bytes | None:
        end = buffer.find(b"\r\n")
        if end < 0:
            if len(buffer) > _MAX_LINE:
                raise Refusal("400 Bad Request", "The line with the length of a chunk is too long.")
            return None
        line = bytes(buffer[:end])
        del buffer[: end + 2]
        return line


def _chunk_length(line: bytes) -> int:
    match = _CHUNK_LENGTH.fullmatch(line)
    if match is None:
        raise Refusal("400 Bad Request", "Malformed length of a chunk.")
    return int(match[1], 16)
