"""The tables of the controls: all processes on a database share them."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, Double, Integer, String, Table

from fake_server.db.schema import metadata

#: The clock and the delays: one row. Its revision tells whether these or the faults have changed.
state = Table(
    "control_state",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("clock", JSON(none_as_null=True)),
    Column("delays", JSON, nullable=False),
    Column("seed", Integer, nullable=False),
)

faults = Table(
    "control_faults",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("match", JSON, nullable=False),
    Column("do", JSON, nullable=False),
    Column("times", Integer),
    Column("until", Double),
    Column("seen", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    sqlite_autoincrement=True,
)

#: Snapshots; the tables of :mod:`.snapshot_tables` have their rows.
snapshots = Table(
    "control_snapshots",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    # What it was called; the others are called by their numbers.
    Column("name", String(255), unique=True),
    # Whether it is the one that a reset goes back to.
    Column("is_first", Boolean, nullable=False),
)

#: Tables that aren't part of the state that seeds, snapshots and resets are about.
OF_CONTROLS = frozenset({state.name, faults.name, snapshots.name})
