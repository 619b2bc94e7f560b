"""Evaluates the annotations of the package, and compares values with them."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, Required

from baremetalclient.block_storage import objects as block_storage_objects
from baremetalclient.compute import objects as compute_objects
from baremetalclient.v1 import arguments, objects
from baremetalclient.v1 import types as v1_types

NAMES = {**vars(objects), **vars(v1_types), **vars(arguments), "Any": Any}
NAMES |= {"Iterator": typing.Iterator, "Unpack": typing.Unpack}
MODULES = (v1_types, objects, arguments, compute_objects, block_storage_objects)


def fields(resource: type) -> dict[str, Any]:
    """Return the declared type of each field of a resource."""
    own = inspect.get_annotations(resource)
    return {name: eval(text, dict(NAMES)) for name, text in own.items()}


def check(*resources: Any) -> None:
    """Compare resources with what their classes declare; missing fields are not looked at."""
    for resource in resources:
        declared = fields(type(resource))
        found = resource.to_dict()
        assert found
        assert set(found) <= set(declared)
        reasons = [mismatch(value, declared[name], name) for name, value in found.items()]
        assert list(filter(None, reasons)) == []


def check_object(value: Any, kind: Any) -> None:
    """Fail if a JSON object is not of its declared type."""
    reason = mismatch(value, kind, kind.__name__)
    assert reason is None, reason


def mismatch(value: Any, declared: Any, path: str = "") -> str | None:
    """Return why a value is not of a type, None if it is."""
    origin, args = typing.get_origin(declared), typing.get_args(declared)
    if origin in (Required, NotRequired):
        return mismatch(value, args[0], path)
    if origin in (typing.Union, types.UnionType):
        found = [mismatch(value, one, path) for one in args]
        return None if None in found else found[0]
    if origin is Literal:
        fits = value in args
    elif typing.is_typeddict(declared):
        return _mismatch_of_object(value, declared, path)
    elif origin in (list, Sequence) and isinstance(value, list):
        return next(filter(None, (mismatch(item, args[0], f"{path}[]") for item in value)), None)
    elif origin in (dict, Mapping):
        fits = isinstance(value, dict)
    else:
        kind = {None: type(None)}.get(declared, declared)
        fits = declared is Any or (type(value) is kind)
    return None if fits else f"{path}: {value!r} is not {declared}"


def _mismatch_of_object(value: Any, declared: Any, path: str) -> str | None:
    if not isinstance(value, dict):
        return f"{path}: {value!r} is not an object"
    declared_types = typing.get_type_hints(declared, include_extras=True)
    unknown = sorted(set(value) - set(declared_types))
    # Of annotations that are text, TypedDict does not see which are required.
    marks = {name: typing.get_origin(kind) for name, kind in declared_types.items()}
    required = {
        name
        for name, mark in marks.items()
        if mark is Required or (declared.__total__ and mark is not NotRequired)
    }
    missing = sorted(required - set(value))
    if unknown or missing:
        return f"{path}: {declared.__name__} lacks {unknown}, the value lacks {missing}"
    found = (mismatch(value[name], declared_types[name], f"{path}.{name}") for name in value)
    return next(filter(None, found), None)
