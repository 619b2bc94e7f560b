"""Which tests run a line, found once with coverage and again for files of tests that changed."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path

from tools.mutants import outcomes

_PHASE = re.compile(r"(\|(setup|run|teardown)| \((setup|call|teardown)\))$")
# What coverage calls the time outside tests.
_NO_TEST = ""
#: Tests that use a line go before all others if they take less than this.
_SECONDS_OF_FEW = 90.0
# In the names of files that compare with what is published or was recorded: those tests look at
# more in a second than others.
_WIDE = {"recorded", "rights", "matrix", "conditions", "refusals", "asked"}
_WIDE |= {"keystone", "nova", "cinder", "glance", "placement"}
# Their programs import an unchanged package, or they check texts rather than behaviour.
LEFT_OUT = ("baremetalclient/tests/typing", "baremetalclient/tests/unit/test_imports.py")


def test_files(root: Path) -> dict[str, str]:
    """Hash the files of tests of a tree."""
    found = {}
    for file in sorted(root.glob("*/tests/**/test_*.py")):
        path = str(file.relative_to(root))
        if not path.startswith(LEFT_OUT):
            found[path] = hashlib.sha256(file.read_bytes()).hexdigest()
    return found


class Measure:
    """One run of tests with coverage."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.sources = folder / "sources"
        self.files: dict[str, str] = json.loads((folder / "files.json").read_text())
        self.seconds: dict[str, float] = json.loads((folder / "outcomes.json").read_text())
        self._of_files: dict[str, tuple[dict[tuple[str, str, str], set[str]], set[str]]] = {}

    @classmethod
    def run(cls, folder: Path, root: Path, files: dict[str, str], processes: int) -> None:
        """Run tests in a tree and keep what they covered and the sources that they ran."""
        folder.mkdir(parents=True)
        settings = root / "tools/mutants/coverage.ini"
        variables = {
            "PYTHONPATH": str(root),
            "COVERAGE_FILE": str(folder / "coverage"),
            outcomes.SUBPROCESSES: str(settings),
            outcomes.FILE: str(folder / "outcomes.json"),
        }
        command = [sys.executable, "-m", "pytest", "-q", "-n", str(processes)]
        command += [*outcomes.SAME_ROWS, "-p", "tools.mutants.outcomes", "-p", "no:cacheprovider"]
        command += ["--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report="]
        with (folder / "log").open("w") as log:
            environment = {**os.environ, **variables}
            subprocess.run([*command, *files], cwd=root, env=environment, stdout=log, stderr=log)
        keep_sources(root, folder / "sources")
        (folder / "files.json").write_text(json.dumps(files))

    def tests(self, path: str, keys: set[tuple[str, str, str]]) -> tuple[set[str], set[str]]:
        """Find the tests that run one of some lines, and those that run some line of the file."""
        of_lines, of_file = self._running(path)
        return set().union(*(of_lines.get(key, ()) for key in keys)) - {_NO_TEST}, of_file

    def at_import(self, path: str, key: tuple[str, str, str]) -> bool:
        """Whether a line ran outside tests, as those do that run when a module is imported."""
        return _NO_TEST in self._running(path)[0].get(key, ())

    def _running(self, path: str) -> tuple[dict[tuple[str, str, str], set[str]], set[str]]:
        """Return what runs each line of a file, and the tests that run some."""
        if path not in self._of_files:
            source = self.sources / path
            ran = self._ran(path) if source.exists() else []
            lines = _lines(source) if ran else []
            found: dict[tuple[str, str, str], set[str]] = defaultdict(set)
            for number in range(1, len(lines) + 1):
                found[around(lines, number)] |= {test for test, bits in ran if bits >> number & 1}
            self._of_files[path] = found, {test for test, _ in ran} - {_NO_TEST}
        return self._of_files[path]

    def _ran(self, path: str) -> list[tuple[str, int]]:
        """Return the tests that run a file, with a bit for each line that they run."""
        found = self._database.execute(
            "SELECT context_id, numbits FROM line_bits WHERE file_id IN "
            "(SELECT id FROM file WHERE path LIKE ?)",
            (f"%/{path}",),
        )
        ran = [(self._names[ident], int.from_bytes(bits, "little")) for ident, bits in found]
        return [(test, bits) for test, bits in ran if test in self.seconds or test == _NO_TEST]

    @cached_property
    def _names(self) -> dict[int, str]:
        """The tests by the numbers of their contexts."""
        contexts = self._database.execute("SELECT id, context FROM context")
        return {ident: _PHASE.sub("", name) for ident, name in contexts}

    @cached_property
    def _database(self) -> sqlite3.Connection:
        return sqlite3.connect(self._folder / "coverage", check_same_thread=False)


