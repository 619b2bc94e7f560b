"""The standalone command ``baremetal``."""

from __future__ import annotations

import sys


def main(argv: list[str] | None = None) -> int:
    """Run a command.

    :param argv: the arguments, by default those of the process.
    :returns: the exit code.
    """
    arguments = sys.argv[1:] if argv is None else argv
    if arguments == ["--version"]:
        from importlib.metadata import version

        print("baremetal", version("baremetalclient"))
        return 0
    if arguments[:2] == ["complete", "--candidates"]:
        from baremetalclient.osc import completion

        return completion.main(arguments[2:])
    from baremetalclient.osc.app import BaremetalApp

    return BaremetalApp().run(arguments)
