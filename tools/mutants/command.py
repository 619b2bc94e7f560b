"""Put small faults into the packages, one at a time, and see whether the tests notice."""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue

import yaml

from tools.mutants.finding import Change, Mutant, find
from tools.mutants.forks import Outcome
from tools.mutants.measuring import Choice, in_function, measure, measured
from tools.mutants.running import Runner, copy_tree

CHECKOUT = Path(__file__).parents[2]
CACHE = Path(os.environ.get("MUTANTS_CACHE", CHECKOUT / ".mutants"))
ACCEPTED = Path(__file__).with_name("accepted.yaml")
GUARDS = Path(__file__).with_name("guards.txt")
# Seconds of tests that a mutant gets at once; most are noticed by then.
_FIRST = 6
# How many of those that noticed the nearest mutants, and the most of a file, come before others.
_PROBABLE = 4
# After how many there are figures.
_SHOWN = 100


def parser() -> argparse.ArgumentParser:
    """Make the parser of the command's arguments."""
    made = argparse.ArgumentParser(prog="tools/dev mutants", description=__doc__)
    made.add_argument("modules", nargs="*", metavar="MODULE|PATH", help="default: both packages")
    made.add_argument("--guards", action="store_true", help="what decides who may do what, when")
    made.add_argument("--sample", type=int, metavar="N", help="only N mutants, drawn at random")
    made.add_argument("--seed", type=int, default=0, help="which ones")
    made.add_argument("--again", action="store_true", help="only what survived the last run")
    made.add_argument("--jobs", type=int, default=1, help="how many at a time")
    made.add_argument("--seconds", type=float, default=30, help="of tests for one mutant")
    made.add_argument("--unmeasured", action="store_true", help="ignore new and changed tests")
    return made


def main() -> int:
    """Run the command."""
    options = parser().parse_args()
    CACHE.mkdir(exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"Another run uses {CACHE}; set MUTANTS_CACHE to another directory.")
            return 2
        return _run(options)


def _run(options: argparse.Namespace) -> int:
    trees = [CACHE / f"tree{number}" for number in range(options.jobs)]
    for tree in trees:
        copy_tree(CHECKOUT, tree)
    measures = measured(CACHE) if options.unmeasured else measure(CACHE, trees[0], options.jobs)
    accepted = {(each["file"], each["was"], each["now"]) for each in _read(ACCEPTED)}
    last = CACHE / "survivors.json"
    known = {tuple(each.values()) for each in _read(last)} if options.again else None
    runners = [Runner(tree) for tree in trees]
    trial = _Trial(runners, Choice(measures, CHECKOUT), options.seconds, accepted, known)
    modules = GUARDS.read_text().split() if options.guards else options.modules
    mutants = _mutants(modules, options.again, options.seed if options.sample else None)
    with ThreadPoolExecutor(options.jobs) as pool:
        tried = 0
        while options.sample is None or tried < options.sample:
            wanted = 400 if options.sample is None else options.sample - tried
            some = [mutant for _, mutant in zip(range(wanted), mutants, strict=False)]
            if not some:
                break
            tried += sum(pool.map(trial, some))
            last.write_text(json.dumps([asdict(change) for change in trial.survivors]))
    return trial.report()


def _read(file: Path) -> list[dict[str, str]]:
    return list(yaml.safe_load(file.read_text()) or []) if file.exists() else []


def _mutants(modules: list[str], again: bool, seed: int | None) -> Iterator[Mutant]:
    if again:
        modules = sorted({each["path"] for each in _read(CACHE / "survivors.json")}) or ["none"]
    files = _files(modules or ["baremetalclient", "fake_server"])
    found = [mutant for path in files for mutant in find(CHECKOUT, path)]
    if seed is not None:
        random.Random(seed).shuffle(found)
        return iter(found)
    # Those that can be tried in forks come first, as they are quicker.
    texts = {path: (CHECKOUT / path).read_text().splitlines() for path in {m.path for m in found}}
    return iter(sorted(found, key=lambda each: not in_function(texts[each.path], each.line)))


def _files(modules: list[str]) -> Iterator[str]:
    for name in modules:
        path = CHECKOUT / name
        if not path.exists():
            path = CHECKOUT / name.replace(".", "/")
            path = path if path.is_dir() else path.with_suffix(".py")
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        for file in files:
            if "tests" not in file.relative_to(CHECKOUT).parts:
                yield str(file.relative_to(CHECKOUT))


def _first_part(tests: dict[str, float], seconds: float) -> dict[str, float]:
    """Return the first tests, until they take some seconds."""
    total = 0.0
    part = {}
    for test, took in tests.items():
        if total > seconds:
            break
        part[test] = took
        total += took
    return part


Fails = Callable[[str, str, list[str], float], Outcome]


