"""The signals that end a command."""

from __future__ import annotations

import signal

#: There is no SIGHUP on Windows.
_ALL = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


def ending_signals() -> list[signal.Signals]:
    """Return those that aren't ignored, as ``nohup`` has it for the end of a terminal."""
    return [one for one in _ALL if signal.getsignal(one) is not signal.SIG_IGN]
