"""The schema of the database, which is that of the databases that users have.

A database with another schema is refused, so a change is written down with ``--record -n 0`` and
told in a release note.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.schema import CreateIndex, CreateTable

from fake_server.app import Application
from fake_server.tests import recorded

RECORD = Path(__file__).with_name("schema.json.gz")


@pytest.mark.parametrize("kind", ["sqlite", "mysql", "postgresql"])
def test_the_schema_is_as_recorded(kind, request):
    app = Application()
    dialect = sa.dialects.registry.load(kind)()
    found = {
        name: [
            str(made.compile(dialect=dialect))
            for made in (CreateTable(table), *map(CreateIndex, table.indexes))
        ]
        for name, table in app.store.metadata.tables.items()
    }
    app.close()
    recorded.check(request, RECORD, kind, {name: sorted(made) for name, made in found.items()})
