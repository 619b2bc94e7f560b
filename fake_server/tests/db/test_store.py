"""Transactions, constraints and prepared queries, on SQLite in memory and in a file."""

from __future__ import annotations

import gc
import sqlite3
import time
from datetime import datetime
from threading import Event, Thread

import pytest
import sqlalchemy as sa

from fake_server.db.queries import Change, Query
from fake_server.db.store import ConflictError, DuplicateError, Store, run_with_retries

metadata = sa.MetaData()
boxes = sa.Table(
    "boxes",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.String(10), unique=True),
    sa.Column("owner", sa.String(10)),
    sa.Column("content", sa.JSON(none_as_null=True)),
    sa.Column("opened_at", sa.DateTime),
    sa.UniqueConstraint("owner", "opened_at", name="uniq_boxes0owner0opened_at"),
)


@pytest.fixture(params=["memory", "file"])
def store(request, tmp_path):
    url = "sqlite://" if request.param == "memory" else f"sqlite:///{tmp_path}/db"
    store = Store(metadata, url)
    yield store
    store.close()


def names(store):
    with store.transaction() as tx:
        return [row["name"] for row in tx.all(sa.select(boxes).order_by(boxes.c.name))]


def test_a_row_comes_back_as_it_was_stored(store):
    row = {"name": "a", "content": {"k": [1, None]}, "opened_at": datetime(2026, 1, 2, 3, 4, 5, 6)}
    with store.transaction() as tx:
        key = tx.insert(boxes, row)
    with store.transaction() as tx:
        expected = {"id": key, "owner": None, **row}
        assert tx.get(boxes, name="a") == expected
        assert tx.first(sa.select(boxes)) == expected
        assert tx.get(boxes, name="b") is None
        assert tx.scalar(sa.select(sa.func.count()).select_from(boxes)) == 1


def test_a_savepoint_undoes_its_own_changes_alone(store):
    with store.transaction() as tx:
        tx.insert(boxes, {"name": "a"})
        with pytest.raises(DuplicateError), tx.savepoint():
            tx.insert_many(boxes, [{"name": "b"}, {"name": "a"}])
        with tx.savepoint():
            tx.insert(boxes, {"name": "c"})
    assert names(store) == ["a", "c"]


def test_work_is_done_again_from_its_beginning_after_a_conflict():
    outcomes = [ConflictError(), ConflictError(), "done"]

    def work():
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    with pytest.raises(ConflictError):
        run_with_retries(work, turns=1)
    assert run_with_retries(work) == "done"


def test_a_duplicate_names_its_columns_and_spares_the_rest(store):
    moment = datetime(2026, 1, 1)
    with store.transaction() as tx:
        tx.insert(boxes, {"name": "a", "owner": "o", "opened_at": moment})
        with pytest.raises(DuplicateError) as caught:
            tx.insert(boxes, {"name": "a"})
        assert caught.value.columns == {"name"}
        with pytest.raises(DuplicateError) as caught:
            tx.insert(boxes, {"name": "b", "owner": "o", "opened_at": moment})
        assert caught.value.columns == {"owner", "opened_at"}
        tx.insert(boxes, {"name": "c"})
        with pytest.raises(DuplicateError):
            tx.update(boxes, [boxes.c.name == "c"], {"name": "a"})
    assert names(store) == ["a", "c"]


def test_a_row_is_taken_once(store):
    with store.transaction() as tx:
        tx.insert(boxes, {"name": "a"})
    taken = []

    def take(owner):
        with store.transaction() as tx:
            free = [boxes.c.name == "a", boxes.c.owner.is_(None)]
            if tx.update(boxes, free, {"owner": owner}):
                taken.append(owner)

    threads = [Thread(target=take, args=(str(number),)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == 1


def test_a_prepared_change_takes_parameters_and_values_of_its_own(store):
    give = Change(
        sa.update(boxes).where(boxes.c.owner == "nobody", boxes.c.name == sa.bindparam("called")),
        ["owner", "content"],
    )
    with store.transaction() as tx:
        tx.insert_many(boxes, [{"name": name, "owner": "nobody"} for name in "ab"])
        assert [tx.change(give, called="a", owner="o", content={"k": 1}) for _ in range(2)] == [
            1,
            0,
        ]
        found = [(row["name"], row["owner"], row["content"]) for row in tx.rows(boxes, "name")]
        assert found == [("a", "o", {"k": 1}), ("b", "nobody", None)]
        assert [tx.remove(boxes, name="a", owner=owner) for owner in ("x", "o", "o")] == [0, 1, 0]
    assert names(store) == ["b"]


def test_columns_that_are_not_named_get_their_defaults():
    things = sa.Table(
        "things",
        sa.MetaData(),
        sa.Column("id", sa.String(5), primary_key=True),
        sa.Column("kind", sa.String(5), default="box"),
        sa.Column("tags", sa.JSON, default=list),
    )
    store = Store(things.metadata)
    with store.transaction() as tx:
        tx.insert(things, {"id": "a"})
        tx.insert_many(things, [{"id": "b", "kind": "bag"}])
        assert tx.rows(things, "id") == [
            {"id": "a", "kind": "box", "tags": []},
            {"id": "b", "kind": "bag", "tags": []},
        ]
    store.close()


@pytest.mark.parametrize("patience", [10, 0.01])
def test_closing_does_not_take_the_connection_from_a_transaction(monkeypatch, patience):
    monkeypatch.setattr("fake_server.db.store._PATIENCE", patience)
    store, begun, found = Store(metadata), Event(), []

    def work():
        with store.transaction() as tx:
            tx.insert(boxes, {"name": "a"})
            begun.set()
            time.sleep(0.2)
            found.append(tx.get(boxes, name="a")["name"])

    worker = Thread(target=work)
    worker.start()
    begun.wait()
    store.close()
    worker.join()
    assert found == ["a"]
    store.close()
    with pytest.raises(sa.exc.ResourceClosedError), store.transaction() as tx:
        tx.insert(boxes, {"name": "b"})
    with pytest.raises(sa.exc.ResourceClosedError), store.transaction(write=False) as tx:
        tx.ask(Query(sa.select(boxes)))


def test_a_database_in_memory_goes_with_the_store_that_nobody_closed():
    def connections():
        gc.collect()
        return sum(isinstance(each, sqlite3.Connection) for each in gc.get_objects())

    Store(metadata).close()  # the first one also opens the database that others are copied from
    before = connections()
    store = Store(metadata)
    assert connections() == before + 1
    del store
    assert connections() == before


@pytest.mark.parametrize(
    "remove",
    [
        lambda tx: tx.remove(boxes, name="a"),
        lambda tx: tx.delete(boxes, boxes.c.name == "a"),
    ],
    ids=["prepared", "not prepared"],
)
def test_what_fails_in_the_database_is_an_error_of_sqlalchemy(remove):
    store = Store(metadata)
    with store.transaction() as tx:
        tx.sql("DROP TABLE boxes")
    with pytest.raises(sa.exc.OperationalError, match="no such table"), store.transaction() as tx:
        remove(tx)
    store.close()
