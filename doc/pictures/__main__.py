"""Make the pictures of the documentation that show programs: ``tools/dev run python doc/pictures``.

It needs chromium. The pictures are kept in ``doc/source/_static``; make them anew when what they
show has changed.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sysconfig
import termios
from html import escape
from pathlib import Path

from baremetalclient import client
from fake_server.server import FakeServer

STATIC = Path(__file__).parents[1] / "source" / "_static"
COLUMNS = 96
LAB = {
    "nodes": [
        {"name": "web-1", "provision_state": "available", "resource_class": "web"},
        {"name": "web-2", "provision_state": "available", "resource_class": "web"},
        {
            "name": "db-1",
            "provision_state": "clean failed",
            "resource_class": "db",
            "last_error": "Timeout reached while cleaning the node.",
            "ports": [{"address": "52:54:00:00:00:01"}],
        },
    ]
}
SESSION = (
    "baremetal node list --fields name resource_class power_state provision_state",
    "baremetal node deploy --select resource-class=web --wait 600 2>&1 | cat",
    "baremetal node explain db-1",
    "baremetal node deploy db-1",
)
#: What is shown of a command.
SHOWN = {" 2>&1 | cat": ""}
COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "36": "#76e3ea"}
#: Nodes for the page: how many, and in which state.
FLEET = {
    "available": 14,
    "active": 9,
    "manageable": 4,
    "enroll": 3,
    "clean failed": 2,
    "deploy failed": 1,
}


def main() -> None:
    """Make both pictures."""
    with FakeServer(seed=LAB) as server:
        lines = [line for command in SESSION for line in run(command, server.url)]
    (STATIC / "session.svg").write_text(svg(lines))
    nodes = [
        {
            "name": f"rack{number}-{{index}}",
            "count": count,
            "provision_state": state,
            "resource_class": "gold",
            "traits": ["CUSTOM_NVME"],
            "ports": [{"address": f"52:54:0{number}:{{index:mac}}"}],
        }
        for number, (state, count) in enumerate(FLEET.items())
    ]
    with FakeServer(seed={"nodes": nodes}) as server:
        server.delays.set(transitions={"deploying": 600, "cleaning": 60})
        ironic = client.get_client(1, endpoint=server.url)
        for number in range(3):
            ironic.node.set_provision_state(f"rack0-{number}", "active")
        ironic.node.set_provision_state("rack2-1", "provide")
        ironic.node.list(limit=0, fields=["name"])
        screenshot(f"{server.url}/_fake/", STATIC / "page.png")


def run(command: str, url: str) -> list[str]:
    """Run a command on a terminal of its own; return the lines that a user sees."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": path, "TERM": "xterm", "OS_ENDPOINT": url, "HOME": os.environ["HOME"]}
    bash = ["bash", "-c", command]
    process = subprocess.Popen(bash, stdout=its, stderr=its, env=environment)  # noqa: S603
    os.close(its)
    printed = b""
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # Linux says so when the other side is closed.
            break
        if not chunk:
            break
        printed += chunk
    process.wait()
    os.close(ours)
    for hidden, shown in SHOWN.items():
        command = command.replace(hidden, shown)
    lines = [
        line.rpartition("\r")[2] for line in printed.decode().replace("\r\n", "\n").split("\n")
    ]
    folded = [part for line in lines[:-1] for part in _folded(line)]
    return [f"\x1b[1m$ {command}\x1b[0m", *folded, ""]


def _folded(line: str) -> list[str]:
    """Return a line as a terminal shows it; lines with colours are not long."""
    if "\x1b" in line or len(line) <= COLUMNS:
        return [line]
    return [line[:COLUMNS], *_folded(line[COLUMNS:])]


def svg(lines: list[str]) -> str:
    """Return lines of a terminal as a picture."""
    height = 18 * len(lines) + 30
    width = round(7.85 * COLUMNS) + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" font-family="monospace" font-size="13" fill="#e6edf3">',
        f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>',
    ]
    for number, line in enumerate(lines):
        parts.append(
            f'<text x="12" y="{28 + 18 * number}" xml:space="preserve">{_spans(line)}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def _spans(line: str) -> str:
    found, style = "", ""
    for code, text in re.findall(r"(?:\x1b\[([\d;]*)m)?([^\x1b]*)", line):
        if code:
            colour = next((COLOURS[one] for one in code.split(";") if one in COLOURS), "")
            style = f' fill="{colour}"' if colour else ' font-weight="bold"' * (code == "1")
        if text:
            found += f"<tspan{style}>{escape(text)}</tspan>"
    return found


def screenshot(url: str, path: Path) -> None:
    """Save what a browser shows at a URL."""
    words = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    words += ["--window-size=1280,640", "--virtual-time-budget=4000", f"--screenshot={path}"]
    subprocess.run([*words, url], check=True, capture_output=True)  # noqa: S603


main()
