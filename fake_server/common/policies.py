"""Who may do what: the policies of a service, in the language of oslo.policy.

A service writes down the whole table that the real one publishes, as text: a check at the beginning
of a line, and indented below it the names of the policies that have it::

    [project] role:admin or (role:reader and project_id:%(project_id)s)
        volume:get volume:get_all

The scopes in brackets are those of the tokens that a policy is for; without them it is for all.
Each policy is compiled once, when it is first asked for, into functions that take the credentials
of who asks (see :attr:`.Caller.credentials`) and the target: what it is about, as the real service
describes it to its policies.

Handlers are registered with the policies that they enforce (:class:`.GuardedRoutes`), so that none
is reachable without a rule.

oslo.policy itself is not used here: to import it and to register the policies takes 0.25 s of CPU
and 12 MB, and one check 30 to 200 microseconds, as long as a whole request. The tests evaluate the
published policies with it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

Credentials = Mapping[str, Any]
Target = Mapping[str, Any]
#: Whether a policy allows something: given who asks, and what it is about.
Check = Callable[[Credentials, Target], bool]
#: Makes a check of its own kind, given what stands behind its colon.
Kind = Callable[[str], Check]

_TOKEN = re.compile(r"[()]|(?:%\([^()]*\)s|[^\s()])+")
_OPERATORS = ("and", "or", "not", "(", ")")
_SCOPES = re.compile(r"\[([^\]]*)\]\s*(.*)")
_WHOLE = re.compile(r"%\(([^()]+)\)s")
_NO_KINDS: Mapping[str, Kind] = MappingProxyType({})


class PolicyError(ValueError):
    """A check that can't be understood, or policies that can't be.

    :param policy: the name of the policy that it is about.
    """

    def __init__(self, message: str, policy: str = "") -> None:
        super().__init__(message)
        self.policy = policy


class UnknownPolicyError(PolicyError, KeyError):
    """A name that the service publishes no policy of."""

    __str__ = ValueError.__str__


class Rule(NamedTuple):
    """A policy as it is published.

    :param check: in the language of oslo.policy.
    :param scopes: the scopes of the tokens that it is for; none where it is for all.
    """

    check: str
    scopes: frozenset[str] = frozenset()


class Policies:
    """The policies of a service.

    :param rules: by name; see :func:`table`.
    :param prefix: what names may leave out.
    :param kinds: the kinds of checks that the service adds, by the word before the colon.
    :param renamed: the names that policies had in earlier releases, or of those that they were
        part of, by the present ones.
    :param added: what begins the names of policies that only files have.
    """

    def __init__(
        self,
        rules: Mapping[str, Rule],
        *,
        prefix: str = "",
        kinds: Mapping[str, Kind] = _NO_KINDS,
        renamed: Mapping[str, str] = MappingProxyType({}),
        added: str | None = None,
    ) -> None:
        self.rules = rules
        self._prefix = prefix
        self._kinds = kinds
        self._renamed = renamed
        self._added = added
        self._compiled: dict[str, Check] = {}
        self._names: dict[str, str] = {}

    def name(self, name: str) -> str:
        """Return the whole name of a policy; raise UnknownPolicyError if none is published."""
        whole = self._names.get(name)
        if whole is None:
            whole = name if name in self.rules else f"{self._prefix}{name}"
            if whole not in self.rules:
                raise UnknownPolicyError(f"There is no policy {name}.")
            self._names[name] = whole
        return whole

    def allows(self, name: str, credentials: Credentials, target: Target) -> bool:
        """Return whether a policy allows something, as to its check and its scopes."""
        whole = self.name(name)
        scopes = self.rules[whole].scopes
        if scopes and _scope(credentials) not in scopes:
            return False
        return self.check(whole)(credentials, target)

    def in_scope(self, name: str, credentials: Credentials) -> bool:
        """Return whether a policy is for tokens of this scope."""
        scopes = self.rules[self.name(name)].scopes
        return not scopes or _scope(credentials) in scopes

    def check(self, name: str) -> Check:
        """Return the check of a policy, compiled, without its scopes."""
        found = self._compiled.get(name)
        if found is None:
            found = self._compile(self.name(name), ())
        return found

    def replaced(self, rules: Mapping[str, str]) -> Policies:
        """Return the policies with other checks for some, and with rules that those refer to.

        A check for the name that a policy had before is one for its present name, and one for what
        it was part of is one for it, unless it has one of its own.

        :raises PolicyError: for a check that can't be understood, and an unknown name.
        """
        former = {old: new for new, old in self._renamed.items() if old not in self.rules}
        made: dict[str, Rule] = {}
        used = {other for check in rules.values() for other in references(check)}
        for given, check in rules.items():
            name = former.get(given, given)
            if name in made:
                raise PolicyError(f"There are two rules for {name}.", given)
            known = self.rules.get(name)
            if known is None and name not in used and not self._may_add(name):
                raise UnknownPolicyError(
                    f"There is no policy {name}, and no other refers to it.", given
                )
            for other in references(check):
                if other not in self.rules and other not in rules:
                    raise UnknownPolicyError(
                        f"The policy {name} refers to rule:{other}, which does not exist.", given
                    )
            made[name] = Rule(check, known.scopes if known else frozenset())
        for part, whole in self._renamed.items():
            if whole in made and part not in made and made[whole].check != f"rule:{part}":
                made[part] = Rule(made[whole].check, self.rules[part].scopes)
        found = Policies(
            {**self.rules, **made},
            prefix=self._prefix,
            kinds=self._kinds,
            renamed=self._renamed,
            added=self._added,
        )
        for name in made:
            found.check(name)
        return found

    def _may_add(self, name: str) -> bool:
        return self._added is not None and name.startswith(self._added)

    def _compile(self, name: str, above: tuple[str, ...]) -> Check:
        """Compile a policy and what it refers to.

        :param above: the policies that refer to it.
        """
        if name in self._compiled:
            return self._compiled[name]
        if name in above:
            circle = " -> ".join((*above, name))
            raise PolicyError(f"The policies refer to each other: {circle}.", name)
        if name not in self.rules:
            return never
        text = self.rules[name].check
        try:
            check = _Parser(
                text, lambda other: self._compile(other, (*above, name)), self._kinds
            ).parse()
        except _SyntaxError as exc:
            raise PolicyError(f"The policy {name}, {text!r}: {exc}.", name) from None
        self._compiled[name] = check
        return check


def table(text: str) -> dict[str, Rule]:
    """Return the rules that a text has: checks, each with the names of its policies below it."""
    rules: dict[str, Rule] = {}
    rule = Rule("")
    for line in text.splitlines():
        if line[:1].isspace():
            for name in line.split():
                if name in rules:
                    raise PolicyError(f"There are two rules for {name}.")
                rules[name] = rule
        elif line:
            scopes, check = match.groups() if (match := _SCOPES.match(line)) else ("", line)
            rule = Rule("" if check == "-" else check, frozenset(scopes.split()))
    return rules


def read(path: str, policies: Policies) -> Policies:
    """Return policies with the checks of a policy file, which is YAML or JSON, in place of theirs.

    :raises PolicyError: which names the file and, where it is about one, the line and the name.
    """
    entries = list(_entries(path))
    try:
        return policies.replaced({name: check for name, check, _ in entries})
    except PolicyError as exc:
        line = next((line for name, _, line in entries if name == exc.policy), 1)
        raise PolicyError(f"{path}, line {line}: {exc}", exc.policy) from None


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


class _SyntaxError(Exception):
    """A check that isn't in the language."""