def around(lines: list[str], number: int) -> tuple[str, str, str]:
    """Return a line with its neighbours, by which it is found again when lines move."""
    before, line, after = ["", *lines, ""][number - 1 : number + 2]
    return before.strip(), line.strip(), after.strip()


def keep_sources(root: Path, folder: Path) -> None:
    """Copy the packages' modules."""
    for package in ("baremetalclient", "fake_server"):
        shutil.copytree(
            root / package, folder / package, ignore=shutil.ignore_patterns("tests", "__pycache__")
        )


def measured(cache: Path) -> list[Measure]:
    """Read what was measured so far."""
    folders = sorted(cache.glob("measures/*"))
    return [Measure(folder) for folder in folders if (folder / "files.json").exists()]


def measure(cache: Path, root: Path, processes: int) -> list[Measure]:
    """Measure the files of tests that are new or changed."""
    known = {path: digest for each in measured(cache) for path, digest in each.files.items()}
    files = {path: digest for path, digest in test_files(root).items() if known.get(path) != digest}
    if files:
        print(f"Measuring which lines {len(files)} files of tests run ...", flush=True)
        number = len(list(cache.glob("measures/*")))
        Measure.run(cache / "measures" / f"{number:03}", root, files, processes)
    return measured(cache)


class Choice:
    """Chooses tests by what was measured."""

    def __init__(self, measures: list[Measure], root: Path) -> None:
        self._measures = measures
        self._root = root
        # An earlier measure knows tests in files that are gone.
        self._seconds = {
            test: spent
            for each in measures
            for test, spent in each.seconds.items()
            if _exists(root / test.partition("::")[0])
        }
        self._set_up = _set_up(self._seconds)
        self._naming = cache(lambda path: _naming(root, path, self._seconds))
        self._of_part = cache(lambda path: _of_part(path, self._seconds))

    def tests(self, path: str, line: int, lines: list[str]) -> list[tuple[str, float]]:
        """Choose those for a line, with seconds: those that run it, then those of its file.

        The latter are for lines that run when a module is imported, which no measure connects with
        the tests that look at what they do.
        """
        of_line, of_file = self._running(path, {around(lines, line)})
        naming = self._naming(path)
        using: set[str] = set()
        for user, numbers in _uses(self._root, path, lines, line).items():
            texts = _lines(self._root / user)
            using |= self._running(user, {around(texts, number) for number in numbers})[0]
        if in_function(lines, line):
            first = of_line
        else:
            # Where a module is imported late, its lines seem to be those of the first test to do
            # so.
            few = sum(self._seconds.get(test, 0) for test in using) < _SECONDS_OF_FEW
            first = using if few else set()
        further = (of_line | of_file | naming | using | self._of_part(path)) - first
        set_up = dict(self._set_up)
        rare = self._rare(path, lines, line)
        chosen = []
        for tests in (first, further):
            known = tests & self._seconds.keys()
            for test in self._ranked(known, path, naming, using, rare):
                # The first of a file pays for what all of them share.
                paid = set_up.pop(test.partition("::")[0], 0)
                chosen.append((test, self._seconds[test] + paid))
        return chosen

    def at_import(self, path: str, line: int, lines: list[str]) -> bool:
        """Whether a line of a function may run before any test does."""
        key = around(lines, line)
        return any(each.at_import(path, key) for each in self._measures)

    def _ranked(
        self,
        tests: set[str],
        path: str,
        naming: set[str],
        using: set[str],
        rare: dict[str, float],
    ) -> list[str]:
        """Sort tests: some of each file, as the time doesn't suffice; more of the nearest."""
        words = _words(path)
        spent = dict(self._set_up)

        def rank(test: str) -> float:
            file = test.partition("::")[0]
            spent[file] += self._seconds[test]
            wide = 12 * bool(_WIDE & _words(file))
            near = len(words & _words(file)) + (test in naming) + 3 * (test in using)
            return spent[file] / (1 + near + wide) ** 2 / (1 + 50 * rare.get(test, 0))

        return sorted(sorted(tests, key=self._seconds.__getitem__), key=rank)

    def _rare(self, path: str, lines: list[str], line: int) -> dict[str, float]:
        """Return how rare the rarest line is that each test runs of the function around one.

        A check runs in each request; the tests that know it run what few others do behind it.
        """
        bodies = [one for one in _functions("\n".join(lines)) if line in one]
        found: dict[str, float] = {}
        for number in min(bodies, key=len, default=()):
            running = self._running(path, {around(lines, number)})[0]
            for test in running:
                found[test] = max(found.get(test, 0), 1 / len(running))
        return found

    def _running(self, path: str, keys: set[tuple[str, str, str]]) -> tuple[set[str], set[str]]:
        """Find in all measures what :meth:`Measure.tests` finds in one."""
        found = (each.tests(path, keys) for each in self._measures)
        of_line, of_file = zip(*found, strict=True)
        return set().union(*of_line), set().union(*of_file)


