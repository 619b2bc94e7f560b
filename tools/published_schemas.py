"""Runs in the environment of a service: prints which bodies the schemas that it publishes accept.

On its standard input is, in JSON, what :mod:`tools.bodies` asks: for each request the method of a
controller and bodies of which a part is accepted, and the values to put into its place.
"""

from __future__ import annotations

import copy
import importlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from typing import Any

#: Of each service: where its controllers are, what checks a body, and its newest version.
SERVICES = {
    "cinder": ("cinder.api", "cinder.api.validation.validators", "3.71"),
    "nova": ("nova.api.openstack.compute", "nova.api.validation.validators", "2.104"),
}
#: What is the version of requests to ``/v2`` in Nova, and the first of all others.
_LEGACY, _AFTER_LEGACY = "2.0", "2.1"
Path = Sequence[Any]
Found = list[tuple[str | None, str | None, Any]]


def main() -> None:
    """Answer what is asked."""
    service, places, values = json.load(sys.stdin)
    package, module, newest = SERVICES[service]
    if service == "cinder":
        importlib.import_module("cinder.objects").register_all()
    check = importlib.import_module(module)._SchemaValidator
    found = []
    for request, method, bodies in places:
        for first, last, applied in ranges(schemas(package, method)):
            validator = All([check(schema) for schema in applied])
            whole = first_accepted(validator, bodies)
            rows = []
            for path in paths(whole):
                verdicts = {
                    name: accepts(validator, changed(whole, path, value))
                    for name, value in values.items()
                }
                verdicts["absent"] = accepts(validator, without(whole, path))
                rows.append([path, verdicts])
            for path in objects(whole):
                added = changed(whole, [*path, "unknown"], "x")
                rows.append([[*path, "unknown"], {"x": accepts(validator, added)}])
            found.append([request, first or "", last or newest, whole, rows])
    print(json.dumps({"version": version(service), "bodies": found}))


def schemas(package: str, method: str) -> Found:
    """Return the schemas of a method of a controller: the first and the last version of each."""
    module, controller, name = method.rsplit(".", 2)
    attribute = vars(getattr(importlib.import_module(f"{package}.{module}"), controller))[name]
    found = []
    function = attribute
    while function is not None:
        cells = (cell.cell_contents for cell in function.__closure__ or ())
        named = dict(zip(function.__code__.co_freevars, cells, strict=False))
        if "request_body_schema" in named:
            limits = (named["min_version"], named["max_version"])
            found.append((*limits, named["request_body_schema"]))
        function = getattr(function, "__wrapped__", None)
    return found


def ranges(found: Found) -> Iterator[tuple[str | None, str | None, list[Any]]]:
    """Yield the versions that have the same schemas: the first and the last, and these schemas."""
    starts = sorted(
        {place(first) for first, _, _ in found} | {after(last) for _, last, _ in found if last}
    )
    for start, following in zip(starts, [*starts[1:], None], strict=True):
        applied = [
            schema
            for first, last, schema in found
            if place(first) <= start and (last is None or start <= place(last))
        ]
        end = following and f"{following[0]}.{following[1] - 1}"
        if applied and end != _LEGACY:
            first = f"{start[0]}.{start[1]}" if start[0] else None
            yield (_AFTER_LEGACY if first == _LEGACY else first), end, applied


def place(text: str | None) -> tuple[int, ...]:
    """Return a version as numbers."""
    return tuple(int(part) for part in (text or "0.0").split("."))


def after(text: str) -> tuple[int, ...]:
    """Return the version after another one."""
    major, minor = place(text)
    return major, minor + 1


class All:
    """Checks a body against several schemas."""

    def __init__(self, checks: list[Any]) -> None:
        self.checks = checks

    def validate(self, body: Any) -> None:
        """Raise what the first check raises that refuses a body."""
        for check in self.checks:
            check.validate(body)

    def problems(self, body: Any) -> list[Any]:
        """Return all that is wrong with a body."""
        return [error for check in self.checks for error in check.validator.iter_errors(body)]


def accepts(validator: All, body: Any) -> bool:
    """Return whether a body is accepted; one that makes the check itself fail is not."""
    try:
        validator.validate(copy.deepcopy(body))
    except Exception:
        return False
    return True


def first_accepted(validator: All, bodies: list[Any]) -> Any:
    """Return the accepted part of the first body that has one."""
    for body in bodies[:-1]:
        try:
            return accepted_part(validator, body)
        except ValueError:
            continue
    return accepted_part(validator, bodies[-1])


def accepted_part(validator: All, body: Any) -> Any:
    """Return a body without what this version of it doesn't have."""
    if accepts(validator, body):
        return body
    for path in sorted(paths(body), key=len):
        left = without(body, path)
        if accepts(validator, left):
            return left
    for path in sorted(paths(body), key=len, reverse=True):
        left = without(body, path)
        if path and len(path) > 1 and problems(validator, left) < problems(validator, body):
            return accepted_part(validator, left)
    raise ValueError(f"no part of {body} is accepted")


def problems(validator: All, body: Any) -> int:
    """Return how much is wrong with a body."""
    return sum(1 for _ in leaves(validator.problems(body)))


def leaves(errors: Iterable[Any]) -> Iterator[Any]:
    """Yield errors, for unexpected properties one for each of them."""
    for error in errors:
        unexpected = getattr(error, "validator", "") == "additionalProperties"
        if unexpected and isinstance(error.instance, dict):
            known = error.schema.get("properties", {})
            yield from (name for name in error.instance if name not in known)
        else:
            yield error


def paths(body: Any, above: Path = ()) -> Iterator[list[Any]]:
    """Yield the paths of all that is in a body; of a list, of its first item."""
    items = body.items() if isinstance(body, dict) else enumerate(body[:1])
    for key, value in list(items):
        yield [*above, key]
        if isinstance(value, (dict, list)):
            yield from paths(value, (*above, key))


def objects(body: Any, above: Path = ()) -> Iterator[list[Any]]:
    """Yield the paths of all objects in a body."""
    if isinstance(body, dict):
        yield [*above]
    for key, value in body.items() if isinstance(body, dict) else enumerate(body[:1]):
        if isinstance(value, (dict, list)):
            yield from objects(value, (*above, key))


def changed(body: Any, path: Path, value: Any) -> Any:
    """Return a body with another value at a path."""
    body = copy.deepcopy(body)
    holder = body
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return body


def without(body: Any, path: Path) -> Any:
    """Return a body without what is at a path."""
    body = copy.deepcopy(body)
    holder = body
    for key in path[:-1]:
        holder = holder[key]
    del holder[path[-1]]
    return body


if __name__ == "__main__":
    main()
