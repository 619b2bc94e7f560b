"""The schema of the database, which is that of the databases that users have.

A database with another schema is refused, so a change is told in a release note.
"""

from __future__ import annotations

import hashlib

import sqlalchemy as sa
from sqlalchemy.schema import CreateIndex, CreateTable

from fake_server.app import Application


def test_schemas_are_as_recorded(recorded):
    app = Application()
    found = {}
    for name, table in app.store.metadata.tables.items():
        digest = hashlib.sha256()
        for kind in ("sqlite", "mysql", "postgresql"):
            dialect = sa.dialects.registry.load(kind)()
            made = (CreateTable(table), *map(CreateIndex, table.indexes))
            digest.update(
                "\n".join(sorted(str(one.compile(dialect=dialect)) for one in made)).encode()
            )
        found[digest.hexdigest()[:6]] = name
    app.close()
    recorded({"digests": {name: digest for digest, name in found.items()}})
