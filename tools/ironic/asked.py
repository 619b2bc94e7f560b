"""Print facts about Ironic; it has to run in Ironic's own environment.

The first line is the release, the others are the facts.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import traceback
from importlib.metadata import version
from pathlib import Path

from tools.ironic import options, rights, rules, states, versions

KINDS = {
    "rights": rights.rights,
    "policy-file": rights.policy_file,
    "states": states.states,
    "effects": states.what_follows,
    "versions": versions.since,
    "rules": rules.rules,
    "options": options.options,
}


def main() -> None:
    """Print the facts of a kind."""
    status = 0
    try:
        print(version("ironic"))
        memory = Path("/dev/shm")
        where = memory if memory.is_dir() else None
        with tempfile.TemporaryDirectory(dir=where) as directory, contextlib.suppress(OSError):
            for line in KINDS[sys.argv[1]](Path(directory)):
                print(line)
    except Exception:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    # Ironic's threads would go on.
    os._exit(status)


if __name__ == "__main__":
    main()
