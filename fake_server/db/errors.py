"""The errors of transactions, and what those of drivers mean."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

if TYPE_CHECKING:
    from collections.abc import Callable

#: The codes of PostgreSQL and MariaDB for a transaction that has to be repeated.
_GIVEN_UP = frozenset({"40001", "40P01", 1020, 1205, 1213})
#: The codes of SQLite for what is no fault of the statement: busy, locked, read only, I/O error,
#: corrupt, full, cannot be opened, and not a database.
_OUT_OF_ORDER = frozenset({5, 6, 8, 10, 11, 13, 14, 26})
#: The code of PostgreSQL, and those of MariaDB, for a violated foreign key.
_FOREIGN_KEY = "23503"
_MISSING = frozenset({1451, 1452})


class DuplicateError(Exception):
    """A uniqueness constraint refused a row; ``columns`` names what has to be unique."""

    def __init__(self, columns: frozenset[str]) -> None:
        super().__init__(", ".join(sorted(columns)))
        self.columns = columns


class UnstorableError(Exception):
    """The database can't store a value or compare with it."""


class RetryError(Exception):
    """A transaction has to be repeated from its start, though its work didn't fail."""


class ConflictError(RetryError):
    """A transaction conflicted with another one and was rolled back."""


class WriteNeededError(RetryError):
    """A read transaction needs to write, and has to be repeated as a write transaction."""


class Interrupted(RetryError):
    """A transaction needs something done first, while no transaction is open.

    :param act: does it.
    """

    def __init__(self, act: Callable[[], None]) -> None:
        super().__init__("work has to be done outside the transaction first")
        self.act = act


def meaning(exc: Exception, driver: Any) -> RetryError | UnstorableError | None:
    """Return what an error of SQLAlchemy or the driver means; ``None`` if nothing else."""
    if is_conflict(exc, driver):
        return ConflictError(str(exc))
    known = (driver.IntegrityError, driver.OperationalError)
    if isinstance(cause_of(exc), known):
        return None
    if isinstance(exc, OverflowError | UnicodeError | sa.exc.StatementError | driver.Error):
        return UnstorableError(str(exc).partition("\n")[0])
    return None


def is_conflict(exc: BaseException, driver: Any) -> bool:
    """Return whether a database aborted a transaction because of another one."""
    cause = cause_of(exc)
    if not isinstance(cause, driver.Error):
        return False
    if isinstance(cause, sqlite3.OperationalError):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
    return getattr(cause, "sqlstate", None) in _GIVEN_UP or bool(_GIVEN_UP & {*cause.args[:1]})


def cause_of(exc: BaseException) -> Any:
    """Return the driver's error behind one of SQLAlchemy, or an error itself."""
    return exc.orig if isinstance(exc, sa.exc.DBAPIError) else exc


def out_of_order(exc: BaseException) -> str | None:
    """Return why a database can't be used at all at the moment; ``None`` for any other error.

    :param exc: an error of SQLAlchemy or of a driver.
    """
    cause = cause_of(exc)
    if isinstance(cause, sqlite3.Error):
        is_meant = getattr(cause, "sqlite_errorcode", 0) & 0xFF in _OUT_OF_ORDER
    else:
        # By name, since only the driver that is in use is installed.
        names = {base.__name__ for base in type(cause).__mro__}
        is_meant = bool(names & {"OperationalError", "InterfaceError"})
    return " ".join(str(cause).split()) if is_meant else None


def violates_foreign_key(cause: Exception) -> bool:
    """Return whether the row that another one is to belong to is missing, by a driver's error."""
    known = getattr(cause, "sqlstate", None) == _FOREIGN_KEY or bool(_MISSING & {*cause.args[:1]})
    return known or "FOREIGN KEY constraint failed" in str(cause)


def clashing_columns(cause: Exception) -> frozenset[str] | None:
    """Return the columns of the violated uniqueness constraint, by a driver's error.

    :returns: ``None`` for other failures.
    """
    text = str(cause)
    _, sqlite, names = text.partition("UNIQUE constraint failed: ")
    if sqlite:
        return frozenset(name.rpartition(".")[2] for name in names.split(", "))
    _, postgresql, rest = text.partition("Key (")
    if postgresql and "already exists" in rest:
        return frozenset(name.strip(' "') for name in rest.partition(")=")[0].split(","))
    _, mariadb, key = text.partition("for key '")
    if mariadb:
        return frozenset(key.partition("'")[0].rpartition(".")[2].split("0")[1:])
    return None
