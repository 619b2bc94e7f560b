"""The documents that name tests name those that there are."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "doc" / "source" / "reference" / "specifications.rst").read_text("utf-8")
PROMISES = (ROOT / "SECURITY.rst").read_text("utf-8")
NAMED = sorted(set(re.findall(r"``([\w/]+\.py)::(test_\w+)``", TABLE + PROMISES)))
SUITES = (ROOT / "fake_server" / "tests", ROOT / "baremetalclient" / "tests")


def test_there_is_a_table():
    assert len(NAMED) > 100
    for document in (
        *("Volume multiattach enhancements", "Node traits", "Volume connection information"),
        *("Interface attach and detach API", "Pluggable network providers"),
    ):
        assert f"\n{document}\n---" in TABLE


def test_the_tests_that_are_named_are_there():
    for path, name in NAMED:
        found = [suite / path for suite in SUITES if (suite / path).is_file()]
        assert found, path
        assert f"\ndef {name}(" in found[0].read_text("utf-8"), f"{path}::{name}"
