"""What the tests of the documentation notice."""

from __future__ import annotations

import pytest

from fake_server.tests.documentation.page import blocks
from fake_server.tests.documentation.reader import Reader

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
