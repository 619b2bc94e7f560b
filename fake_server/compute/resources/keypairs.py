"""``/os-keypairs``: keys that users log in with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest
from fake_server.common.microversions import Since
from fake_server.common.resources.declaration import Field, Level, always
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.compute import crypto, microversions
from fake_server.compute.models import keypairs
from fake_server.compute.resources.nova_resource import NovaResource
from fake_server.compute.schemas import parts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.schemas import Schema
    from fake_server.compute.context import Context
    from fake_server.db.store import Record


def _named(letters: str) -> Schema:
    return {**parts.NAME, "allOf": [{"pattern": letters}]}


def _no_marker(marker: str) -> BadRequest:
    return BadRequest(f"Marker {marker} could not be found.")


class Keypairs(NovaResource):
    """Key pairs, each of which is a user's and has a name instead of an id."""

    name = "keypair"
    paths = ("/os-keypairs",)
    rows = keypairs.ROWS
    policies = {
        "list": "os-keypairs:index",
        "create": "os-keypairs:create",
        "show": "os-keypairs:show",
        "delete": "os-keypairs:delete",
    }
    fields = {
        "name": Field(
            Level.SUMMARY,
            create=Since(
                microversions.KEYPAIRS_IMPORTED,
                _named(r"^[_\-@. a-zA-Z0-9]+$"),
                before=_named(r"^[_\- a-zA-Z0-9]+$"),
            ),
            required=True,
        ),
        "public_key": Field(Level.SUMMARY, create={"type": "string"}),
        "fingerprint": Field(Level.SUMMARY),
        "type": Field(
            Level.SUMMARY,
            create={"type": "string", "enum": ["ssh", "x509"]},
            since=microversions.KEYPAIR_TYPE,
        ),
        "user_id": Field(
            create=Since(microversions.KEYPAIR_USER, {"type": "string"}),
        ),
        "created_at": Field(Level.DETAIL),
        "updated_at": Field(Level.DETAIL, of=always(None)),
        "deleted": Field(Level.DETAIL, of=always(False)),
        "deleted_at": Field(Level.DETAIL, of=always(None)),
        "id": Field(Level.DETAIL, of=lambda ctx, row: row["number"]),
    }

    more_of_body = {
        # In older versions Nova makes them.
        "create": {"required": ["name", Since(microversions.KEYPAIRS_IMPORTED, "public_key")]}
    }

    def permit(self, ctx: Context, operation: str) -> None:
        """Ask nothing: what may be done is asked of the user whose keys they are."""

    def found(
        self, ctx: Context, ident: str, policy: str | None, *, unread: bool = False
    ) -> Record:
        """Return a key pair of a user, by its name."""
        return keypairs.find(ctx.tx, _user(ctx, str(policy), ctx.one_of("user_id")), ident)

    def listed(self, ctx: Context) -> list[Record]:
        """Return the key pairs of a user."""
        user = _user(ctx, "os-keypairs:index", ctx.one_of("user_id"))
        return ctx.tx.rows(self.rows.table, "name", user_id=user)

    def page(self, ctx: Context, rows: list[Record]) -> tuple[list[Record], dict[str, Any]]:
        """Return a page of key pairs, of which older versions have none."""
        if ctx.minor < microversions.KEYPAIR_PAGES:
            return rows, {}
        return self.dialect.page(ctx, rows, self.plural, _no_marker, "name")

    def item(self, ctx: Context, row: Record, level: Level) -> dict[str, Any]:
        """Return what a list has of one."""
        return {"keypair": self.shown(ctx, row, level)}

    def make(self, ctx: Context, wanted: Mapping[str, Any]) -> Record:
        """Import a public key, or, in older versions, make a key pair."""
        kind = wanted.get("type", crypto.SSH)
        user = _user(ctx, "os-keypairs:create", wanted.get("user_id"))
        ctx.require_project()
        now = ctx.clock.now()
        private_key, key = None, wanted.get("public_key")
        if key is None and kind == crypto.X509:
            private_key, key = crypto.generate_certificate(user, now)
        elif key is None:
            private_key, key = crypto.generate_key_pair()
        values = {
            "user_id": user,
            "name": wanted["name"],
            "type": kind,
            "public_key": key,
            "fingerprint": crypto.fingerprint(key, kind),
            "created_at": now,
        }
        return {**keypairs.add(ctx.tx, values), "private_key": private_key}

    def answer(self, ctx: Context, operation: str, row: Record) -> Response:
        """Return the answer; that to a new key pair has the private key if Nova made it."""
        if operation != "create":
            return super().answer(ctx, operation, row)
        shown = self.shown(ctx, row, Level.CHANGED)
        if row["private_key"] is not None:
            shown["private_key"] = row["private_key"]
        status = 201 if ctx.minor >= microversions.KEYPAIR_TYPE else 200
        return encode(status, {"keypair": shown})

    def delete(self, ctx: Context, ident: str) -> Response:
        """Remove a key pair."""
        keypairs.remove(ctx.tx, self.found(ctx, ident, "os-keypairs:delete"))
        return Response(204 if ctx.minor >= microversions.KEYPAIR_TYPE else 202)


def _user(ctx: Context, policy: str, wanted: str | None) -> str:
    """Return the user whose key pairs a request is about."""
    user = wanted if wanted and ctx.minor >= microversions.KEYPAIR_USER else ctx.user_id
    ctx.require(policy, {"user_id": user})
    return user
