"""One request on its way through a service beside Ironic."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.common.errors import Forbidden, NotFound, ServiceError
from fake_server.common.parsing import parse_boolean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.clock import Clock
    from fake_server.common.caller import Caller
    from fake_server.common.dialects.dialect import Dialect
    from fake_server.common.policies import Policies
    from fake_server.common.schemas import Checker
    from fake_server.common.wsgi import Request
    from fake_server.db.store import Transaction

#: Project and user of everything where no request is authenticated.
NOBODY = "admin"
#: The project of clients whose tokens are for none.
NO_PROJECT = ""


class Context:
    """The context of a request, which handlers get; services add to it.

    :param request: the HTTP request.
    :param minor: the minor version that it is for.
    """

    #: The policies of the service.
    policies: ClassVar[Policies]
    #: The version that links name.
    version: ClassVar[str] = ""

    def __init__(self, request: Request, minor: int = 0) -> None:
        self.request = request
        self.minor = minor
        #: The policies that were asked so far.
        self.asked: set[str] = set()

    @property
    def caller(self) -> Caller | None:
        """Who sends the request; ``None`` without authentication."""
        return self.request.caller

    @property
    def is_admin(self) -> bool:
        """Whether the client sees and changes the resources of all projects."""
        return self.caller is None or bool(self.credentials["is_admin"])

    @property
    def project_id(self) -> str:
        """The project that new resources belong to; :data:`NO_PROJECT` if the client has none."""
        return NOBODY if self.caller is None else self.caller.project_id or NO_PROJECT

    @property
    def user_id(self) -> str:
        """The user that new resources belong to."""
        return self.caller.user_id if self.caller else NOBODY

    @cached_property
    def credentials(self) -> Mapping[str, Any]:
        """What policies know of the client, who is authenticated."""
        return self.caller.credentials() if self.caller else {}

    @property
    def own(self) -> dict[str, Any]:
        """The target of what is about the client's own project and user."""
        project = self.caller.project_id if self.caller else self.project_id
        return {"project_id": project, "user_id": self.user_id}

    def may(self, policy: str, target: Mapping[str, Any] | None = None) -> bool:
        """Return whether a policy allows the client something.

        Without authentication everybody may do all.

        :param target: what it is about, by default the client's :attr:`own`.
        """
        self.asked.add(self.policies.name(policy))
        if self.caller is None:
            return True
        return self.policies.allows(
            policy, self.credentials, self.own if target is None else target
        )

    def require(self, policy: str, target: Mapping[str, Any] | None = None) -> None:
        """Raise what the service refuses a client with, unless a policy allows it something.

        :param target: as in :meth:`may`.
        """
        if not self.may(policy, target):
            raise self.refusal(self.policies.name(policy))

    def pass_over(self, policy: str) -> None:
        """Note that a policy isn't asked, because the real service doesn't ask it here either."""
        self.asked.add(self.policies.name(policy))

    def refusal(self, policy: str) -> ServiceError:
        """Return the error for what a policy forbids."""
        return Forbidden.by_policy(policy)

    @property
    def visible_project(self) -> str | None:
        """The project whose resources the client can name; ``None`` for all."""
        return None if self.is_admin else self.project_id

    def one_of(self, name: str) -> str | None:
        """Return an argument of the query; the last one where it is repeated."""
        value = self.request.query.get(name)
        return value[-1] if isinstance(value, list) else value

    def flag(self, name: str) -> bool:
        """Return a boolean of the query, by default false."""
        return bool(parse_boolean(self.one_of(name)))

    def since(self, minor: int) -> None:
        """Raise NotFound before the version that added the address."""
        if self.minor < minor:
            raise NotFound

    def until(self, minor: int) -> None:
        """Raise NotFound since the version that dropped the address."""
        if self.minor >= minor:
            raise NotFound

    def links(self, path: str) -> list[dict[str, str]]:
        """Return the links of something, as Nova and Cinder show them."""
        return [
            {"rel": "self", "href": f"{self.request.base_url}/{self.version}/{path}"},
            {"rel": "bookmark", "href": f"{self.request.base_url}/{path}"},
        ]


class ResourceContext(Context):
    """The context of a request for a resource that is declared.

    :param tx: the transaction in which the request is answered.
    """

    #: What the service says otherwise than others.
    dialect: ClassVar[Dialect]

    def __init__(self, request: Request, minor: int, tx: Transaction, clock: Clock) -> None:
        super().__init__(request, minor)
        self.tx = tx
        self.clock = clock

    def json(self, checker: Checker) -> Any:
        """Return the body; raise BadRequest unless the checker accepts it in the version."""
        body = self.dialect.body(self.request)
        self.dialect.check(checker.at(self.minor), body)
        return body

    def listed_project(self) -> str | None:
        """Return the project whose resources a list shows; ``None`` for all."""
        return self.visible_project

    def check_quota(self, name: str) -> None:
        """Raise an error if the client's project has as many of something as it may have."""
