"""Checks of the values of a seed; each returns the problem, or ``None``."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import arguments, errors
from fake_server.baremetal.arguments import ArgumentChecker
from fake_server.baremetal.models import step_lists
from fake_server.baremetal.models.traits import MAX_TRAITS
from fake_server.clock import parse_moment
from fake_server.common import durations
from fake_server.common.errors import ServiceError
from fake_server.common.formats import is_mac, is_uuid, standard_traits
from fake_server.common.suggestion import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from fake_server.common.schemas import Schema

    Check = Callable[[Any], str | None]

#: The largest number of a column that holds fractions.
_MOST = 1e300
_CUSTOM = re.compile(r"CUSTOM_[A-Z0-9_]{1,248}")
_QUOTE = "; quote it in YAML"


def text(limit: int | None = None) -> Check:
    """Return a check for text with a maximum number of characters, or null."""

    def check(value: Any) -> str | None:
        if value is None:
            return None
        if not isinstance(value, str):
            return f"has to be text, not {value!r}{_QUOTE}"
        if limit is not None and len(value) > limit:
            return f"has {len(value)} characters, the maximum is {limit}"
        return None if _is_encodable(value) else "has characters that UTF-8 can't encode"

    return check


def time(value: Any) -> str | None:
    """Check a time as the API writes it, or null."""
    if value is None:
        return None
    try:
        parse_moment(value)
    except (TypeError, ValueError):
        return _not("a time such as '2026-01-31T12:00:00+00:00'", value)
    return None


def age(value: Any) -> str | None:
    """Check a duration such as ``3h``, or seconds."""
    try:
        durations.parse(str(value))
    except ValueError as exc:
        return str(exc).partition(" ")[2]
    return None


def of_column(column: sa.Column[Any], default: Any = None) -> Check:
    """Return a check for the values of a column.

    :param default: a list or an object, if a column of JSON holds only such.
    """
    kind = column.type
    check: Check
    if isinstance(default, dict):
        check = mapping
    elif isinstance(default, list):
        check = texts
    elif isinstance(kind, sa.JSON):
        check = document
    elif isinstance(kind, sa.Boolean):
        check = truth
    elif isinstance(kind, sa.DateTime):
        check = time
    elif isinstance(kind, sa.Integer):
        check = number if isinstance(kind, sa.BigInteger) else integer
    elif isinstance(kind, sa.Float):
        check = decimal
    else:
        check = text(getattr(kind, "length", None))
    if column.nullable:
        return check
    return lambda value: _given(value) or check(value)


def texts(value: Any) -> str | None:
    """Check a list of strings, or null."""
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return _not("a list of strings", value)
    return document(value)


def document(value: Any) -> str | None:
    """Check that a value can be JSON."""
    return mapping({"value": value})


def inventory(value: Any) -> str | None:
    """Check an inventory of a node as the API shows it, or null."""
    if value is None:
        return None
    keys = ("inventory", "plugin_data")
    if not isinstance(value, dict) or any(not isinstance(value.get(key), dict) for key in keys):
        return "has to be an object with the keys inventory and plugin_data, both objects"
    return mapping(value)


def objects(value: Any) -> str | None:
    """Check a list of objects."""
    if not isinstance(value, list):
        return _not("a list", value)
    return next(filter(None, (mapping(one) or _given(one) for one in value)), None)


def _given(value: Any) -> str | None:
    return "has to have a value, not null" if value is None else None


def number(value: Any) -> str | None:
    """Check an integer from 0 on, or null."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if value is None or (whole and 0 <= value < 2**63):
        return None
    return _not(f"an integer from 0 to {2**63 - 1}", value)


def limit(value: Any) -> str | None:
    """Check an integer from -1 on, which stands for no limit."""
    if value is not None and value != -1 and number(value):
        return _not(f"an integer from -1 to {2**63 - 1}", value)
    return _given(value)


def by_service(convert: Callable[[str, Any], Any]) -> Check:
    """Return a check that uses a converter of another service's API."""

    def check(value: Any) -> str | None:
        try:
            convert("it", deepcopy(value))
        except ServiceError as exc:
            return str(exc).rstrip(".")
        return document(value)

    return check


def one_of(values: Collection[str]) -> Check:
    """Return a check for one of some words, or null."""

    def check(value: Any) -> str | None:
        if value is None or (isinstance(value, str) and value in values):
            return None
        if isinstance(value, str) and (hint := did_you_mean(value, values)):
            return f"can't be {value!r}.{hint}"
        return f"has to be one of {', '.join(sorted(values))}, not {value!r}"

    return check


