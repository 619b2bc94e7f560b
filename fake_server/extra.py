"""The error for a missing package, which says what to install."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class MissingExtraError(ImportError):
    """A package of the extra ``server`` is not installed."""


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


#: The addresses that the drivers of the extras are for, by SQLAlchemy's name of the database.
_DRIVERS = {
    "postgresql": ("postgresql", "postgresql+psycopg://…"),
    "mariadb": ("mariadb", "mariadb+pymysql://…"),
    "mysql": ("mariadb", "mysql+pymysql://…"),
}


def missing_driver(error: ModuleNotFoundError, database: str) -> str:
    """Say what to install for a database.

    :param error: what importing its driver ended in.
    :param database: SQLAlchemy's name of the kind of database.
    """
    if database not in _DRIVERS:
        return str(error)
    extra, address = _DRIVERS[database]
    install = f"pip install 'baremetalclient[{extra}]' installs the driver of {address}"
    return f"{error.name} isn't installed; {install}"
