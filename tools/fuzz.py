#!/usr/bin/env python
"""Fuzz for a while: run the tests that make their input up again and again, with ever new seeds.

    tools/dev fuzz                          all kinds, each for a minute, side by side
    tools/dev fuzz --seconds 600 files      one kind, for ten minutes
    tools/dev fuzz --seed 123456 files      what a printed seed has found, once

A seed is printed before it is used. What a seed has found becomes an example of its test.
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
    "bodies": (
        "fake_server/tests/test_hostile_requests.py::test_each_request_is_answered",
        "fake_server/tests/test_hostile_requests.py::test_a_refused_request_stores_nothing",
    ),
    "services": (
        "fake_server/tests/test_hostile_services.py::test_each_request_is_answered",
        "fake_server/tests/test_hostile_services.py::test_a_refused_request_stores_nothing",
    ),
    "controls": ("fake_server/tests/control/test_fuzzing.py",),
}
"""The tests of each kind of input: files of labs, expressions, answers of a server, bodies of
requests to all services, to those with Keystone, and to the controls."""
_REQUESTS, _EXAMPLES = "4000", "500"
"""The requests of one seed, and those to the controls, which take longer."""


def main() -> int:
    """Return 1 if something was found."""
    parser = argparse.ArgumentParser(prog="tools/dev fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)}")
    parser.add_argument("--seconds", type=float, default=60, help="for each kind (default: 60)")
    parser.add_argument("--seed", type=int, help="try this seed, once")
    args = parser.parse_args()
    kinds = args.kinds or list(KINDS)
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        parser.error(f"unknown kind {unknown[0]!r}; choose from {', '.join(KINDS)}")
    if args.seed is not None:
        return int(not all(fits(kind, args.seed) for kind in kinds))
    with ThreadPoolExecutor(len(kinds)) as pool:
        found = list(pool.map(lambda kind: fuzz(kind, args.seconds), kinds))
    return int(not all(found))


def fuzz(kind: str, seconds: float) -> bool:
    """Try seeds for some time; return whether nothing was found."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not fits(kind, random.SystemRandom().randrange(10**9)):
            return False
    return True


def fits(kind: str, seed: int) -> bool:
    """Try a seed; return whether nothing was found, and print what was."""
    print(f"{kind}: seed {seed}", flush=True)
    command = [sys.executable, "-m", "pytest", "--all", "-q", "-n", "0", "-p", "no:cacheprovider"]
    done = subprocess.run(
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
    if done.returncode:
        print(f"{done.stdout}\n{kind}: repeat it: tools/dev fuzz --seed {seed} {kind}", flush=True)
    return not done.returncode


if __name__ == "__main__":
    sys.exit(main())