def one_or_more_of(values: Collection[str]) -> Check:
    """Return a check for one of some words, null, or a list of such words."""
    check_one = one_of(values)

    def check(value: Any) -> str | None:
        written = value if isinstance(value, list) and value else [value]
        return next(filter(None, map(check_one, written)), None)

    return check


def traits(value: Any) -> str | None:
    """Check a list of traits: standard ones, and those of the operator's own."""
    if not isinstance(value, list):
        return _not("a list", value)
    if len(set(map(str, value))) > MAX_TRAITS:
        return f"has {len(value)} traits, the maximum is {MAX_TRAITS}"
    return next((problem for problem in map(trait, value) if problem), None)


def trait(value: Any) -> str | None:
    """Check one trait."""
    if isinstance(value, str) and (_CUSTOM.fullmatch(value) or value in standard_traits()):
        return None
    return f"has the invalid trait {value!r}: use a standard trait, or CUSTOM_ with A-Z, 0-9 and _"


def by_schema(schema: Schema) -> Check:
    """Return a check for what the API accepts with a schema."""
    checker = by_api(ArgumentChecker(schema).argument)

    def check(value: Any) -> str | None:
        return checker(value) or mapping({"value": value})

    return check


def uuids(value: Any) -> str | None:
    """Check a list of UUIDs, or null."""
    if value is not None and not isinstance(value, list):
        return _not("a list", value)
    return next((problem for problem in map(required_uuid, value or ()) if problem), None)


def steps(schema: Schema) -> Check:
    """Return a check for a list of steps, each with this schema."""
    checker = ArgumentChecker({"type": "array", "items": schema, "minItems": 1})

    def check(value: Any) -> str | None:
        if value is None:
            return None
        problem = by_api(checker.argument)(value) or by_api(_distinct)(value)
        return problem or mapping({"steps": value})

    return check


def _distinct(_name: str, value: Any) -> None:
    step_lists.check_duplicates(value)


def uuid(value: Any) -> str | None:
    """Check a UUID, or null."""
    if value is None or (isinstance(value, str) and is_uuid(value)):
        return None
    return f"has to be a UUID, not {value!r}"


def required_uuid(value: Any) -> str | None:
    """Check a UUID."""
    return _not("a UUID", value) if value is None else uuid(value)


def mac(value: Any) -> str | None:
    """Check a MAC address, or null."""
    if value is None or is_mac(value):
        return None
    return f"has to be a MAC address, not {value!r}{'' if isinstance(value, str) else _QUOTE}"


def name(value: Any) -> str | None:
    """Check a name of a resource, or null."""
    if value is None or (arguments.is_logical_name(value) and not is_uuid(value)):
        return None
    return f"is not a valid name: {value!r}"


def node_name(value: Any) -> str | None:
    """Check a name of a node, or null."""
    if value in arguments.RESERVED_NAMES:
        return f"is a reserved word: {value!r}"
    return name(value)


def truth(value: Any) -> str | None:
    """Check true, false, or null."""
    return None if value is None or isinstance(value, bool) else _not("true or false", value)


def required_truth(value: Any) -> str | None:
    """Check true or false."""
    return None if isinstance(value, bool) else _not("true or false", value)


def integer(value: Any) -> str | None:
    """Check a 32-bit integer, or null."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if value is None or (whole and -(2**31) <= value < 2**31):
        return None
    return _not(f"an integer from {-(2**31)} to {2**31 - 1}", value)


def decimal(value: Any) -> str | None:
    """Check a finite number, or null."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if value is None or (is_number and abs(value) < _MOST):
        return None
    return _not(f"a number below {_MOST:g}", value)


def mapping(value: Any) -> str | None:
    """Check an object that can be JSON, or null."""
    if value is None:
        return None
    if not isinstance(value, dict):
        return _not("an object", value)
    try:
        same = json.loads(json.dumps(value, allow_nan=False)) == value
    except (TypeError, ValueError, RecursionError):
        same = False
    if not same or not _is_encodable(json.dumps(value, ensure_ascii=False)):
        return "has a value that JSON lacks, such as a date, or a key that isn't text"
    return None


def by_api(check: Callable[[str, Any], Any]) -> Check:
    """Return a check that uses one of the API."""

    def checked(value: Any) -> str | None:
        try:
            check("it", deepcopy(value))
        except errors.ApiError as exc:
            return str(exc)
        return None

    return checked


def _not(wanted: str, value: Any) -> str:
    return f"has to be {wanted}, not {value!r}"


def _is_encodable(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in value
