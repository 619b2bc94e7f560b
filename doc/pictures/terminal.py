"""A session on a terminal, recorded as it happens, and drawn as a picture that plays once."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sysconfig
import termios
import textwrap
import time
from html import escape
from typing import NamedTuple

COLUMNS, ROWS = 96, 24
_COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "36": "#76e3ea"}
_PART = re.compile(r"\x1b\[(\d*)([FKm])|\n|[^\x1b\n]+|\x1b\[[\d;]*m")
_LINE = 18


class Shown(NamedTuple):
    """A line of the picture.

    :param row: where it is, from the top.
    :param start: the seconds after which it appears.
    :param end: the seconds after which it is gone, None if it stays.
    """

    row: int
    text: str
    start: float
    end: float | None


class Session:
    """What a terminal shows, from the first command on.

    :param environment: variables of the commands.
    """

    def __init__(self, environment: dict[str, str]) -> None:
        path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
        self._environment = {"PATH": path, "TERM": "xterm", **environment}
        self._lines: list[str] = []
        self._start = time.monotonic()
        self._frames: list[tuple[float, list[str]]] = []

    def note(self, text: str, pause: float) -> None:
        """Show a comment, and give time to read what is there before it."""
        time.sleep(pause)
        self._lines.append(f"\x1b[36m# {text}\x1b[0m")
        self._keep()

    def run(self, command: str, definitions: str, pause: float) -> None:
        """Run a command, and keep what it shows while it runs.

        :param definitions: lines of bash that are not shown.
        :param pause: seconds to wait before.
        """
        time.sleep(pause)
        self._lines.append(f"\x1b[1m$ {command}\x1b[0m")
        self._keep()
        ours, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        words = ["bash", "-c", f"{definitions}\n{command}"]
        process = subprocess.Popen(words, stdout=its, stderr=its, env=self._environment)  # noqa: S603
        os.close(its)
        height = len(self._lines)
        while True:
            try:
                chunk = os.read(ours, 65536)
            except OSError:  # Linux says so when the other side is closed.
                break
            if not chunk:
                break
            self._print(chunk.decode().replace("\r\n", "\n"))
            self._keep()
        process.wait()
        os.close(ours)
        self._lines[height:] = [part for line in self._lines[height:] for part in _folded(line)]
        while not self._lines[-1]:
            self._lines.pop()
        self._lines.append("")
        self._keep()

    def shown(self) -> list[Shown]:
        """Return each line with the time for which it is shown."""
        found = []
        open_lines: dict[int, tuple[str, float]] = {}
        for moment, lines in [*self._frames, (None, [])]:
            for row in sorted({*range(len(lines)), *open_lines}):
                text = lines[row] if row < len(lines) else ""
                before, start = open_lines.get(row, ("", 0.0))
                if moment is not None and text == before:
                    continue
                if before and moment != start:
                    found.append(Shown(row, before, start, moment))
                if moment is not None:
                    open_lines[row] = text, moment
        return found

    def _keep(self) -> None:
        self._frames.append((round(time.monotonic() - self._start, 1), list(self._lines)))

    def _print(self, text: str) -> None:
        """Print at the cursor, which is in the last line."""
        if not self._lines or self._lines[-1].startswith("\x1b[1m$"):
            self._lines.append("")
        for match in _PART.finditer(text):
            part, (number, kind) = match[0], match.groups()
            if part == "\n":
                self._lines.append("")
            elif kind == "F":
                # What is above will be printed again.
                del self._lines[len(self._lines) - 1 - int(number or 1) :]
                self._lines.append("")
            elif kind != "K":
                self._lines[-1] += part


def svg(session: Session, columns: int = COLUMNS) -> str:
    """Return a session as a picture, which shows the end where nothing can move."""
    lines = session.shown()
    height = _LINE * (max(one.row for one in lines) + 1) + 24
    width = round(7.85 * columns) + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" font-family="monospace" font-size="13" fill="#e6edf3">',
        f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>',
    ]
    for row, text, start, end in lines:
        hidden, change = "", ""
        if end is not None:
            hidden = ' visibility="hidden"'
            change = _set("visible", start, end)
        elif start:
            change = _set("hidden", 0, start)
        parts.append(
            f'<text x="12" y="{26 + _LINE * row}" xml:space="preserve"{hidden}>'
            f"{_spans(text)}{change}</text>"
        )
    return "\n".join([*parts, "</svg>", ""])


def _set(visibility: str, start: float, end: float) -> str:
    duration = round(end - start, 2)
    return f'<set attributeName="visibility" to="{visibility}" begin="{start}s" dur="{duration}s"/>'


def _folded(line: str) -> list[str]:
    """Return a line in pieces that fit, folded between words; lines with colours are not long."""
    if "\x1b" in line or len(line) <= COLUMNS:
        return [line]
    return textwrap.wrap(line, COLUMNS, break_on_hyphens=False)


def _spans(line: str) -> str:
    found, style = "", ""
    for code, text in re.findall(r"(?:\x1b\[([\d;]*)m)?([^\x1b]*)", line):
        if code:
            colour = next((_COLOURS[one] for one in code.split(";") if one in _COLOURS), "")
            style = f' fill="{colour}"' if colour else ' font-weight="bold"' * (code == "1")
        if text:
            found += f"<tspan{style}>{escape(text)}</tspan>"
    return found
