"""Formats of texts in bodies; what they refuse, they say in the words of Cinder."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fake_server.common.schemas import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LONGEST = 255
#: What a column of MySQL holds, in bytes.
_LONGEST_TEXT = 65535
_VOLUME_STATUSES = (
    *("creating", "available", "deleting", "error", "error_deleting", "error_managing"),
    *("managing", "attaching", "in-use", "detaching", "maintenance", "restoring-backup"),
    *("error_restoring", "reserved", "awaiting-transfer", "backing-up", "error_backing-up"),
    *("error_extending", "downloading", "uploading", "retyping", "extending"),
)
_SNAPSHOT_STATUSES = (
    *("error", "available", "creating", "deleting", "deleted", "updating", "error_deleting"),
    *("unmanaging", "backing-up", "restoring"),
)


def _read_status(kind: str, known: tuple[str, ...] | list[str], text: str) -> None:
    if text.lower() not in known:
        raise FormatError(f"{kind} status: {text} is invalid, valid statuses are: {known}.")


def _read_name(text: str) -> None:
    problem = "None" if not text else "empty" if not text.strip() else ""
    if problem:
        raise FormatError(f"An invalid 'name' value was provided. The 'name' can not be {problem}.")


def _read_stripped_name(text: str) -> None:
    _read_name(text)
    if len(text.strip()) > LONGEST:
        raise FormatError(
            "An invalid 'name' value was provided. The 'name' can not be greater than "
            f"{LONGEST} characters."
        )


def _fits_column(text: str) -> bool:
    return len(text.encode()) <= _LONGEST_TEXT


def _read_short(name: str, text: str) -> None:
    length = len(text.strip())
    if length > LONGEST:
        raise FormatError(
            f"Invalid input received: {name} has {length} characters, more than {LONGEST}."
        )


#: What raises FormatError for a text, or returns False, by the name of the format.
FORMATS: Mapping[str, Callable[[str], object]] = {
    "name": _read_name,
    "stripped name": _read_stripped_name,
    "mysql_text": _fits_column,
    "short name": partial(_read_short, "name"),
    "short description": partial(_read_short, "description"),
    "volume_status": partial(_read_status, "Volume", _VOLUME_STATUSES),
    "volume_attach_status": partial(_read_status, "Volume attach", ["attached", "detached"]),
    "volume_migration_status": partial(
        _read_status,
        "Volume migration",
        ("migrating", "error", "success", "completing", "none", "starting"),
    ),
    "snapshot_status": partial(_read_status, "Snapshot", _SNAPSHOT_STATUSES),
    "backup_status": partial(_read_status, "Backup", ["available", "error"]),
}
