"""Policies of one's own: oslo.policy's file of checks by name, for the names of Ironic."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from fake_server.baremetal.api import policies

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.api.policies import Rule

_TOKEN = re.compile(r"[()]|(?:%\([^()]*\)s|[^\s()])+")
_OPERATORS = ("and", "or", "not", "(", ")")
_OWNERS = ("node.owner", "allocation.owner", "runbook.owner")
_KNOWN = (
    "role:NAME, rule:NAME, system_scope:all, project_id:%(node.owner)s, "
    "project_id:%(node.lessee)s, @ and !"
)


def read(path: str) -> dict[str, str]:
    """Read checks by name from a file of YAML or JSON; raise ValueError if it isn't one."""
    import yaml

    from fake_server.common import yaml_loader

    try:
        content = yaml_loader.load(Path(path).read_text("utf-8"))
    except OSError as exc:
        raise ValueError(f"The policies in {path} can't be read: {exc.strerror}.") from exc
    except (yaml.YAMLError, UnicodeDecodeError) as exc:
        reason = " ".join(str(exc).split())
        raise ValueError(f"The policies in {path} are neither YAML nor JSON: {reason}") from exc
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise ValueError(f"{path} needs to be an object: a check for each name of a policy.")
    for name, check in content.items():
        if not isinstance(name, str) or not isinstance(check, str):
            raise ValueError(f"The policy {name!r} in {path} needs a check that is text.")
    return content


def rules(checks: Mapping[str, str]) -> Mapping[str, Rule]:
    """Return the rule of each policy, where those of the server are replaced by others.

    :param checks: texts of checks by the name of a policy, or by one that ``rule:`` refers to.
    :raises ValueError: for a name that is neither, and for a check that can't be.
    """
    if not checks:
        return policies.POLICIES
    tokens = {token for check in checks.values() for token in _TOKEN.findall(check)}
    used = {token.removeprefix("rule:") for token in tokens if token.startswith("rule:")}
    unknown = [name for name in checks if name not in policies.POLICIES and name not in used]
    if unknown:
        raise ValueError(
            f"Unknown policies: {', '.join(unknown)}. They are no policies of Ironic that the "
            "server checks, and no check refers to them with rule:."
        )
    found = dict(policies.POLICIES)
    for name in checks:
        found[name] = _rule(name, checks, ())
    return found


def _rule(name: str, checks: Mapping[str, str], above: tuple[str, ...]) -> Rule:
    """Return the rule with a name.

    :param above: the names of the rules that refer to it.
    """
    if name in above:
        raise ValueError(f"The policies refer to each other: {' -> '.join((*above, name))}.")
    if name not in checks:
        try:
            return policies.POLICIES[name]
        except KeyError:
            raise ValueError(
                f"The policy {above[0]} refers to rule:{name}, which does not exist."
            ) from None
    return _Parser(name, checks, above).parse()


class _Parser:
    """Reads one check.

    :param name: the name of its policy.
    :param checks: all checks.
    :param above: the names of the policies that refer to it.
    """

    def __init__(self, name: str, checks: Mapping[str, str], above: tuple[str, ...]) -> None:
        self._name = name
        self._checks = checks
        self._above = (*above, name)
        self._tokens = _TOKEN.findall(checks[name])[::-1]

    def parse(self) -> Rule:
        """Return what the check says; raise ValueError if it can't be understood."""
        if not self._tokens:
            return policies.always
        rule = self._either()
        if self._tokens:
            raise self._error(f"there is no 'and' or 'or' before {self._tokens[-1]!r}")
        return rule

    def _either(self) -> Rule:
        parts = [self._all()]
        while self._take("or"):
            parts.append(self._all())
        return policies.any_of(*parts)

    def _all(self) -> Rule:
        parts = [self._one()]
        while self._take("and"):
            parts.append(self._one())
        return policies.all_of(*parts)

    def _one(self) -> Rule:
        if self._take("not"):
            return policies.negated(self._one())
        if self._take("("):
            rule = self._either()
            if not self._take(")"):
                raise self._error("a ')' is missing")
            return rule
        if not self._tokens or self._tokens[-1].lower() in _OPERATORS:
            raise self._error(f"a check is missing before {(self._tokens or ['the end'])[-1]!r}")
        return self._check(self._tokens.pop())

    def _check(self, token: str) -> Rule:
        kind, _, value = token.partition(":")
        match kind, value.removeprefix("%(").removesuffix(")s"):
            case "@", "":
                return policies.always
            case "!", "":
                return policies.negated(policies.always)
            case "rule", name if name:
                return _rule(name, self._checks, self._above)
            case "role", role if role:
                return policies.everywhere(role.lower())
            case "system_scope", "all":
                return policies.of_system
            case "project_id", owner if owner in _OWNERS:
                return policies.of_owner
            case "project_id", "node.lessee":
                return policies.of_lessee
        raise self._error(f"{token!r} is none of the checks {_KNOWN}")

    def _take(self, word: str) -> bool:
        if not self._tokens or self._tokens[-1].lower() != word:
            return False
        self._tokens.pop()
        return True

    def _error(self, problem: str) -> ValueError:
        return ValueError(f"The policy {self._name}, {self._checks[self._name]!r}: {problem}.")