def _set_up(seconds: dict[str, float]) -> dict[str, float]:
    """Return what the tests of each file share, in seconds: those of the slowest beyond the usual.

    They were spent in the first test to run, and are again in each process.
    """
    of_files = defaultdict(list)
    for test, spent in seconds.items():
        of_files[test.partition("::")[0]].append(spent)
    return {file: max(each) - statistics.median(each) for file, each in of_files.items()}


def in_function(lines: list[str], line: int) -> bool:
    """Whether a line is in a function: then it doesn't run when its module is imported."""
    return any(line in numbers for numbers in _functions("\n".join(lines)))


def _uses(root: Path, path: str, lines: list[str], line: int) -> dict[str, list[int]]:
    """Find the lines of functions that use what a line of a module or a class defines."""
    module = ast.parse("\n".join(lines))
    # Decorators are before the line that a definition begins at.
    outer = next(one for one in module.body if line <= (one.end_lineno or 0))
    if isinstance(outer, ast.ClassDef | ast.FunctionDef):
        names = {outer.name}
    else:
        found = (one for one in ast.walk(outer) if isinstance(one, ast.Name))
        names = {one.id for one in found if isinstance(one.ctx, ast.Store)}
    local = {one.name for one in module.body if isinstance(one, ast.FunctionDef)}
    names |= local & set(re.findall(r"\w+", lines[line - 1]))
    pattern = re.compile(rf"\b({'|'.join(sorted(names))})\b")
    uses = {}
    for file in sorted(root.glob(f"{path.partition('/')[0]}/**/*.py")) if names else ():
        if "tests" not in file.parts and pattern.search("\n".join(_lines(file))):
            numbers = [n for body in _functions("\n".join(_lines(file))) for n in body]
            used = [number for number in numbers if pattern.search(_lines(file)[number - 1])]
            uses[str(file.relative_to(root))] = used
    return uses


@cache
def _functions(source: str) -> tuple[range, ...]:
    """Return the lines of the bodies of functions."""
    found = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    return tuple(range(one.body[0].lineno, (one.end_lineno or 0) + 1) for one in found)


@cache
def _lines(file: Path) -> list[str]:
    return file.read_text().splitlines()


def _naming(root: Path, path: str, tests: Iterable[str]) -> set[str]:
    """Find the tests in files that name a module, whose lines run when they import it."""
    name = re.compile(rf"\b{Path(path).stem}\b")
    files = {test.partition("::")[0] for test in tests}
    found = {file for file in files if _mentions(root / file, name)}
    return {test for test in tests if test.partition("::")[0] in found}


def _of_part(path: str, tests: Iterable[str]) -> set[str]:
    """Find the tests of the part of the package that a module is in, and those of all parts."""
    package, part = path.split("/")[:2]
    found = set()
    for test in tests:
        parts = Path(test.partition("::")[0]).parts
        folders = [name for name in parts[1:-1] if name not in ("tests", "unit")]
        if parts[0] == package and (not folders or folders[0] == part):
            found.add(test)
    return found


@cache
def _exists(file: Path) -> bool:
    return file.exists()


@cache
def _mentions(file: Path, name: re.Pattern[str]) -> bool:
    return file.exists() and bool(name.search(file.read_text()))


@cache
def _words(path: str) -> set[str]:
    parts = [part.removeprefix("test_") for part in path.removesuffix(".py").split("/")]
    return {word for part in parts for word in (part, part.rstrip("s"), *part.split("_")) if word}
