"""The standalone command ``baremetal``."""

from __future__ import annotations

import os
import sys

_BROKEN_PIPE = 128 + 13
"""What a shell reports for a process that SIGPIPE ended."""


def main(argv: list[str] | None = None) -> int:
    """Run a command.

    :param argv: the arguments, by default those of the process.
    :returns: the exit code.
    """
    try:
        try:
            return _run(sys.argv[1:] if argv is None else argv)
        finally:
            if sys.stdout and not sys.stdout.closed:  # the pager of the help closes it
                sys.stdout.flush()
    except OSError as error:
        # Python would try again at exit to write what is left.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return _BROKEN_PIPE
        print(f"baremetal: Can't write to standard output: {error.strerror}.", file=sys.stderr)
        return 1


def _run(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        from importlib.metadata import version

        print("baremetal", version("baremetalclient"))
        return 0
    if arguments[:2] == ["complete", "--candidates"] and len(arguments) > 3:
        from baremetalclient.osc.completion import candidates

        return candidates.main(arguments[2:])
    from baremetalclient.osc.app import BaremetalApp

    return BaremetalApp().run(arguments)
