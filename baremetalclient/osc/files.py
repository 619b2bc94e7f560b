"""Writing of files: completely or not at all, and only where the user said."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from baremetalclient import exc

if TYPE_CHECKING:
    from typing import TextIO


def check_writable(name: str) -> None:
    """Raise UsageError if a file cannot be written, before anything else is done."""
    path = Path(name)
    writable = os.access(path if os.path.exists(path) else path.parent, os.W_OK)
    if os.path.isdir(path) or not os.path.isdir(path.parent) or not writable:
        raise exc.UsageError(f"{name!r} cannot be written.")


def write_output(name: str | None, text: str, stdout: TextIO) -> None:
    """Write a text to a file, completely or not at all, or to standard output if none is named."""
    if name:
        write_whole(name, text)
    else:
        stdout.write(text)
        stdout.flush()


def write_whole(name: str | os.PathLike[str], text: str, mode: int = 0o666) -> None:
    """Write a file completely or not at all.

    :param name: the name of the file; if it is a symbolic link, of the one that it leads to.
    :param mode: the permissions of a new file, less the user's umask; an existing one keeps its.
    :raises CommandError: if it cannot be written; an existing file is unchanged.
    """
    path = Path(name)
    try:
        if path.exists() and not path.is_file():
            # A pipe or a device, such as /dev/stdout, cannot be replaced.
            path.write_text(text, encoding="utf-8")
        else:
            _replace(path.resolve(), text.encode(), mode)
    except OSError as error:
        raise exc.CommandError(f"{str(name)!r} cannot be written: {error.strerror}.") from None


def _replace(target: Path, content: bytes, mode: int) -> None:
    # Others may write to the directory: the name is one that they cannot guess.
    temporary = target.with_name(f".{target.name[:200]}.{secrets.token_hex(8)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with open(descriptor, "wb") as file:
            with suppress(FileNotFoundError):
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