class _Trial:
    """Tries mutants and counts what became of them."""

    def __init__(
        self,
        runners: list[Runner],
        choice: Choice,
        seconds: float,
        accepted: set[tuple[str, str, str]],
        known: set[tuple[str, ...]] | None,
    ) -> None:
        self._runners: SimpleQueue[Runner] = SimpleQueue()
        for runner in runners:
            self._runners.put(runner)
        self._choice = choice
        self._seconds = seconds
        self._accepted = accepted
        self._known = known
        # By files: lines, the tests that noticed a mutant there, and their seconds.
        self._noticed: defaultdict[str, list[tuple[int, str, float]]] = defaultdict(list)
        self._chosen: dict[tuple[str, int], dict[str, float]] = {}
        self._counts: Counter[tuple[str, str]] = Counter()
        self.survivors: list[Change] = []

    def __call__(self, mutant: Mutant) -> bool:
        """Try one; False if it can't be made."""
        source = (CHECKOUT / mutant.path).read_text()
        try:
            code = mutant.code(source)
            compile(code, mutant.path, "exec")
        except (AttributeError, AssertionError, SyntaxError):
            return False
        change = Change.between(mutant.path, source, code)
        identity = (change.path, change.was, change.now)
        if change.was == change.now or (self._known is not None and identity not in self._known):
            return False
        accepted = identity in self._accepted
        outcome = "accepted" if accepted else self._outcome(mutant, source, code)
        self._counts[mutant.kind, outcome] += 1
        if self._counts.total() % _SHOWN == 0:
            print(self._counts.total(), *self._by_outcome().items(), flush=True)
        if outcome in ("survived", "no tests"):
            self.survivors.append(change)
            where = f"{mutant.path}:{mutant.line}"
            number = sum(self._counts.values())
            print(f"[{number}] {outcome}: {where}\n  - {change.was}\n  + {change.now}", flush=True)
        return True

    def _outcome(self, mutant: Mutant, source: str, code: str) -> str:
        lines = source.splitlines()
        runner = self._runners.get()
        try:
            for fails, batch in self._tries(mutant, lines, runner):
                outcome = fails(mutant.path, code, list(batch), sum(batch.values()))
                if outcome.test in batch:
                    noticed = (mutant.line, outcome.test, batch[outcome.test])
                    self._noticed[mutant.path].append(noticed)
                if outcome.name:
                    return outcome.name
        finally:
            self._runners.put(runner)
        return "survived" if self._chosen[mutant.path, mutant.line] else "no tests"

    def _tries(
        self, mutant: Mutant, lines: list[str], runner: Runner
    ) -> Iterator[tuple[Fails, dict[str, float]]]:
        """Choose tests and how to run them, the most probable to notice a mutant first."""
        place = (mutant.path, mutant.line)
        forked = in_function(lines, mutant.line)
        fails = runner.fails_in_fork if forked else runner.fails
        probable = self._probable(mutant)
        if probable:
            yield fails, probable
        if place not in self._chosen:
            self._chosen[place] = self._fitting(self._choice.tests(*place, lines))
        others = {t: took for t, took in self._chosen[place].items() if t not in probable}
        first = _first_part(others, _FIRST)
        rest = {test: took for test, took in others.items() if test not in first}
        for batch in filter(None, (first, rest)):
            yield fails, batch
        if forked and first and self._choice.at_import(*place, lines):
            yield runner.fails, first

    def _fitting(self, tests: list[tuple[str, float]]) -> dict[str, float]:
        """Choose tests for which there is time, with their seconds; slow ones last."""
        chosen: dict[str, float] = {}
        total = 0.0
        for test, seconds in sorted(tests, key=lambda test: test[1] > self._seconds / 6):
            if total + seconds <= self._seconds or not chosen:
                chosen[test] = seconds
                total += seconds
        return chosen

    def _probable(self, mutant: Mutant) -> dict[str, float]:
        """Choose the tests that noticed mutants in the lines nearest to this one, and most."""
        noticed = list(self._noticed[mutant.path])
        seconds = {test: took for _, test, took in noticed}
        noticed.sort(key=lambda each: abs(each[0] - mutant.line))
        near = list(dict.fromkeys(test for _, test, _ in noticed))[:_PROBABLE]
        often = Counter(test for _, test, _ in noticed).most_common(_PROBABLE)
        return {test: seconds[test] for test in (*near, *(test for test, _ in often))}

    def report(self) -> int:
        """Print the figures; 1 if something survived that isn't accepted."""
        outcomes = sorted({outcome for _, outcome in self._counts})
        print(f"{'':15}" + "".join(f"{outcome:>10}" for outcome in outcomes))
        for kind in sorted({kind for kind, _ in self._counts}):
            row = [self._counts[kind, outcome] for outcome in outcomes]
            print(f"{kind:15}" + "".join(f"{count:>10}" for count in row))
        totals = self._by_outcome()
        print(f"{'all':15}" + "".join(f"{totals[outcome]:>10}" for outcome in outcomes))
        return 1 if self.survivors else 0

    def _by_outcome(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for (_, outcome), count in list(self._counts.items()):
            found[outcome] += count
        return found
