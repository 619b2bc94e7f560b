"""What an ``except`` of a program for python-ironicclient caught, it catches with this client, too.

``situations.json`` has what python-ironicclient raises; it is recorded like the programs.
"""

from __future__ import annotations

import csv
import io
import json

import pytest

from baremetalclient.tests.compatibility import sides

PROGRAM = sides.HERE / "situations.py"
RECORDED = PROGRAM.with_suffix(".json")
TABLE = sides.HERE.parents[2] / "doc" / "source" / "reference" / "exceptions.csv"

DELIBERATE = {
    "HTTP 429": "There, a header Retry-After makes the exception fail itself.",
    "HTTP 503": "There, a header Retry-After makes the exception fail itself.",
    "The answer is JSON, but is called HTML": "It can be read.",
    "The major version is unknown": "There, a module of that name is imported.",
}
"""The situations in which other classes catch, and why."""


def table_of(theirs, ours):
    """Return the rows of the table in the documentation: where the names of classes differ."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for name, there in theirs.items():
        here = ours[name]["raised"]
        if here != there["raised"]:
            rows.writerow(
                [name, f"``{there['raised']}``", f"``{here}``".replace(" and ", "`` and ``")]
            )
    return text.getvalue()


@pytest.fixture(scope="module")
def seen(side, tmp_path_factory):
    return side.run_program(PROGRAM, tmp_path_factory.mktemp("situations"))


def test_each_failure_is_caught_by_the_same_classes(side, seen, records):
    if records:
        RECORDED.write_text(json.dumps(seen, indent=1) + "\n")
    recorded = json.loads(RECORDED.read_text())
    if side is not sides.OURS:
        assert seen == recorded
        return
    assert seen.keys() == recorded.keys()
    missing = {
        name: sorted(set(there["caught by"]) - set(seen[name]["caught by"]))
        for name, there in recorded.items()
    }
    assert {
        name: classes for name, classes in missing.items() if classes
    }.keys() == DELIBERATE.keys()


def test_the_status_is_the_same(side, seen):
    recorded = json.loads(RECORDED.read_text())
    different = {
        name
        for name, there in recorded.items()
        if there["http_status"] not in (None, seen[name]["http_status"])
    }
    assert different == set()


def test_the_documentation_names_the_classes(request, side, seen):
    if side is not sides.OURS:
        pytest.skip("The table is about both.")
    table = table_of(json.loads(RECORDED.read_text()), seen)
    if request.config.getoption("--record"):
        TABLE.write_text(table)
    assert TABLE.read_text() == table