class _Parser:
    """Reads one check.

    :param refer: returns the check of another policy.
    :param kinds: makes checks of further kinds.
    """

    def __init__(self, text: str, refer: Callable[[str], Check], kinds: Mapping[str, Kind]) -> None:
        self._tokens = _TOKEN.findall(text)[::-1]
        self._refer = refer
        self._kinds = kinds

    def parse(self) -> Check:
        """Return what the check says; raise _SyntaxError if it can't be understood."""
        if not self._tokens:
            return always
        check = self._either()
        if self._tokens:
            raise _SyntaxError(f"there is no 'and' or 'or' before {self._tokens[-1]!r}")
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
                raise _SyntaxError("a ')' is missing")
            return check
        if not self._tokens or self._tokens[-1].lower() in _OPERATORS:
            raise _SyntaxError(f"a check is missing before {(self._tokens or ['the end'])[-1]!r}")
        return self._check(self._tokens.pop())

    def _check(self, word: str) -> Check:
        if word in ("@", "!"):
            return always if word == "@" else never
        kind, colon, value = word.partition(":")
        if not colon or not kind or not value:
            raise _SyntaxError(f"{word!r} is no check, such as role:admin")
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


def _scope(credentials: Credentials) -> str:
    if credentials.get("system_scope"):
        return "system"
    return "domain" if credentials.get("domain_id") else "project"


def _entries(path: str) -> Iterable[tuple[str, str, int]]:
    """Yield name, check and line of each rule in a policy file."""
    import yaml

    from fake_server.common import yaml_loader

    try:
        node = yaml_loader.compose(Path(path).read_text("utf-8"))
    except OSError as exc:
        raise PolicyError(f"The policies in {path} can't be read: {exc.strerror}.") from exc
    except yaml.MarkedYAMLError as exc:
        line = exc.problem_mark.line + 1 if exc.problem_mark else 1
        raise PolicyError(f"{path}, line {line}: {exc.problem or exc.context}.") from exc
    except (yaml.YAMLError, UnicodeDecodeError) as exc:
        reason = " ".join(str(exc).split())
        raise PolicyError(f"The policies in {path} are neither YAML nor JSON: {reason}") from exc
    if node is None:
        return
    if not isinstance(node, yaml.MappingNode):
        raise PolicyError(f"{path} needs to be an object: a check for each name of a policy.")
    for key, value in node.value:
        line = key.start_mark.line + 1
        texts = [one.value for one in (key, value) if one.tag == "tag:yaml.org,2002:str"]
        if len(texts) != 2:
            raise PolicyError(
                f"{path}, line {line}: the policy {key.value!r} needs a check that is text."
            )
        yield texts[0], texts[1], line
