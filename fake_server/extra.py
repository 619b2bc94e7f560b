"""What to install where the fake server lacks other packages."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class MissingExtraError(ImportError):
    """A package isn't there that the extra ``server`` installs."""


@contextmanager
def required() -> Iterator[None]:
    """Import modules of the fake server within this.

    :raises MissingExtraError: if they need what isn't installed.
    """
    try:
        yield
    except ModuleNotFoundError as exc:
        package = (exc.name or "").partition(".")[0]
        if package == "fake_server":
            raise
        text = f"The fake server needs {package}: pip install 'baremetalclient[server]'"
        raise MissingExtraError(text, name=exc.name) from None
