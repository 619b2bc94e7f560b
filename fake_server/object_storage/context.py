"""One request to the Object Storage API."""

from __future__ import annotations

from collections.abc import Callable
from email.utils import formatdate
from typing import TYPE_CHECKING

from fake_server.common.context import ResourceContext
from fake_server.common.dialects.swift import SWIFT
from fake_server.common.errors import Forbidden
from fake_server.common.policies import Policies
from fake_server.common.wsgi import Request, Response
from fake_server.object_storage import models, tables, temporary_urls

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.clock import Clock
    from fake_server.db.store import Transaction

#: Swift publishes none: the roles below decide.
POLICIES = Policies({})
#: The roles that let somebody use the account of the own project, and that of any.
_OPERATORS, _RESELLER = frozenset({"admin", "swiftoperator"}), "ResellerAdmin"


class Context(ResourceContext):
    """The context of a request, which handlers get."""

    policies = POLICIES
    dialect = SWIFT

    def __init__(self, request: Request, tx: Transaction, clock: Clock) -> None:
        super().__init__(request, 0, tx, clock)
        self.now = clock.seconds()

    def authorize(self, account: str, container: str | None = None) -> None:
        """Raise an error unless the client may use an account.

        :param container: that of the object that the request is about, if it is about one.
        :raises Unauthorized: for a temporary URL that is not good for it.
        :raises Forbidden: without a role for it.
        """
        if temporary_urls.is_one(self.request.query):
            self._check_signature(account, container)
        elif self.caller is not None:
            roles = self.caller.roles
            is_own = account == f"AUTH_{self.caller.project_id}" and not _OPERATORS.isdisjoint(
                roles
            )
            if not is_own and _RESELLER not in roles:
                raise Forbidden

    def _check_signature(self, account: str, container: str | None) -> None:
        keys: list[str] = []
        if container is not None:
            of_account = models.account_headers(self.tx, account)
            row = self.tx.get(tables.containers, account=account, name=container)
            keys += temporary_urls.keys_of(of_account, "Account")
            keys += temporary_urls.keys_of(row["headers"] if row else {}, "Container")
        path, mount = self.request.path, f"/{self.request.mount}"
        temporary_urls.check(self.request, self.now, path, mount, keys)

    def said(
        self, kind: str, before: Mapping[str, str], more: tuple[str, ...] = ()
    ) -> dict[str, str]:
        """Return what is said of something after the headers of the request.

        :param kind: ``Account``, ``Container`` or ``Object``.
        :param before: what was said of it; an empty header takes one away.
        :param more: further headers that are kept.
        """
        found = dict(before)
        for name, value in self.request.environ.items():
            if not name.startswith("HTTP_"):
                continue
            title = name[len("HTTP_") :].replace("_", "-").title()
            removed = title.replace("X-Remove-", "X-", 1)
            if removed != title and removed.startswith(f"X-{kind}-"):
                found.pop(removed, None)
            elif title.startswith(f"X-{kind}-Meta-") or title in more:
                if value:
                    found[title] = value
                else:
                    found.pop(title, None)
        return found


def date(seconds: float) -> str:
    """Return a moment as headers have it."""
    return formatdate(int(seconds), usegmt=True)


Handler = Callable[..., Response]
