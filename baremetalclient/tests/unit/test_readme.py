"""What README claims is shown somewhere, and is still true."""

from __future__ import annotations

import re
from configparser import ConfigParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.rst").read_text()
HEADINGS = {
    "Why not python-ironicclient?": ROOT / "baremetalclient" / "tests",
    "Why not devstack, or mocks?": ROOT / "fake_server" / "tests",
}


@pytest.mark.parametrize(("heading", "tests"), HEADINGS.items())
def test_each_row_of_a_table_names_what_shows_it(heading, tests):
    text = README.partition(f"\n{heading}\n")[2].partition("\nThe numbers are ")[0]
    comment = text.partition("\n.. list-table::")[0]
    shown = dict(re.findall(r"^   ([A-Z][\w ,]*): (.+)$", comment, re.MULTILINE))
    claims = re.findall(r"^   \* - (.+)$", text, re.MULTILINE)
    assert len(claims) > 5
    assert [one for one in claims if len([key for key in shown if one.startswith(key)]) != 1] == []
    assert [key for key in shown if not any(one.startswith(key) for one in claims)] == []
    places = {word for words in shown.values() for word in words.split()} - {"bench", ".ci/run"}
    assert [one for one in places if not (tests / one).is_file()] == []


def test_the_first_line_says_the_version_and_the_pythons():
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    metadata = setup["metadata"]
    assert f"\nVersion {metadata['version']}, beta. " in README
    pythons = re.findall(r":: (3\.\d+)$", metadata["classifiers"], re.MULTILINE)
    assert f" Python {pythons[0]} to {pythons[-1]}. " in README
    assert "4 - Beta" in metadata["classifiers"]
