"""One request to the Compute API."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fake_server.common import context
from fake_server.common.errors import BadRequest, Forbidden
from fake_server.common.parsing import parse_boolean, parse_integer
from fake_server.common.rest import BadBodyError, decode
from fake_server.common.wsgi import Request, Response
from fake_server.compute import microversions
from fake_server.compute.models import actions, aggregates

if TYPE_CHECKING:
    from fake_server.common.schemas import Checker
    from fake_server.compute.session import Session
    from fake_server.db.store import Record


_BAD_NUMBER = (
    "Invalid input for query parameters {name}. Value: {{limit}}. '{{limit}}' does not match "
    "'^[0-9]*$'"
)


class Context(context.Context):
    """The context of a request, which handlers get.

    :param session: the database, the other services, the clock and the settings.
    """

    policies = "os_compute_api:"
    version = "v2.1"
    bad_limit = _BAD_NUMBER.format(name="limit")

    def __init__(self, request: Request, minor: int, session: Session) -> None:
        super().__init__(request, minor)
        self.session = session

    @property
    def owner(self) -> dict[str, str]:
        """The names of project and user that are stored in nodes."""
        return {
            "project_name": (self.caller and self.caller.project_name) or self.project_id,
            "user_name": self.caller.user_name if self.caller else self.user_id,
        }

    @cached_property
    def zone(self) -> str:
        """The availability zone of the nodes, which all have the same compute service."""
        return aggregates.zone_of(self.session, self.session.host)

    def record_action(self, instance: Record, action: str, *, done: bool = True) -> None:
        """Store what is asked for of an instance.

        :param done: whether it is done; otherwise the instance's next change ends it.
        """
        now = self.session.clock.now()
        actions.create(
            self.session,
            {
                "server_id": instance["id"],
                "project_id": instance["project_id"],
                "user_id": self.user_id,
                "request_id": self.request.id,
                "action": action,
                "start_time": now,
                "finish_time": now if done else None,
            },
        )

    def listed_project(self) -> str | None:
        """Return the project whose servers a list shows; ``None`` for all."""
        # As Nova has it, the name alone means yes.
        wants_all = self.flag("all_tenants") or self.one_of("all_tenants") == ""
        if wants_all and not self.is_admin:
            raise Forbidden.by_policy("os_compute_api:servers:detail:get_all_tenants")
        if self.caller is None or wants_all:
            return None
        return self.project_id

    def body(self) -> dict[str, Any]:
        """Return the body, unchecked; raise BadRequest unless it is an object."""
        try:
            return decode(self.request)
        except BadBodyError as exc:
            raise BadRequest(f"Malformed request body: {exc}") from None

    def json(self, checker: Checker) -> dict[str, Any]:
        """Return the body; raise BadRequest unless the checker accepts it."""
        body = self.body()
        if problem := checker.problem(body):
            raise BadRequest(problem)
        return body

    def only(self, *names: str) -> None:
        """Raise BadRequest for an unknown argument of the query, in versions that do so."""
        if self.minor < microversions.STRICT_QUERIES:
            return
        for name in self.request.query:
            if name not in names:
                raise BadRequest(f"Additional properties are not allowed ('{name}' was unexpected)")

    def one_of(self, name: str) -> str | None:
        """Return an argument of the query; the first one where it is repeated."""
        value = self.request.query.get(name)
        return value[0] if isinstance(value, list) else value

    def number(self, name: str) -> int | None:
        """Return the number in the query, if there is one; raise BadRequest for what is none."""
        text = self.one_of(name)
        number = parse_integer(text, strict=True)
        if text is not None and number is None:
            raise BadRequest(_BAD_NUMBER.format(name=name).format(limit=text))
        return number

    def moment(self, name: str) -> datetime | None:
        """Return the moment in the query, if there is one; raise BadRequest for what is none."""
        text = self.one_of(name)
        if text is None:
            return None
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise BadRequest(f"Invalid input for query parameters {name}. Value: {text}.") from None
        return moment if moment.tzinfo is None else moment.astimezone(UTC).replace(tzinfo=None)

    def flag(self, name: str) -> bool:
        """Return whether an argument of the query is true."""
        return bool(parse_boolean(self.one_of(name)))


Handler = Callable[..., Response]
