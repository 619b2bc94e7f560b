"""One request to the Compute API."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from fake_server.clock import parse_moment
from fake_server.common import context
from fake_server.common.dialects.nova import NOVA, bad_number, bad_query
from fake_server.common.errors import BadRequest, Forbidden, NotFound, ServiceError
from fake_server.common.lists import ordered
from fake_server.common.parsing import parse_boolean, parse_integer
from fake_server.common.wsgi import Request, Response
from fake_server.compute import microversions
from fake_server.compute.models import actions, aggregates, quotas
from fake_server.compute.policies import POLICIES

if TYPE_CHECKING:
    from datetime import datetime

    from fake_server.compute.session import Session
    from fake_server.db.store import Record, Transaction


class Context(context.ResourceContext):
    """The context of a request, which handlers get.

    :param session: the database, the other services, the clock and the settings.
    """

    policies = POLICIES
    dialect = NOVA
    version = "v2.1"

    def __init__(self, request: Request, minor: int, session: Session) -> None:
        # There is none in requests that ask other services, which no declared resource does.
        super().__init__(request, minor, cast("Transaction", session.tx), session.clock)
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

    def require_project(self) -> None:
        """Raise Forbidden unless the client has a project or is an administrator."""
        if self.visible_project == context.NO_PROJECT:
            raise Forbidden("Forbidden")

    def check_quota(self, name: str) -> None:
        """Raise Forbidden if the client's project may have no more of something."""
        quotas.check(self.session, self.project_id, {name: 1})

    @contextmanager
    def recorded_action(self, instance: Record, action: str) -> Iterator[None]:
        """Store what is asked for of an instance, with why it failed if the block does.

        What isn't there is found out before anything is tried.
        """
        problem = None
        try:
            yield
        except NotFound:
            raise
        except ServiceError as exc:
            problem = str(exc)
            raise
        finally:
            self.record_action(instance, action, problem=problem)

    def record_action(
        self, instance: Record, action: str, *, done: bool = True, problem: str | None = None
    ) -> None:
        """Store what is asked for of an instance.

        :param done: whether it is done; otherwise the instance's next change ends it.
        :param problem: why it failed, if it did.
        """
        now = self.session.clock.now()
        actions.create(
            self.session,
            {
                "server_id": instance["id"],
                "project_id": self.project_id,
                "user_id": self.user_id,
                "request_id": self.request.id,
                "action": action,
                "start_time": now,
                "finish_time": now if done else None,
                "problem": problem,
            },
        )

    def servers_project(self, *, detailed: bool) -> str | None:
        """Return the project whose servers a list shows; ``None`` for all."""
        # As Nova has it, the name alone means yes.
        wants_all = self.boolean("all_tenants") or self.one_of("all_tenants") == ""
        if wants_all:
            self.require(f"servers:{'detail' if detailed else 'index'}:get_all_tenants")
        if self.caller is None or wants_all:
            return None
        return self.project_id

    def body(self) -> dict[str, Any]:
        """Return the body, unchecked; raise BadRequest unless it is an object."""
        found: dict[str, Any] = self.dialect.body(self.request)
        return found

    def action(self, known: Collection[str]) -> str:
        """Return the action that the body asks for; raise BadRequest for an unknown one."""
        return self.dialect.action(self.body(), known)

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

    def choice(self, name: str, known: Collection[str]) -> str | None:
        """Return an argument of the query; raise BadRequest unless it is a known one."""
        text = self.one_of(name)
        if text is None or text in known:
            return text
        raise bad_query(name, text, f"{text!r} is not one of {list(known)!r}")

    def sorted(
        self, rows: list[Record], columns: Mapping[str, str], tie: str, default: str = "asc"
    ) -> list[Record]:
        """Return rows in the order that the query asks for; raise BadRequest for an unknown one.

        :param columns: the column by each key.
        :param tie: the column that comes after those.
        :param default: the direction by default.
        """
        direction = self.choice("sort_dir", ("asc", "desc")) or default
        key = self.choice("sort_key", columns)
        order = (columns[key], tie) if key else (tie,)
        return ordered(rows, [(column, direction == "desc") for column in order])

    def number(self, name: str) -> int | None:
        """Return the number in the query, if there is one; raise BadRequest for what is none."""
        text = self.one_of(name)
        number = parse_integer(text, strict=True)
        if text is not None and number is None:
            raise bad_number(name, str(text))
        return number

    def moment(self, name: str) -> datetime | None:
        """Return the moment in the query, if there is one; raise BadRequest for what is none."""
        text = self.one_of(name)
        if text is None:
            return None
        try:
            return parse_moment(text)
        except ValueError:
            raise bad_query(name, text, f"{text!r} is not a 'date-time'") from None

    def flag(self, name: str) -> bool:
        """Return whether an argument of the query is true."""
        return bool(parse_boolean(self.one_of(name)))

    def boolean(self, name: str) -> bool | None:
        """Return an argument of the query, if there is one; raise BadRequest for another word."""
        text = self.one_of(name)
        value = parse_boolean(text)
        if text and value is None:
            known = ", ".join(f"'{word}'" for word in _BOOLEANS)
            raise BadRequest(f"Unrecognized value '{text}', acceptable values are: {known}")
        return value


Handler = Callable[..., Response]
#: Words for booleans in queries.
_BOOLEANS = ("0", "1", "f", "false", "n", "no", "off", "on", "t", "true", "y", "yes")
