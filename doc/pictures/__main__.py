"""Make the pictures of the documentation that show programs: ``tools/dev run python doc/pictures``.

It needs chromium. The pictures are kept in ``doc/source/_static``, or in the folder that is given;
make them anew when what they show has changed.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from terminal import Session, svg

from baremetalclient import client
from fake_server.server import FakeServer
from fake_server.settings import Settings

FOLDER = Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).parents[1] / "source" / "_static"
RACK = {
    "nodes": [
        {
            "name": "r7-{index:02d}",
            "count": 40,
            "driver": "redfish",
            "driver_info": {"redfish_address": "https://10.7.0.{index}"},
            "instance_info": {
                "image_source": "http://images.example.com/web.qcow2",
                "image_checksum": "f0a1b2c3d4e5f60718293a4b5c6d7e8f",
            },
            "provision_state": "available",
            "power_state": "power off",
            "resource_class": "web",
            "extra": {"rack": "r7"},
            "ports": [{"address": "52:54:00:{index:mac}"}],
        }
    ]
}
WITHOUT_POWER = ("r7-11", "r7-12", "r7-13")
FACTOR = 40
"""How many times as fast as real the time of the server and of the client goes by."""
#: ``baremetal``, with that time.
SCALED = f"""
baremetal() {{
    {shlex.quote(sys.executable)} -c '
import sys, time
from baremetalclient import client, shell
scaled = lambda: time.monotonic() * {FACTOR}
with client.use_clock(lambda seconds: time.sleep(seconds / {FACTOR}), scaled):
    sys.exit(shell.main(sys.argv[1:]))
' "$@"
}}
"""
READ = 3.0
"""Seconds in which a reader gets an idea of what was printed."""
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
    """Make the pictures."""
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory) / "report.html"
        (FOLDER / "session.svg").write_text(svg(deploy_a_rack(report)))
        screenshot(f"file://{report}", FOLDER / "timeline.png")
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
        screenshot(f"{server.url}/_fake/", FOLDER / "page.png")


def deploy_a_rack(report: Path) -> Session:
    """Deploy forty nodes of which three fail, find out why, and deploy these again.

    :param report: the file for the report of the server.
    """
    with (
        FakeServer(Settings(delay=60), seed=RACK) as server,
        tempfile.TemporaryDirectory() as directory,
    ):
        for name in WITHOUT_POWER:
            server.machines.change(name, {"reachable": False})
        server.clock.switch("scaled", factor=FACTOR)
        session = Session({"OS_ENDPOINT": server.url, "HOME": directory})
        there = f"cd {directory}{SCALED}"
        session.run(
            "baremetal node deploy --select extra/rack=r7 --wait 30m --report r7.json", there, 0
        )
        session.run("baremetal node explain --select 'state=deploy failed'", there, READ)
        session.note("Their power supply is replaced. Now the three that failed:", READ)
        for name in WITHOUT_POWER:
            server.machines.change(name, {"reachable": True})
        session.run("baremetal node deploy --retry-failed r7.json --wait 30m", there, 1)
        report.write_text(server.report("Rack r7", "Three nodes had no power at first."))
    return session


def screenshot(url: str, path: Path) -> None:
    """Save what a browser shows at a URL."""
    words = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    words += ["--window-size=1280,640", "--virtual-time-budget=4000", f"--screenshot={path}"]
    subprocess.run([*words, url], check=True, capture_output=True)  # noqa: S603


main()
