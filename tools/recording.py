"""A pytest plugin for results that are recorded in a text file beside the test.

A test hands its results to the fixture ``recorded``, which compares them with the section of that
test in the file: ``test_recorded_lists.py`` has ``recorded_lists.txt``. In a section, the keys that
share a result come first, one a line, and the lines of the result are indented below them, so that
a sentence that many keys share is one line.

``--record`` writes the files of the tests that ran, each once, with any number of workers.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from baremetalclient.microversion import CLIENT_MAX

Recorded = Callable[..., None]

_HEADER = "# Recorded from this code with --record: review each line that changes.\n"
#: Sections by file and name, of all tests of this process or, in the end, of all processes.
_FOUND = pytest.StashKey[dict[str, dict[str, str]]]()
#: The names of all collected tests by file.
_COLLECTED = pytest.StashKey[dict[str, set[str]]]()
_OUTPUT = "recorded"
#: How many rows are shown of those that differ.
_MOST = 20
_VARYING = {
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}": "UUID",
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)?": "TIME",
    r"TIME UTC, for \d+ (second|minute|hour|day)s?": "TIME UTC",
    r"req-UUID": "REQUEST",
    rf"\b{re.escape(str(CLIENT_MAX))}\b": "LATEST",
}


def pytest_configure(config: pytest.Config) -> None:
    """Begin without any section."""
    config.stash[_FOUND] = defaultdict(dict)
    config.stash[_COLLECTED] = defaultdict(set)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Note which tests there are, so that sections of others can be left out."""
    for item in items:
        config.stash[_COLLECTED][str(_file_of(item))].add(item.name)


@pytest.fixture
def recorded(request: pytest.FixtureRequest) -> Recorded:
    """Compare results with those that are recorded for this test.

    Call it with a mapping of keys to results, and with a title where a test has several mappings.
    A result is a text, a list with one line for each item, a mapping with one line for each key, or
    any other JSON. UUIDs, times and the newest version of the API are replaced by words.
    """
    file = _file_of(request.node)
    known = _read(file)
    seen: set[str] = set()

    def check(found: Mapping[str, Any], title: str = "") -> None:
        name = f"{request.node.name} {title}".rstrip()
        assert name not in seen, f"two mappings are called {name!r}: give each a title"
        seen.add(name)
        section = _section(found)
        if request.config.getoption("--record"):
            request.config.stash[_FOUND][str(file)][name] = section
        elif section != known.get(name):
            pytest.fail(_difference(file, name, section), False)

    return check


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the files, or leave it to the process that controls the workers."""
    config = session.config
    if not config.getoption("--record"):
        return
    if hasattr(config, "workeroutput"):
        collected = {file: sorted(names) for file, names in config.stash[_COLLECTED].items()}
        config.workeroutput[_OUTPUT] = [dict(config.stash[_FOUND]), collected]
        return
    whole = not any("::" in argument for argument in config.args)
    for file, sections in config.stash[_FOUND].items():
        tests = config.stash[_COLLECTED][file] if whole else None
        _write(Path(file), sections, tests)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take what a worker found."""
    found, collected = getattr(node, "workeroutput", {}).get(_OUTPUT, ({}, {}))
    for file, sections in found.items():
        node.config.stash[_FOUND][file].update(sections)
        node.config.stash[_COLLECTED][file].update(collected[file])


def masked(text: str) -> str:
    """Replace UUIDs, times, request IDs and the newest version of the API by words."""
    for pattern, word in _VARYING.items():
        text = re.sub(pattern, word, text)
    return text


def _file_of(item: pytest.Item) -> Path:
    return item.path.with_name(item.path.stem.removeprefix("test_") + ".txt")


def _section(found: Mapping[str, Any]) -> str:
    """Return the text of a section: keys with the same result together, in order of the first."""
    keys: defaultdict[str, list[str]] = defaultdict(list)
    for key, result in found.items():
        lines = "".join(f"    {line}\n" for line in _lines(result))
        keys[masked(lines)].append(" ".join(masked(key).splitlines()))
    groups = sorted((sorted(set(names)), lines) for lines, names in keys.items())
    return "".join("".join(f"{name}\n" for name in names) + lines for names, lines in groups)


def _lines(result: Any) -> list[str]:
    if isinstance(result, str):
        return result.splitlines()
    if isinstance(result, list):
        return [line for each in result for line in _text(each).splitlines()]
    if isinstance(result, dict):
        pairs = ((key, _text(value)) for key, value in sorted(result.items()))
        return [" ".join(f"{key}: {value}".splitlines()) for key, value in pairs]
    return [_text(result)]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _read(file: Path) -> dict[str, str]:
    text = file.read_text("utf-8") if file.exists() else ""
    parts = re.split(r"^\n?== (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _write(file: Path, found: dict[str, str], tests: set[str] | None) -> None:
    """Replace the sections that were found, and drop those of tests that are gone."""
    kept = {
        name: section
        for name, section in _read(file).items()
        if tests is None or any(name == test or name.startswith(f"{test} ") for test in tests)
    }
    sections = sorted({**kept, **found}.items())
    text = _HEADER + "".join(f"\n== {name}\n{section}" for name, section in sections)
    if not file.exists() or file.read_text("utf-8") != text:
        file.write_text(text, "utf-8")


def _difference(file: Path, name: str, section: str) -> str:
    """Say of each row that differs where it is, what is recorded and what was found."""
    known, found = _rows(file.read_text("utf-8"), name), _rows(f"== {name}\n{section}", name)
    keys = [key for key in {**known, **found} if _result(known, key) != _result(found, key)]
    shown = [
        f"{file.name}:{known[key][0] if key in known else 'new'}: {key}\n"
        f"  recorded: {_result(known, key)}\n  found:    {_result(found, key)}"
        for key in keys[:_MOST]
    ]
    if len(keys) > _MOST:
        shown.append(f"... and {len(keys) - _MOST} more rows")
    return "\n".join([f"{name} differs; --record writes what was found:", *shown])


def _rows(text: str, name: str) -> dict[str, tuple[int, list[str]]]:
    """Return the line and the result of each key of a section."""
    rows: dict[str, tuple[int, list[str]]] = {}
    section, keys, result = "", [], None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("== "):
            section, keys, result = line.removeprefix("== "), [], None
        elif section == name and line.startswith("    "):
            result = [] if result is None else result
            result.append(line.strip())
            rows.update((key, (place, result)) for place, key in keys)
        elif section == name and line:
            keys = [(number, line)] if result is not None else [*keys, (number, line)]
            result = None
            rows[line] = (number, [])
    return rows


def _result(rows: Mapping[str, tuple[int, list[str]]], key: str) -> str:
    if key not in rows:
        return "(nothing)"
    return "\n            ".join(rows[key][1]) or "(empty)"
