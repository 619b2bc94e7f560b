"""``/v3/credentials``: what users prove who they are with to other programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest
from fake_server.common.resources.declaration import Field, both
from fake_server.identity import delegation, schemas, tables
from fake_server.identity.resources.keystone_resource import KeystoneResource

if TYPE_CHECKING:
    from fake_server.common.schemas import Schema
    from fake_server.db.store import Record
    from fake_server.identity.context import Context


class Credentials(KeystoneResource):
    """Credentials, of which the secret alone can be changed."""

    name = "credential"
    table = tables.credentials
    filters = ("user_id", "type")
    fields = {
        "type": Field(create=schemas.TEXT, required=True),
        "blob": both(schemas.TEXT, required=True),
        "user_id": Field(create=schemas.TEXT, required=True),
        "project_id": Field(create=schemas.OPTIONAL_TEXT),
    }

    @classmethod
    def schema(cls, operation: str, minor: int) -> Schema:
        """Return the schema of a credential; a change is of the secret."""
        found = super().schema(operation, minor)
        if operation == "create":
            return found
        return {**found, "additionalProperties": False, "required": ["blob"]}

    def prepare(self, ctx: Context, row: Record) -> None:
        """Raise BadRequest for a secret of EC2 that isn't one."""
        if row["type"] != "ec2":
            return
        try:
            blob = json.loads(row["blob"])
        except (ValueError, RecursionError):
            blob = None
        if not isinstance(blob, dict) or "access" not in blob:
            raise BadRequest("Invalid blob in credential")
        if row["project_id"] is None:
            given = {name: row[name] for name in ("type", "blob", "user_id")}
            raise BadRequest(
                f"Invalid input for field/attribute credential. Value: {given}. 'project_id' is a "
                "required property"
            )

    def check_token(self, ctx: Context) -> None:
        """Raise Forbidden for the tokens of application credentials."""
        delegation.check_primary(ctx.token)

    def list_target(self, ctx: Context) -> dict[str, Any]:
        """Return what policies know of a request for a list."""
        caller = ctx.caller
        return {} if caller.system else {"target.credential.user_id": caller.user_id}

    def narrowed(self, ctx: Context, rows: list[Record]) -> list[Record]:
        """Return the credentials that the client may see."""
        if ctx.token.is_delegated:
            return []
        return [row for row in rows if ctx.may("get_credential", self.target(ctx, row))]


CREDENTIAL = Credentials()
