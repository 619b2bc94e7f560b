"""The accounts that a server starts with: those of its own, or those of a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fake_server.identity.roles import ROLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PASSWORD = "secret"  # noqa: S105 - everybody's, and documented
_KEYS = {"name", "password", "projects", "system"}


@dataclass(frozen=True)
class Account:
    """A user.

    :param name: what the user is called.
    :param password: what the user proves to know.
    :param projects: the roles by the name of the project.
    :param system: the roles on the system.
    """

    name: str
    password: str = field(default=_PASSWORD, repr=False)
    projects: Mapping[str, Sequence[str]] = field(default_factory=dict)
    system: Sequence[str] = ()


DEFAULT = (
    Account("admin", projects={"admin": ["admin"]}, system=["admin"]),
    Account("system-member", system=["member"]),
    Account("system-reader", system=["reader"]),
    Account("project-admin", projects={"demo": ["admin"]}),
    Account("project-member", projects={"demo": ["member"]}),
    Account("project-reader", projects={"demo": ["reader"]}),
    Account("other-member", projects={"other": ["member"]}),
    Account("nova", projects={"service": ["service"]}),
    Account("ironic", projects={"service": ["admin", "service"]}),
)


def read(path: str) -> tuple[Account, ...]:
    """Read accounts from a file of YAML or JSON.

    :param path: path of a file with ``users:``, a list of objects with ``name``, ``password``,
        ``projects`` (a list of roles for each) and ``system`` (a list of roles).
    :raises ValueError: if it isn't one; says what is wrong with it.
    """
    import yaml

    from fake_server.common import yaml_loader

    try:
        content = yaml_loader.load(Path(path).read_text("utf-8"))
    except OSError as exc:
        raise ValueError(f"The accounts in {path} can't be read: {exc.strerror}.") from exc
    except (yaml.YAMLError, UnicodeDecodeError) as exc:
        reason = " ".join(str(exc).split())
        raise ValueError(f"The accounts in {path} are neither YAML nor JSON: {reason}") from exc
    found = content.get("users") if isinstance(content, dict) else None
    if not isinstance(found, list) or not found:
        raise ValueError(f"{path} holds no accounts: it needs a list 'users'.")
    accounts = tuple(
        account(f"Account {position} in {path}", item) for position, item in enumerate(found, 1)
    )
    names = [account.name for account in accounts]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{path} has more than one account called {', '.join(twice)}.")
    return accounts


def account(where: str, item: Any) -> Account:
    """Return the account that an object describes; raise ValueError if it can't be one.

    :param where: what the message is to begin with.
    """
    if not isinstance(item, dict) or not isinstance(item.get("name"), str) or not item["name"]:
        raise ValueError(f"{where} needs a name.")
    where = f"{where}, {item['name']!r},"
    unknown = sorted(map(str, set(item) - _KEYS))
    if unknown:
        raise ValueError(f"{where} has {', '.join(unknown)}; known is {', '.join(sorted(_KEYS))}.")
    password = item.get("password", _PASSWORD)
    if not isinstance(password, str) or not password:
        raise ValueError(f"{where} needs a password that is text; put it in quotes.")
    projects = item.get("projects") or {}
    if not isinstance(projects, dict):
        raise ValueError(f"{where} needs projects as an object, with a list of roles for each.")
    return Account(
        item["name"],
        password,
        {str(name): _roles(where, roles) for name, roles in projects.items()},
        _roles(where, item.get("system") or []),
    )


def _roles(where: str, roles: Any) -> list[str]:
    if not isinstance(roles, list) or any(role not in ROLES for role in roles):
        raise ValueError(f"{where} needs its roles as lists of {', '.join(ROLES)}.")
    return roles
