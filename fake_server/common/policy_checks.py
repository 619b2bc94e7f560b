"""The language of oslo.policy: checks, compiled into functions.

They take the credentials of who asks (see :attr:`.Caller.credentials`) and the target: what it is
about, as the real service describes it to its policies.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Credentials = Mapping[str, Any]
Target = Mapping[str, Any]
#: Whether a policy allows something: given who asks, and what it is about.
Check = Callable[[Credentials, Target], bool]
#: Makes a check of its own kind, given what stands behind its colon.
Kind = Callable[[str], Check]

_TOKEN = re.compile(r"[()]|(?:%\([^()]*\)s|[^\s()])+")
_OPERATORS = ("and", "or", "not", "(", ")")
_WHOLE = re.compile(r"%\(([^()]+)\)s")


class CheckError(Exception):
    """A check that isn't in the language."""


def parse(text: str, refer: Callable[[str], Check], kinds: Mapping[str, Kind]) -> Check:
    """Return what a check says; raise CheckError if it can't be understood.

    :param refer: returns the check of another policy.
    :param kinds: makes checks of further kinds, by the word before the colon.
    """
    return _Parser(text, refer, kinds).parse()


def references(check: str) -> Iterator[str]:
    """Yield the names of the policies that a check refers to."""
    for token in _TOKEN.findall(check):
        if token.startswith("rule:"):
            yield token.removeprefix("rule:")


def always(credentials: Credentials, target: Target) -> bool:
    """Return that everyone may."""
    return True


def never(credentials: Credentials, target: Target) -> bool:
    """Return that nobody may."""
    return False


class _Parser:
    """Reads one check; see :func:`parse`."""

    def __init__(self, text: str, refer: Callable[[str], Check], kinds: Mapping[str, Kind]) -> None:
        self._tokens = _TOKEN.findall(text)[::-1]
        self._refer = refer
        self._kinds = kinds

    def parse(self) -> Check:
        """Return what the check says."""
        if not self._tokens:
            return always
        check = self._either()
        if self._tokens:
            raise CheckError(f"there is no 'and' or 'or' before {self._tokens[-1]!r}")
        return check

    def _either(self) -> Check:
        parts = [self._all()]
        while self._take("or"):
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else _any_of(tuple(parts))

    def _all(self) -> Check:
        parts = [self._one()]
        while self._take("and"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else _all_of(tuple(parts))

    def _one(self) -> Check:
        if self._take("not"):
            return _negated(self._one())
        if self._take("("):
            check = self._either()
            if not self._take(")"):
                raise CheckError("a ')' is missing")
            return check
        if not self._tokens or self._tokens[-1].lower() in _OPERATORS:
            raise CheckError(f"a check is missing before {(self._tokens or ['the end'])[-1]!r}")
        return self._check(self._tokens.pop())

    def _check(self, word: str) -> Check:
        if word in ("@", "!"):
            return always if word == "@" else never
        kind, colon, value = word.partition(":")
        if not colon or not kind or not value:
            raise CheckError(f"{word!r} is no check, such as role:admin")
        if kind == "rule":
            return self._refer(value)
        if kind == "role":
            return _role(value)
        if kind in self._kinds:
            return self._kinds[kind](value)
        return _generic(kind, value)

    def _take(self, word: str) -> bool:
        if not self._tokens or self._tokens[-1].lower() != word:
            return False
        self._tokens.pop()
        return True


def _any_of(parts: tuple[Check, ...]) -> Check:
    def check(credentials: Credentials, target: Target) -> bool:
        for part in parts:  # noqa: SIM110 - a generator would take as long again
            if part(credentials, target):
                return True
        return False

    return check


def _all_of(parts: tuple[Check, ...]) -> Check:
    def check(credentials: Credentials, target: Target) -> bool:
        for part in parts:  # noqa: SIM110
            if not part(credentials, target):
                return False
        return True

    return check


def _negated(part: Check) -> Check:
    return lambda credentials, target: not part(credentials, target)


def _role(value: str) -> Check:
    if "%(" not in value:
        role = value.lower()
        return lambda credentials, target: role in credentials["roles"]
    filled = _filled(value)

    def check(credentials: Credentials, target: Target) -> bool:
        wanted = filled(target)
        return wanted is not None and wanted.lower() in credentials["roles"]

    return check


def _generic(kind: str, value: str) -> Check:
    """Return the check that compares a credential, or a literal, with what the target has."""
    filled = _filled(value)
    try:
        literal = str(ast.literal_eval(kind))
    except (ValueError, SyntaxError):
        pass
    else:
        return lambda credentials, target: filled(target) == literal
    path = tuple(kind.split("."))
    if len(path) > 1:
        return lambda credentials, target: _has(credentials, path, filled(target))

    def check(credentials: Credentials, target: Target) -> bool:
        wanted = filled(target)
        if wanted is None or kind not in credentials:
            return False
        found = credentials[kind]
        if isinstance(found, list):
            return wanted in map(str, found)
        return wanted == str(found)

    return check


def _filled(value: str) -> Callable[[Target], str | None]:
    """Return what puts the values of a target into a text; ``None`` if it hasn't one of them."""
    whole = _WHOLE.fullmatch(value)
    if whole:
        key = whole[1]
        return lambda target: str(target[key]) if key in target else None
    if "%(" not in value:
        return lambda target: value

    def fill(target: Target) -> str | None:
        try:
            return value % target
        except KeyError:
            return None

    return fill


def _has(value: Any, path: tuple[str, ...], wanted: str | None) -> bool:
    """Return whether what is at the end of a path is something, in any of the lists on the way."""
    if wanted is None:
        return False
    if not path:
        return str(value) == wanted
    if not isinstance(value, Mapping) or path[0] not in value:
        return False
    found = value[path[0]]
    if isinstance(found, list):
        return any(_has(one, path[1:], wanted) for one in found)
    return _has(found, path[1:], wanted)
