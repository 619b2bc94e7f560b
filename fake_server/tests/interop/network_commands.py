"""Run commands of python-openstackclient, one a line, in one process, because each start is slow.

Prints what became of them as JSON: status, output and errors of each.
"""

from __future__ import annotations

import contextlib
import io
import json
import shlex
import sys

from openstackclient import shell


def main() -> None:
    """Run the commands that standard input has."""
    done = []
    for line in sys.stdin:
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            try:
                status = shell.main(shlex.split(line))
            except SystemExit as exc:
                status = exc.code
        done.append((status, output.getvalue(), errors.getvalue()))
    print(json.dumps(done))


if __name__ == "__main__":
    main()
