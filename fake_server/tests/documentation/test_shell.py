"""What the tests of the documentation notice."""

from __future__ import annotations

import pytest

from fake_server.tests.documentation.page import blocks
from fake_server.tests.documentation.reader import Reader
from fake_server.tests.documentation.shell import agrees, commands

PAGE = """\
Title
=====

.. code-block:: console

   $ echo {printed}
   one

.. code-block:: python

   assert {number} == 1

.. code-block:: yaml
   :caption: lab.yaml

   nodes: []
"""


@pytest.mark.parametrize(
    ("expected", "printed"),
    [
        ("one\ntwo", "one\ntwo\n"),
        ("...", ""),
        ("one\n...\nfour", "one\ntwo\nthree\nfour"),
        ("one\n...", "one"),
        ("node ... is here", "node 7 is here"),
        ("| a   |", "| a |"),
        ("+-----+", "+--------+"),
        ("(0 s)", "(12.5 s)"),
        ("at 2026-11-22T10:04:17", "at 2027-01-01T00:00:00"),
        (
            "8bd4f87d-ab85-48a6-9197-fe8ae6a4c384",
            "e3464701-5544-4cf3-aaf5-eaaf290f624d",
        ),
    ],
)
def test_what_may_differ(expected, printed):
    assert agrees(expected, printed)


@pytest.mark.parametrize(
    ("expected", "printed"),
    [
        ("one", "two"),
        ("one", "one\ntwo"),
        ("one\ntwo", "one"),
        ("one\n...\nfour", "one\ntwo"),
        ("node ... is here", "node 7\nis here"),
        ("", "one"),
        ("code 7", "code 8"),
    ],
)
def test_what_may_not(expected, printed):
    assert not agrees(expected, printed)


def test_commands_go_on_in_the_next_line():
    found = commands("$ one \\\n    two\nprinted\n$ for x in 1\n> do true\n> done\n")
    assert [(command.line.split(), command.prints) for command in found] == [
        (["one", "two"], "printed"),
        (["for", "x", "in", "1", "do", "true", "done"], ""),
    ]


@pytest.mark.parametrize(("printed", "number"), [("one", 1), ("two", 1), ("one", 2)])
def test_a_page_that_is_wrong(printed, number, tmp_path, monkeypatch):
    page = tmp_path / "page.rst"
    page.write_text(PAGE.format(printed=printed, number=number))
    environment = {"PATH": "/usr/bin:/bin"}
    reader = Reader(tmp_path, environment, monkeypatch, fresh=False, strict=False)
    failed = False
    try:
        for block in blocks(page):
            reader.do(block)
    except AssertionError:
        failed = True
    finally:
        reader.leave()
    assert failed == ((printed, number) != ("one", 1))
    assert failed or (tmp_path / "lab.yaml").read_text() == "nodes: []\n"
