"""What the controllers of resources do alike."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import arguments
from fake_server.baremetal.api import list_query, listing, patches, permissions
from fake_server.baremetal.api.endpoint import PerClass, expose
from fake_server.baremetal.api.lookup import addressed, find_linked_node, find_named, find_node
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.arguments import fields_schema
from fake_server.baremetal.conductor.work import node_task
from fake_server.baremetal.errors import MalformedRequestURI, NodeNotFound
from fake_server.baremetal.models.nodes import NODES
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.api.list_query import ListArgument, ListQuery
    from fake_server.baremetal.arguments import Converter
    from fake_server.baremetal.conductor.task import Task
    from fake_server.baremetal.models.model import Model
    from fake_server.baremetal.models.paging import Page
    from fake_server.common.schemas import Schema
    from fake_server.db.store import Record


#: What is declared of the handlers that create and change one.
CREATION = expose(
    201, policy="{kind}:create", body="values", values=PerClass(lambda cls: cls.converter)
)
CHANGE = expose(
    policy="{kind}:update",
    body="patch",
    ident=PerClass(lambda cls: cls.ident),
    patch=patches.patch,
)


class ResourceController(Controller):
    """Base of the controllers of resources."""

    model: ClassVar[Model]
    #: Their address below ``/v1``.
    path: ClassVar[str]
    #: Checks and converts a new one, and what a patch has made of one.
    converter: ClassVar[Converter]
    #: Converts what identifies one in paths; ``called`` says what that and a new one are called.
    ident: ClassVar[Converter] = arguments.uuid_or_name

    def more(self, ctx: Context, row: Record) -> dict[str, Any]:
        """Return what is shown beside the fields, or instead of their values."""
        return {}

    def show_all(self, ctx: Context, row: Record) -> dict[str, Any]:
        """Return what the newest version shows of one."""
        return {
            **self.model.fields.shown(row),
            "links": ctx.links(self.path, row["uuid"]),
            **self.more(ctx, row),
        }

    def show(self, ctx: Context, row: Record) -> dict[str, Any]:
        """Return what the request's version shows of one."""
        shown, since = self.show_all(ctx, row), self.model.fields.since
        return {name: shown[name] for name in shown if since.get(name, 1) <= ctx.minor}

    def show_fields(
        self, ctx: Context, row: Record, fields: Sequence[str] | None
    ) -> dict[str, Any]:
        """Return what is shown of some fields, which other versions may have; see :meth:`show`.

        :param fields: ``None`` for all.
        :raises InvalidParameterValue: for fields that no version has.
        """
        if fields is not None:
            listing.check_known(fields, self.show_all(ctx, row))
        return listing.only(self.show(ctx, row), fields)

    def created(self, ctx: Context, row: Record) -> dict[str, Any]:
        """Answer the creation of one."""
        ctx.location = ctx.link(self.path, row["uuid"])
        return self.show(ctx, row)

    def page(self, ctx: Context, query: ListQuery) -> Page:
        """Return the page that a query asks for."""
        return query.page(
            partial(self.model.get_by_uuid, ctx.session), self.model.fields.unsortable
        )

    def page_by_marker(self, ctx: Context, query: ListQuery) -> Page:
        """Return the page that a query asks for, looking for the marker before the sort key."""
        page = query.page(partial(self.model.get_by_uuid, ctx.session))
        listing.check_sortable(page.sort_key, self.model.fields.unsortable)
        return page

    def settable(self, patched: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a patched document that requests can set."""
        return {name: patched[name] for name in self.model.fields.settable if name in patched}

    def changes(self, document: dict[str, Any], settable: dict[str, Any]) -> dict[str, Any]:
        """Check and convert what a patch has made of a document; return the changed columns."""
        type(self).converter("patch", settable)
        return self.model.changes(document, settable)

    @classmethod
    def names(cls) -> list[str]:
        """Return the fields that can be asked for."""
        return cls.model.fields.names()

    @classmethod
    def listed(cls) -> Mapping[str, ListArgument]:
        """Return the arguments of lists."""
        return {**list_query.PAGE, **list_query.chosen(cls.names())}

    @classmethod
    def shown_query(cls) -> Schema:
        """Return the schema of the query for a single one."""
        return object_schema({"fields": fields_schema(cls.names())})

    def find(self, ctx: Context, ident: str, action: str) -> Record:
        """Return what a request names, if the caller may do that to it."""
        raise NotImplementedError

    @expose(
        policy="{kind}:get",
        query=PerClass(lambda cls: cls.shown_query()),
        ident=PerClass(lambda cls: cls.ident),
    )
    def get_one(self, ctx: Context, ident: str, fields: list[str] | None = None) -> dict[str, Any]:
        """Show one."""
        return self.show_fields(ctx, self.find(ctx, ident, "get"), fields)

    @expose(204, policy="{kind}:delete", ident=PerClass(lambda cls: cls.ident))
    def delete(self, ctx: Context, ident: str) -> None:
        """Remove one."""
        self.model.delete(ctx.session, self.find(ctx, ident, "delete"))


class PlainController(ResourceController):
    """Base of the controllers of resources that are nobody's: policies say who may do what."""

    asks_first = True

    def find(self, ctx: Context, ident: str, action: str) -> Record:
        """Return what a request names."""
        return addressed(ctx, ident, partial(find_named, self.model))

    def check_asked(self, ctx: Context, fields: list[str] | None, sort_key: str = "id") -> None:
        """Refuse what the request's version can't ask for."""

    @expose(policy="{kind}:get", listed=PerClass(lambda cls: cls.listed()))
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List them."""
        self.check_asked(ctx, query.fields, query.sort_key)
        fields = query.choose_fields(ctx, self.model.fields.listed)
        return self.list_page(ctx, query, fields, self.path)

    def list_page(
        self, ctx: Context, query: ListQuery, fields: Sequence[str] | None, resource: str
    ) -> dict[str, Any]:
        """Return a page of them; see :func:`.listing.answer`."""
        page = self.page(ctx, query)
        rows = self.model.fetch(ctx.session, page)
        return listing.answer(
            ctx, self.path, rows, self.show, page, fields, query.detail, resource=resource
        )

    def get_one(self, ctx: Context, ident: str, fields: list[str] | None = None) -> dict[str, Any]:
        """Show one."""
        self.check_asked(ctx, fields)
        return super().get_one(ctx, ident, fields)

    @CREATION
    def post(self, ctx: Context, values: dict[str, Any]) -> dict[str, Any]:
        """Create one."""
        return self.created(ctx, self.model.create(ctx.session, values))

    @CHANGE
    def patch(self, ctx: Context, ident: str, patch: patches.Patch) -> dict[str, Any]:
        """Change one."""
        patches.check_fields(ctx, patch, self.model.fields.patchable)
        found = self.find(ctx, ident, "update")
        document = self.model.document(found)
        changes = self.changes(document, self.settable(patches.apply(document, patch)))
        return self.show(ctx, self.model.update(ctx.session, found, changes))


class NodeController(Controller):
    """Base of the controllers of what a node has one of.

    :param node_ident: what the address calls the node.
    """

    def __init__(self, node_ident: str) -> None:
        self.node_ident = node_ident

    def node(self, ctx: Context) -> Record:
        """Return the node; see :func:`.lookup.find_node`."""
        return find_node(ctx, self.node_ident)

    def task(self, ctx: Context, **options: Any) -> AbstractContextManager[Task]:
        """Open a task on the node; see :func:`open_task`."""
        return open_task(ctx, self.node_ident, **options)


def open_task(ctx: Context, ident: str | None, **options: Any) -> AbstractContextManager[Task]:
    """Open a task on the node that a request names; for the options see :func:`.work.node_task`."""
    return node_task(ctx.session, find_node(ctx, ident), **options)


class NodeResourceController(ResourceController):
    """Base of the controllers of what belongs to nodes.

    :param node_ident: the node when it is addressed below one; then it only lists.
    """

    #: Returns what a request names.
    get: ClassVar[Callable[..., Record]]

    def __init__(self, node_ident: str | None = None) -> None:
        self.node_ident = node_ident

    def find(self, ctx: Context, ident: str, action: str) -> Record:
        """Return what a request names, if the caller may do that to it; see also the base.

        :raises MalformedRequestURI: for a single one below a node.
        """
        found = type(self).get(ctx.session, ident)
        policy = f"baremetal:{self.kind}:{action}"
        permissions.check_belonging(ctx, policy, found, self.model.missing(ident))
        self.refuse_nested()
        return found

    def refuse_nested(self) -> None:
        """Raise MalformedRequestURI for a single one below a node."""
        if self.node_ident is not None:
            raise MalformedRequestURI()

    def find_new_node(self, ctx: Context, find: Callable[[], Record]) -> Record:
        """Return the node that something new will belong to.

        :param find: returns it.
        :raises NodeNotFound: if there is none; with status 400.
        :raises HTTPForbidden: if nothing may be added to it.
        """
        policy = f"baremetal:{self.kind}:create"
        try:
            node = find()
            permissions.check_addition(ctx, policy, node)
        except NodeNotFound as exc:
            permissions.check_addition(ctx, policy, None)
            raise exc.with_code(400) from None
        return node

    def find_patched_node(self, ctx: Context, row: Record, operations: patches.Patch) -> Record:
        """Return the node that something belongs to after a patch."""
        node = NODES.get_by_id(ctx.session, row["node_id"])
        asked = patches.values(operations, "/node_uuid")
        return find_linked_node(ctx, asked[0], node["owner"], "node_uuid") if asked else node

    def patched(
        self, document: dict[str, Any], node: Record, operations: patches.Patch
    ) -> dict[str, Any]:
        """Return what a patch makes of a document.

        :param node: the node that it belongs to afterwards.
        """
        return {**patches.apply(document, operations), "node_uuid": node["uuid"]}

    def moved(self, row: Record, node: Record) -> dict[str, Any]:
        """Return the column to change if something belongs to another node from now on."""
        return {"node_id": node["id"]} if node["id"] != row["node_id"] else {}
