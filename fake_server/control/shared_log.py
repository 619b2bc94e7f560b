"""Requests of several processes in one file, which only they can open."""

from __future__ import annotations

import fcntl
import marshal
import os
import tempfile
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from fake_server.control.recorded_request import RecordedRequest
from fake_server.control.request_log import RequestLog

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Bytes at which the older half is dropped.
_LARGEST = 32 * 1024 * 1024
#: Bytes at the beginning that tell how many records were dropped, and before each how long it is.
_DROPPED, _LENGTH = 8, 4


class SharedLog:
    """A log that is created before the processes, and that all of them write and read.

    :param most: maximum number of requests to show.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._turn = Lock()
        self._file, path = tempfile.mkstemp(prefix="baremetal-fake-server-")
        os.unlink(path)
        self.clear()

    def append(self, recorded: RecordedRequest) -> None:
        """Add a request."""
        # What only these processes read needs no more than the interpreter's own form, which costs
        # a tenth of JSON.
        record = marshal.dumps(recorded.values())
        record = len(record).to_bytes(_LENGTH, "big") + record
        with self._locked():
            size = os.lseek(self._file, 0, os.SEEK_END)
            if size > _LARGEST:
                size = self._drop_older(size)
            os.pwrite(self._file, record, size)

    def log(self) -> RequestLog:
        """Return the last requests, the oldest first."""
        with self._locked():
            size = os.lseek(self._file, 0, os.SEEK_END)
            content = os.pread(self._file, size, 0)
        records = [content[start:end] for start, end in _records(content)]
        found = [RecordedRequest(*marshal.loads(record)) for record in records[-self._most :]]  # noqa: S302
        dropped = int.from_bytes(content[:_DROPPED], "big") + len(records) - len(found)
        return RequestLog(sorted(found, key=lambda recorded: recorded.at), dropped)

    def clear(self) -> None:
        """Drop all requests."""
        with self._locked():
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, bytes(_DROPPED), 0)

    def _drop_older(self, size: int) -> int:
        """Drop the older half; return how many bytes are left."""
        content = os.pread(self._file, size, 0)
        starts = [start for start, _ in _records(content)]
        older = sum(start <= size // 2 for start in starts)
        dropped = int.from_bytes(content[:_DROPPED], "big") + older
        kept = dropped.to_bytes(_DROPPED, "big") + content[starts[older] - _LENGTH :]
        os.ftruncate(self._file, 0)
        return os.pwrite(self._file, kept, 0)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        # The lock of the file is the process's, so its threads take turns for it.
        with self._turn:
            fcntl.lockf(self._file, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.lockf(self._file, fcntl.LOCK_UN)


def _records(content: bytes) -> Iterator[tuple[int, int]]:
    """Return where each record begins and ends."""
    start = _DROPPED + _LENGTH
    while start <= len(content):
        end = start + int.from_bytes(content[start - _LENGTH : start], "big")
        yield start, end
        start = end + _LENGTH
