"""Who may do what: the policies of a service, in the language of oslo.policy.

A service writes down the whole table that the real one publishes, as text: a check at the beginning
of a line, and indented below it the names of the policies that have it::

    [project] role:admin or (role:reader and project_id:%(project_id)s)
        volume:get volume:get_all

The scopes in brackets are those of the tokens that a policy is for; without them it is for all.
Each policy is compiled once, when it is first asked for (:mod:`.policy_checks`).

Handlers are registered with the policies that they enforce (:class:`.GuardedRoutes`), so that none
is reachable without a rule.

oslo.policy itself is not used here: to import it and to register the policies takes 0.25 s of CPU
and 12 MB, and one check 30 to 200 microseconds, as long as a whole request. The tests evaluate the
published policies with it.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from fake_server.common.policy_checks import CheckError, never, parse, references

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.common.policy_checks import Check, Credentials, Kind, Target

_SCOPES = re.compile(r"\[([^\]]*)\]\s*(.*)")
_NO_KINDS: Mapping[str, Kind] = {}


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
            check = parse(text, lambda other: self._compile(other, (*above, name)), self._kinds)
        except CheckError as exc:
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
