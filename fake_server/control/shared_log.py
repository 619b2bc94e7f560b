"""Requests of several processes in one file, which none but they can open."""

from __future__ import annotations

import fcntl
import os
import tempfile
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from .entries import Entry

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Bytes at which the older half is dropped.
_LARGEST = 32 * 1024 * 1024


class SharedLog:
    """Made before the processes are; each of them writes to it and reads it.

    :param most: how many entries are shown at most.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._turn = Lock()
        self._file, path = tempfile.mkstemp(prefix="baremetal-fake-server-")
        os.unlink(path)

    def append(self, entry: Entry) -> None:
        """Add an entry."""
        line = entry.dump()
        with self._locked():
            size = os.lseek(self._file, 0, os.SEEK_END)
            if size > _LARGEST:
                rest = os.pread(self._file, size, size // 2).partition(b"\n")[2]
                os.ftruncate(self._file, 0)
                os.pwrite(self._file, rest, 0)
                size = len(rest)
            os.pwrite(self._file, line, size)

    def entries(self) -> list[Entry]:
        """Return the last entries, the oldest first."""
        with self._locked():
            size = os.lseek(self._file, 0, os.SEEK_END)
            lines = os.pread(self._file, size, 0).splitlines()
        return sorted(map(Entry.load, lines[-self._most :]), key=lambda entry: entry.at)

    def clear(self) -> None:
        """Drop all entries."""
        with self._locked():
            os.ftruncate(self._file, 0)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        # The lock of the file is the process's, so its threads take turns for it.
        with self._turn:
            fcntl.lockf(self._file, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.lockf(self._file, fcntl.LOCK_UN)
