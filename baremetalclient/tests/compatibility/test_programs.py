"""Programs and shell scripts for python-ironicclient see the same with this client.

What they see with python-ironicclient is in ``NAME.json`` and ``NAME.out`` beside them. To record
it again: ``tools/dev test baremetalclient/tests/compatibility --peer DIR --record -n 0``. A line
``# fake_server: {"auth": "keystone"}`` in a program or script sets options of its fake server:
those of ``fake_server.settings.Settings`` and ``seed``.
"""

from __future__ import annotations

import ast
import json
import re

import pytest

from baremetalclient.tests.compatibility import sides

PROGRESS = "Waiting for provision state "
"""How lines about progress begin, which this client writes to standard error; and an empty list is
a blank line with python-ironicclient, and no line here."""
QUICK = {"bonding", "iscsi_boot", "templates_and_steps"}
"""The scripts of the default run: of ports, of volumes, and of a node with steps."""
_LITERAL = re.compile(r"[\[{].*[\]}]")


def with_json(line):
    """Return a line of python-ironicclient with objects in cells of tables written as JSON."""

    def to_json(found):
        try:
            return json.dumps(ast.literal_eval(found[0]))
        except (SyntaxError, ValueError):
            return found[0]

    return _LITERAL.sub(to_json, line) if line.startswith("|") else line


def marked(scripts):
    """Return the scripts as parameters; most of them are slow."""
    slow = pytest.mark.slow("a process for each of a dozen commands")
    return [
        pytest.param(file, id=file.stem, marks=() if file.stem in QUICK else slow)
        for file in scripts
    ]


@pytest.mark.parametrize("program", sides.PROGRAMS, ids=lambda file: file.stem)
def test_a_program_sees_the_same(program, side, records, tmp_path):
    seen = side.run_program(program, tmp_path)

    recorded = program.with_suffix(".json")
    if records:
        recorded.write_text(json.dumps(seen, indent=2) + "\n")
    assert seen == json.loads(recorded.read_text())


@pytest.mark.parametrize("script", marked(sides.SCRIPTS))
def test_a_script_prints_the_same(script, side, records, tmp_path):
    seen = side.run_script(script, tmp_path).splitlines()

    recorded = script.with_suffix(".out")
    if records:
        recorded.write_text("".join(f"{line}\n" for line in seen))
    expected = recorded.read_text().splitlines()
    if side is sides.OURS:
        printed = [line for line in expected if line and not line.startswith(PROGRESS)]
        expected = [with_json(line) for line in printed]
    assert seen == expected
