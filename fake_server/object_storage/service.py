"""``/object-store``: answer requests to the Object Storage API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.dialects.swift import SWIFT
from fake_server.common.errors import with_status
from fake_server.common.service import TransactionalService
from fake_server.object_storage import handlers
from fake_server.object_storage.context import Context

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Transaction


class ObjectStorageService(TransactionalService):
    """Answers requests to the Object Storage API."""

    dialect = SWIFT
    routes = handlers.ROUTES

    def serve(self, request: Request, minor: int) -> Response:
        """Have a handler answer a request, if its path can be one."""
        if not request.path_is_text or "\0" in request.path:
            raise with_status(412, "Invalid UTF8 or contains NULL")
        return super().serve(request, minor)

    def context(self, request: Request, minor: int, tx: Transaction) -> Context:
        """Return what the handler of a request gets."""
        return Context(request, tx, self.lab.clock)
