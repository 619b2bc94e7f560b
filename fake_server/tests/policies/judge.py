"""What the published policies say, by the library that the real services ask.

``facts`` has what each service publishes; ``tools/dev policies`` writes it. Nothing here knows the
fake server's own tables.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oslo_config import cfg
from oslo_policy import policy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, MutableMapping

FACTS = Path(__file__).with_name("facts")
SERVICES = tuple(sorted(file.stem for file in FACTS.glob("*.json")))


class Judge:
    """Says who may do what in a service.

    :param service: its name, such as ``nova``.
    """

    def __init__(self, service: str) -> None:
        facts = json.loads((FACTS / f"{service}.json").read_text("utf-8"))
        self.package: str = facts["package"]
        self.version: str = facts["version"]
        #: What is published of each policy: its check, scopes, operations and what it replaces.
        self.rules: Mapping[str, Any] = facts["rules"]
        conf = cfg.ConfigOpts()
        conf([])
        self._enforcer = policy.Enforcer(conf, policy_file="none", use_conf=True)
        self._enforcer.register_defaults(
            policy.RuleDefault(name, rule["check"], scope_types=rule.get("scopes"))
            for name, rule in self.rules.items()
        )
        self._enforcer.load_rules()
        # There is no file to look at again for each check.
        self._enforcer.use_conf = False

    def allows(
        self, name: str, credentials: MutableMapping[str, Any], target: Mapping[str, Any]
    ) -> bool:
        """Return whether a published policy, its scope included, allows something.

        :param credentials: of who asks, as ``oslo.context`` has them: ``roles``, ``project_id``,
            ``user_id``, ``domain_id``, ``system_scope`` and so on.
        :param target: what it is about, as the service tells its policies.
        :raises PolicyNotRegistered: for a name that isn't published.
        """
        return bool(self._enforcer.authorize(name, target, credentials))

    def named_for(self, method: str, path: str) -> list[str]:
        """Return the policies whose published operations name a request.

        :param path: with any words in braces: ``/servers/{id}/action (lock)``.
        """
        wanted = f"{method} {_anonymous(path)}"
        return [name for name, operation in self.operations() if operation == wanted]

    def operations(self) -> Iterator[tuple[str, str]]:
        """Yield each policy with each published operation, whose placeholders have no names."""
        for name, rule in self.rules.items():
            for operation in rule.get("operations", ()):
                method, path = operation.split(" ", 1)
                yield name, f"{method} {_anonymous(path)}"


@cache
def judge(service: str) -> Judge:
    """Return the judge of a service."""
    return Judge(service)


def _anonymous(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", path).rstrip("/")


@policy.register("is_admin")
class IsAdmin(policy.Check):  # type: ignore[misc]
    """What Nova, Cinder and Keystone find out before they ask their other policies."""

    def __call__(self, target: Any, creds: Any, enforcer: Any) -> bool:
        """Return whether the one who asks is, or isn't, an administrator."""
        return bool(creds.get("is_admin")) == (self.match.lower() == "true")


@policy.register("field")
class Field(policy.Check):  # type: ignore[misc]
    """Neutron's check of an attribute, such as ``field:networks:shared=True``."""

    def __call__(self, target: Any, creds: Any, enforcer: Any) -> bool:
        """Return whether the attribute of the target has the value, or matches the pattern."""
        _, _, condition = self.match.partition(":")
        field, _, wanted = condition.partition("=")
        value = target.get(field)
        if value is None:
            return False
        if wanted.startswith("~"):
            return re.match(wanted[1:], value) is not None
        return str(value) == wanted
