"""A kind of resources, declared in a class body, and what clients can do with it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from fake_server.common.errors import Conflict
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.microversions import ABSENT, at
from fake_server.common.resources.action import Action, checker
from fake_server.common.resources.checks import check
from fake_server.common.resources.declaration import Field, Level
from fake_server.common.rest import encode
from fake_server.common.schemas import Checker, object_schema
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from fake_server.common.context import ResourceContext
    from fake_server.common.dialects.dialect import Dialect
    from fake_server.common.errors import ServiceError
    from fake_server.common.policies import Policies
    from fake_server.common.resources.part import Part
    from fake_server.common.resources.rows import Rows
    from fake_server.common.schemas import Schema
    from fake_server.db.store import Record

ContextT = TypeVar("ContextT", bound="ResourceContext")
_NOTHING: Mapping[str, Any] = {}


class Resource(Generic[ContextT]):
    """A kind of resources; a service has a subclass for all, and one of that for each kind.

    The class body declares what there is to say of it. Methods do what is said in their docstrings;
    a subclass has others for what is special. An error in what is declared is a
    :class:`.DeclarationError` when the module is imported.
    """

    #: What the API calls one of them; a class without it declares no kind.
    name: ClassVar[str]
    #: What the API calls several of them.
    plural: ClassVar[str]
    #: Where they are, in place of the plural behind a slash; lists and the like are at each.
    paths: ClassVar[tuple[str, ...]] = ()
    #: The version that added them, and those that added operations later.
    since: ClassVar[int] = 0
    added: ClassVar[Mapping[str, int]] = _NOTHING
    rows: ClassVar[Rows]
    fields: ClassVar[Mapping[str, Field]] = _NOTHING
    #: The policy of each operation that there is: of several, one is asked; of none, it is public.
    policies: ClassVar[Mapping[str, str | tuple[str, ...]]] = _NOTHING
    #: The policy of reading one, without which no other operation finds it, either.
    reading: ClassVar[str | None] = None
    #: Whether policies are asked before one is looked for, and know nothing of it.
    asks_first: ClassVar[bool] = False
    #: Whether there are lists in detail, too.
    detailed: ClassVar[bool] = False
    #: What lists can be narrowed by.
    filters: ClassVar[tuple[str, ...]] = ()
    #: How much plain lists show of one.
    listed_as: ClassVar[Level] = Level.SUMMARY
    #: Whether lists name their next page.
    linked: ClassVar[bool] = True
    #: What a project may have so many of, as its limits call it.
    quota: ClassVar[str | None] = None
    #: The status of answers, where it isn't that of the service.
    statuses: ClassVar[Mapping[str, int]] = _NOTHING
    #: How much answers to requests that create or change one show.
    answered: ClassVar[Level] = Level.CHANGED
    #: What is posted to ``action``, by name.
    actions: ClassVar[Mapping[str, Action]] = _NOTHING
    #: The column of what an action calls states.
    states_in: ClassVar[str] = "status"
    #: What belongs to one: tags, metadata and the like.
    parts: ClassVar[tuple[Part, ...]] = ()
    #: Properties that a body may or must have beside its fields, by operation.
    more_of_body: ClassVar[Mapping[str, Schema]] = _NOTHING
    #: What completing a row adds to it that is shown.
    computed: ClassVar[tuple[str, ...]] = ()
    #: What checks the formats that schemas name.
    formats: ClassVar[Mapping[str, Callable[[str], object]]] = _NOTHING
    #: Whose policies those are.
    service_policies: ClassVar[Policies]
    dialect: ClassVar[Dialect]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "name" in cls.__dict__:
            if "plural" not in cls.__dict__:
                cls.plural = f"{cls.name}s"
            check(cls)

    # What a kind may have code for

    def listed(self, ctx: ContextT) -> list[Record]:
        """Return the rows that a list shows, in their usual order."""
        return self.rows.fetch(ctx.tx, ctx.listed_project())

    def page(self, ctx: ContextT, rows: list[Record]) -> tuple[list[Record], dict[str, Any]]:
        """Return the rows that an answer lists, and what it says beside them."""
        page, more = ctx.dialect.page(ctx, rows, self.plural, self.rows.missing)
        if not self.linked:
            more.pop(f"{self.plural}_links", None)
        return page, more

    def item(self, ctx: ContextT, row: Record, level: Level) -> dict[str, Any]:
        """Return what a list has of one."""
        return self.shown(ctx, row, level)

    def make(self, ctx: ContextT, wanted: Mapping[str, Any]) -> Record:
        """Add one, as a body asks for, and return it."""
        return self.rows.add(ctx.tx, ctx.clock, self.values(ctx, wanted))

    def values(self, ctx: ContextT, wanted: Mapping[str, Any]) -> Record:
        """Return the columns of a new one: its owner's, those in the body, and defaults."""
        columns = self.rows.table.c
        owner = {"project_id": ctx.project_id, "user_id": ctx.user_id}
        found = {name: value for name, value in owner.items() if name in columns}
        for name, field in self.fields.items():
            given = field.create is not None and name in wanted
            if name in columns and (given or field.default is not None or field.create is not None):
                found[name] = field.stored(wanted[name]) if given else field.initial()
        return found

    def change(self, ctx: ContextT, row: Record, wanted: Mapping[str, Any]) -> Record:
        """Change one as a body asks for, and return it."""
        return self.store(ctx, row, self.changes(ctx, wanted))

    def changes(self, ctx: ContextT, wanted: Mapping[str, Any]) -> Record:
        """Return the columns that a body changes."""
        return {name: self.fields[name].stored(value) for name, value in wanted.items()}

    def store(self, ctx: ContextT, row: Record, changes: Mapping[str, Any]) -> Record:
        """Change columns of one and return it."""
        return self.rows.change(ctx.tx, ctx.clock, row, changes)

    def remove(self, ctx: ContextT, row: Record) -> None:
        """Remove one."""
        self.rows.remove(ctx.tx, row)

    def completed(self, ctx: ContextT, row: Record, level: Level) -> Record:
        """Return a row with what is shown of it, in an answer that shows so much, and no column."""
        return row

    def hidden(self, ctx: ContextT, row: Record) -> ServiceError:
        """Return the error for one that the client may not read."""
        return self.rows.missing(row["id"])

    def check_state(self, row: Record, states: Collection[str]) -> None:
        """Raise an error unless one is in one of some states, or there are none to be in."""
        state = row[self.states_in] if states else None
        if states and state not in states:
            raise Conflict(f"{self.name} {row['id']} is {state}, not {' or '.join(states)}.")

    def check_action(self, ctx: ContextT, row: Record, name: str) -> None:
        """Raise an error if an action can't be done to one now."""
        self.check_state(row, self.actions[name].states)

    # What is done in a request

    def list_all(self, ctx: ContextT) -> Response:
        """List them in short."""
        return self._list(ctx, self.listed_as)

    def list_details(self, ctx: ContextT) -> Response:
        """List them in detail."""
        return self._list(ctx, Level.DETAIL)

    def create(self, ctx: ContextT) -> Response:
        """Create one."""
        wanted = self.body(ctx, "create")
        self.permit(ctx, "create")
        if self.quota is not None:
            ctx.check_quota(self.quota)
        return self.answer(ctx, "create", self.make(ctx, wanted))

    def show(self, ctx: ContextT, ident: str) -> Response:
        """Show one."""
        return self.answer(ctx, "show", self.found(ctx, ident, self.policy("show")))

    def update(self, ctx: ContextT, ident: str) -> Response:
        """Change one."""
        wanted = self.body(ctx, "update")
        row = self.found(ctx, ident, self.policy("update"))
        return self.answer(ctx, "update", self.change(ctx, row, wanted))

    def delete(self, ctx: ContextT, ident: str) -> Response:
        """Remove one."""
        self.remove(ctx, self.found(ctx, ident, self.policy("delete")))
        return Response(self.status("delete"))

    def act(self, ctx: ContextT, ident: str) -> Response:
        """Do to one what the body names."""
        body = ctx.dialect.body(ctx.request)
        name = ctx.dialect.action(body, self.actions)
        action = self.actions[name]
        action.check_offered(ctx.minor)
        ctx.dialect.check(checker(name, action, ctx.minor, tuple(self.formats.items())), body)
        row = self.found(ctx, ident, action.asked(body[name]), unread=action.unread)
        self.check_action(ctx, row, name)
        return action.run(ctx, row, body[name])

    # What the requests share

    def policy(self, operation: str) -> str | None:
        """Return the policy of an operation; ``None`` for a public one."""
        return next(iter(self._policies_of(operation)), None)

    def permit(self, ctx: ContextT, operation: str) -> None:
        """Raise what the service refuses with, unless the policy of an operation allows it."""
        policy = self.policy(operation)
        if policy is not None:
            ctx.require(policy)

    def found(
        self, ctx: ContextT, ident: str, policy: str | None, *, unread: bool = False
    ) -> Record:
        """Return one that the client sees; raise an error if it may not do what it asks for.

        :param policy: what it does to it.
        :param unread: whether it may do that without reading it.
        """
        if policy is not None and self.asks_first:
            ctx.require(policy)
        row = self.rows.find(ctx.tx, ident, ctx.visible_project)
        if self.reading is not None and not unread and not ctx.may(self.reading, row):
            raise self.hidden(ctx, row)
        if policy is not None and not self.asks_first:
            ctx.require(policy, row)
        return row

    def body(self, ctx: ContextT, operation: str) -> Mapping[str, Any]:
        """Return what a body says of one; raise BadRequest if that can't be."""
        body = ctx.dialect.body(ctx.request)
        ctx.dialect.check(self.checker(operation, self.body_version(ctx)), body)
        found: Mapping[str, Any] = body[self.name] or {}
        return found

    def body_version(self, ctx: ContextT) -> int:
        """Return the version that decides what a body may say."""
        return ctx.minor

    @classmethod
    @cache
    def checker(cls, operation: str, minor: int) -> Checker:
        """Return what checks the bodies of an operation in a version."""
        schema = cls.whole_schema(operation, cls.schema(operation, minor))
        return Checker(schema, cls.formats).at(minor)

    @classmethod
    def whole_schema(cls, operation: str, schema: Schema) -> Schema:
        """Return the schema of a body, for that of what it says of a resource."""
        return object_schema({cls.name: schema}, cls.name)

    @classmethod
    def schema(cls, operation: str, minor: int) -> Schema:
        """Return the schema of what a body says of one, by an operation and the version."""
        allowed: dict[str, Any] = {
            name: getattr(field, operation) if field.is_there(minor) else ABSENT
            for name, field in cls.fields.items()
            if getattr(field, operation) is not None
        }
        needed = [name for name, field in cls.fields.items() if field.required]
        found = object_schema(at(minor, allowed), *(needed if operation == "create" else ()))
        return {**found, **cls.more_of_body.get(operation, {})}

    def answer(self, ctx: ContextT, operation: str, row: Record) -> Response:
        """Return the answer to an operation, with what it shows of one."""
        level = Level.DETAIL if operation == "show" else self.answered
        return encode(self.status(operation), {self.name: self.shown(ctx, row, level)})

    def shown(self, ctx: ContextT, row: Record, level: Level) -> dict[str, Any]:
        """Return what clients see of one, in an answer that shows so much."""
        found = {}
        row = self.completed(ctx, row, level)
        for name, field in self._visible(ctx.minor, level):
            if field.sees is not None and not ctx.may(field.sees):
                continue
            value = row[name] if field.of is None else field.of(ctx, row)
            if hasattr(value, "isoformat"):
                value = ctx.dialect.moment(value)
            if value is not ABSENT:
                found[name] = value
        return found

    def status(self, operation: str) -> int:
        """Return the status of the answer to an operation."""
        usual = self.dialect.statuses.get(operation, 200)
        return self.statuses.get(operation, usual)

    def _list(self, ctx: ContextT, level: Level) -> Response:
        self.permit(ctx, "list")
        rows, more = self.page(ctx, self.listed(ctx))
        return encode(200, {self.plural: [self.item(ctx, row, level) for row in rows], **more})

    def _policies_of(self, operation: str) -> tuple[str, ...]:
        found = self.policies[operation]
        return (found,) if isinstance(found, str) else found

    @classmethod
    @cache
    def _visible(cls, minor: int, level: Level) -> Sequence[tuple[str, Field]]:
        """Return the fields that an answer shows."""
        return [
            (name, field)
            for name, field in cls.fields.items()
            if field.level <= level and field.is_there(minor)
        ]

    # Their addresses

    def routes(self) -> GuardedRoutes[Any]:
        """Return what answers requests for them."""
        routes: GuardedRoutes[Any] = GuardedRoutes(self.service_policies, self.since)
        for path in self.addresses():
            one = f"{path}/{{ident}}"
            reads, changes = self.dialect.reads_by, self.dialect.changes_by
            handlers: tuple[tuple[str, str, str, Callable[..., Response]], ...] = (
                ("list", reads, path, self.list_all),
                ("create", "POST", path, self.create),
                ("show", reads, one, self.show),
                ("update", changes, one, self.update),
                ("delete", "DELETE", one, self.delete),
                *([("list", reads, f"{path}/detail", self.list_details)] * self.detailed),
            )
            for operation, method, address, handler in handlers:
                if operation in self.policies:
                    asked = self._policies_of(operation)
                    add: Callable[..., Any] = routes.add if asked else routes.public
                    add(method, address, *asked, since=self.added.get(operation))(handler)
            if self.actions:
                names = {name for action in self.actions.values() for name in action.policies()}
                routes.add("POST", f"{one}/action", *names)(self.act)
            for part in self.parts:
                part.add_to(routes, self, one)
        self.add_to(routes)
        return routes

    def add_to(self, routes: GuardedRoutes[Any]) -> None:
        """Add what else there are addresses for."""

    @classmethod
    def addresses(cls) -> tuple[str, ...]:
        """Return where they are."""
        return cls.paths or (f"/{cls.plural}",)
