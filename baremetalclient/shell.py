"""The standalone command ``baremetal``."""

from __future__ import annotations

import gc
import os
import sys

_BROKEN_PIPE = 128 + 13
"""What a shell reports for a process that SIGPIPE ended."""


def main(argv: list[str] | None = None) -> int:
    """Run a command.

    :param argv: the arguments, by default those of the process.
    :returns: the exit code.
    """
    _replace_closed_streams()
    code = 0
    try:
        try:
            code = _run(sys.argv[1:], alone=True) if argv is None else _run(argv, alone=False)
        finally:
            if not sys.stdout.closed:  # the pager of the help closes it
                sys.stdout.flush()
    except OSError as error:
        # Python would try again at exit to write what is left.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return _BROKEN_PIPE
        if not code:  # a command that failed has said why
            print(f"baremetal: Can't write to standard output: {error.strerror}.", file=sys.stderr)
        return code or 1
    return code


def _replace_closed_streams() -> None:
    """Open the standard streams that were closed, so that nothing else gets their numbers.

    To read and to print fails then, as it does in other programs; messages are for nobody.
    """
    for number, (name, flags) in enumerate(
        (("stdin", os.O_WRONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY))
    ):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, flags)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8"))


def _run(arguments: list[str], *, alone: bool) -> int:
    if arguments == ["--version"]:
        from importlib.metadata import version

        print("baremetal", version("baremetalclient"))
        return 0
    if arguments[:2] == ["complete", "--candidates"] and len(arguments) > 3:
        from baremetalclient.osc.completion import candidates

        return candidates.main(arguments[2:])
    if alone:
        # What is imported stays: to look for garbage in it would take a tenth of the time.
        gc.disable()
    from baremetalclient.osc.app import BaremetalApp

    app = BaremetalApp()
    if alone:
        gc.freeze()
        gc.enable()
    return app.run(arguments)
