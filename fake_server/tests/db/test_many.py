"""As many values and rows as one statement takes, one more, and three times as many."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from fake_server.db import bulk
from fake_server.db.store import DuplicateError, Store

metadata = sa.MetaData()
things = sa.Table(
    "things",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.String(10), unique=True),
)
#: As many values as a query names at most, and as many rows as are stored at once.
_VALUES, _ROWS = 500, 1000


@pytest.fixture(scope="module")
def filled():
    store = Store(metadata)
    with store.transaction() as tx:
        assert bulk.insert(tx, things, rows(3 * _VALUES + 2)) == 3 * _VALUES + 2
    yield store
    store.close()


def rows(number, first=0):
    """Yield so many things."""
    yield from ({"id": first + one, "name": f"thing {first + one}"} for one in range(number))


@pytest.mark.parametrize(
    "number", [0, 1, 2, _VALUES - 1, _VALUES, _VALUES + 1, 2 * _VALUES, 3 * _VALUES, 1502]
)
def test_all_of_many_values_are_asked_for(filled, number):
    # Every other one is there, the first and the last of each piece among them.
    wanted = [one if one % 499 else one + 10_000 for one in range(number)]
    with filled.transaction(write=False) as tx:
        found = tx.among(sa.select(things), things.c.id, iter(wanted))
    assert [row["id"] for row in found] == [one for one in wanted if one < 10_000]


@pytest.mark.parametrize("number", [0, 1, _ROWS - 1, _ROWS, _ROWS + 1, 2 * _ROWS, 3 * _ROWS])
def test_all_of_many_rows_are_stored(number):
    store = Store(metadata)
    with store.transaction() as tx:
        first = bulk.next_id(tx, things)
        assert first == 1
        assert bulk.insert(tx, things, rows(number, first)) == number
        assert tx.scalar(sa.select(sa.func.count()).select_from(things)) == number
        assert bulk.next_id(tx, things) == number + 1
        found = tx.rows(things, "id")
    assert found == list(rows(number, first))
    store.close()


def test_a_row_of_many_that_is_there_already_is_refused():
    store = Store(metadata)
    with store.transaction() as tx:
        tx.insert(things, {"id": 9000, "name": f"thing {_ROWS}"})
    with store.transaction() as tx, pytest.raises(DuplicateError):
        bulk.insert(tx, things, rows(_ROWS + 1))
    store.close()
