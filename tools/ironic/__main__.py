"""Write down anew what Ironic itself answers: facts that tests judge the fake server by.

``tools/dev ironic-facts [KIND …] [--check]`` runs it. Ironic is asked in its own process, without
sockets, which takes minutes. What differs from the facts is printed; with ``--check``, nothing is
written, and a difference is an error.
"""

from __future__ import annotations

import argparse
import difflib
import os
import subprocess
import sys

from tools import policies

_TESTS = policies.ROOT / "fake_server" / "tests" / "baremetal"
_RIGHTS = _TESTS / "rights"
FILES = {
    "rights": _RIGHTS / "answers.txt",
    "policy-file": _RIGHTS / "answers_by_file.txt",
    "states": _RIGHTS / "conditions.txt",
    "effects": _RIGHTS / "effects.txt",
    "versions": _RIGHTS / "versions.txt",
    "rules": _TESTS / "rule_values.txt",
    "options": _TESTS / "options.txt",
}


class FactsError(Exception):
    """The facts can't be had, or aren't those of the release that is compared."""


def main() -> int:
    """Compare the facts with what Ironic answers; return the status to exit with."""
    parser = argparse.ArgumentParser(prog="tools/dev ironic-facts", description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(FILES)}")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    differs = False
    try:
        for kind in options.kinds or FILES:
            file = FILES[kind]
            found = asked(kind)
            old = file.read_text() if file.exists() else ""
            lines = (old.splitlines(), found.splitlines())
            for line in difflib.unified_diff(*lines, file.name, kind, "", "", 0):
                print(line)
            differs |= old != found
            if not options.check:
                file.write_text(found)
    except FactsError as exc:
        print(f"ironic-facts: {exc}", file=sys.stderr)
        return 1
    return int(options.check and differs)


def asked(kind: str) -> str:
    """Return the text of the facts of a kind; raise FactsError if another release answered."""
    source = policies.sources()["ironic"]
    python = policies.installed("ironic", source)
    command = [str(python), "-W", "ignore", "-m", "tools.ironic.asked", kind]
    environ = {"PYTHONPATH": str(policies.ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command, env={**os.environ, **environ}, capture_output=True, text=True, check=False
    )
    release, _, facts = done.stdout.partition("\n")
    if done.returncode:
        raise FactsError(f"Ironic doesn't answer: {done.stderr.strip()}")
    if release != source.version:
        raise FactsError(
            f"These are answers of Ironic {release}, but the fake server is compared with "
            f"{source.version}."
        )
    return f"# Answers of Ironic {release}; written by tools/dev ironic-facts.\n{facts}"


if __name__ == "__main__":
    sys.exit(main())
