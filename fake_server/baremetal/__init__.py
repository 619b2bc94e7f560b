"""The Bare Metal API: Ironic 39 on the wire.

Three layers, imported in one direction only:

``api/handlers/``
    The request handlers: one file per resource with its controller, request schemas, microversion
    checks and the shape of its answers. Handlers use no SQL.
``models/``
    The resources: one file per resource with functions on a :class:`~.session.Session`
    (transaction, clock, settings). They take and return records, plain dictionaries of the
    table's columns, and raise :mod:`.errors`. Models do not depend on HTTP.
``tables``
    The schema, with uniqueness and cascades as constraints; queries go through
    :class:`fake_server.db.store.Transaction`.

To add a resource, follow deploy templates: a row for each field in :mod:`.resource_fields` and the
table in :mod:`.tables`; ``models/deploy_templates.py`` is a :class:`~.models.model.Model`, and
``api/handlers/deploy_templates.py`` a :class:`~.api.resources.PlainController` or, for what belongs
to nodes, a :class:`~.api.resources.NodeResourceController`; ``api/handlers/root.py`` names it and
its first microversion in its table. Any other :class:`~.api.routing.Controller` has methods
decorated with :class:`~.api.endpoint.expose`, with the names that Ironic's framework routes to; see
:mod:`.api.routing`.

A request is one transaction. It is committed when the answer is a success and rolled back when
it is an error, unless ``session.keeps_changes`` is set, which keeps the changes.

Time is data: what happens later to a node or an allocation is a row of
:mod:`fake_server.common.due_work`, of a kind that :mod:`.conductor.due` has a file for. The handler
:mod:`fake_server.middleware.due_work` applies what is due before it passes a request on.
"""
