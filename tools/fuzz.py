#!/usr/bin/env python
"""Fuzz for a while: run the tests that make their input up again and again, with ever new seeds.

    tools/dev fuzz                          all kinds, each for a minute, one for each processor
    tools/dev fuzz --seconds 600 files      one kind, for ten minutes
    tools/dev fuzz --seed 123456 files      what a printed seed has found, once

A seed is printed before it is used. What a seed has found ends its kind, is printed in one piece,
and becomes an example of its test.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

CLIENT = "baremetalclient/tests/unit"
KINDS = {
    "files": (f"{CLIENT}/osc/test_fuzzed_files.py",),
    "expressions": (
        f"{CLIENT}/v1/test_fuzzed_expressions.py",
        f"{CLIENT}/_bulk/test_expression.py",
    ),
    "answers": (f"{CLIENT}/osc/test_fuzzed_answers.py::test_a_command_ends_with_a_sentence",),
    "requests": (
        "fake_server/tests/test_hostile_requests.py::test_each_request_is_answered",
        "fake_server/tests/test_hostile_requests.py::test_a_refused_request_stores_nothing",
        "fake_server/tests/test_hostile_services.py::test_each_request_is_answered",
        "fake_server/tests/test_hostile_services.py::test_a_refused_request_stores_nothing",
        "fake_server/tests/control/test_fuzzing.py",
    ),
}
"""The tests of each kind of input: files of labs, expressions, answers of a server, and requests to
all services and to the controls."""
_REQUESTS, _EXAMPLES = "2000", "200"
"""The requests of one seed to the services, and those to the controls, which take longer."""


def main() -> int:
    """Return the worst exit status of the tests: 1 if something was found."""
    parser = argparse.ArgumentParser(prog="tools/dev fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)}")
    parser.add_argument("--seconds", type=float, default=60, help="for each kind (default: 60)")
    parser.add_argument("--seed", type=int, help="try this seed, once")
    cores = os.cpu_count() or 1
    parser.add_argument(
        "--jobs", type=int, default=cores, help="kinds at a time (default: the cores)"
    )
    args = parser.parse_args()
    kinds = args.kinds or list(KINDS)
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        parser.error(f"unknown kind {unknown[0]!r}; choose from {', '.join(KINDS)}")
    with ThreadPoolExecutor(max(1, args.jobs)) as pool:
        return max(pool.map(lambda kind: fuzz(kind, args.seconds, args.seed), kinds))


def fuzz(kind: str, seconds: float, only: int | None) -> int:
    """Try seeds for some time, or only one; return the exit status of the last one's tests."""
    end, tried = time.monotonic() + seconds, 0
    while True:
        seed, tried = random.SystemRandom().randrange(10**9) if only is None else only, tried + 1
        _print(f"{kind}: seed {seed}")
        done = _tested(kind, seed)
        if done.returncode:
            again = f"tools/dev fuzz --seed {seed} {kind}"
            _print(f"{done.stdout}\n{kind}: found by seed {tried}; repeat it: {again}")
            return abs(done.returncode)  # a signal has a negative one
        if only is not None or time.monotonic() > end:
            _print(f"{kind}: nothing was found with {tried} seeds")
            return 0


def _print(text: str) -> None:
    # At once: print() writes the end of the line by itself, and others may be faster.
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _tested(kind: str, seed: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "--all", "-q", "-n", "0", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, "--tb=short", "--show-capture=no", f"--hypothesis-seed={seed}", *KINDS[kind]],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={
            **os.environ,
            "FAKE_SERVER_SEED": str(seed),
            "FAKE_SERVER_REQUESTS": _REQUESTS,
            "FAKE_SERVER_EXAMPLES": _EXAMPLES,
        },
    )


if __name__ == "__main__":
    sys.exit(main())
