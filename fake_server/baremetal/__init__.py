"""The Bare Metal API: Ironic 39 on the wire.

Three layers, imported in one direction only:

``handlers/``
    What HTTP sees: one file per resource with its controller, request schemas, microversion
    checks and the shape of its answers. Handlers know no SQL.
``models/``
    What a resource does: one file per resource with functions on a :class:`~.session.Session`
    (transaction, clock, settings). They take and return records, plain dictionaries of the
    table's columns, and raise :mod:`.errors`. Models know no HTTP.
``tables``
    The schema, with uniqueness and cascades as constraints; queries go through
    :class:`fake_server.db.store.Transaction`.

A resource plugs in like this. ``models/shards.py`` has functions on a session;
``handlers/shards.py`` has a :class:`~.routing.Controller` whose methods are decorated with
:func:`~.endpoint.expose`; ``handlers/root.py`` names the controller and its first microversion in
its table (or ``handlers/nodes.py`` does, for what is below a node). The names of the methods are
those that Ironic's framework routes to: ``get_all``, ``get_one``, ``get``, ``post``, ``put``,
``patch``, ``delete``, and any other name listed in ``custom_actions``; see :mod:`.routing`.

A request is one transaction. It is committed when the answer is a success and rolled back when
it is an error, unless ``session.keeps_changes`` says that what was done before stays.

Time is data: a node that is under way holds the moment its next transition is due
(``nodes.due_at``) and what that is (``nodes.due_event``). Whoever reads a node through
:mod:`.models.nodes` has the due events applied first, by the
:class:`~.session.Conductor` of the session. The same goes for periodic tasks: a node at which they
would find something holds the moment when they look at it (``nodes.looked_at``).
"""
