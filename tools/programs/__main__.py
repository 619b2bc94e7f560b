"""Run a program of others, unmodified, on this client and the fake server.

Each script beside this file drives one program, which is installed from PyPI into an environment of
its own in the user's cache, and prints what it saw as JSON. The run passes if that is what
``NAME.json`` holds: what was seen with python-ironicclient in the place of this client, which
``--record`` writes. Lines in the script say which packages it needs and which settings of
the fake server::

    # packages: ["rally-openstack==4.1.0"]
    # fake_server: {"auth": "keystone"}
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from fake_server.cloud_config import environment, without_clouds
from fake_server.server import FakeServer
from fake_server.settings import Settings

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SCRIPTS = {path.stem: path for path in sorted(HERE.glob("[!_]*.py"))}
PEER = "python-ironicclient"
OURS = {"baremetalclient": ROOT, "baremetalclient-as-ironicclient": ROOT / "compat"}


def main() -> int:
    """Run the command, and return its exit code."""
    parser = argparse.ArgumentParser(prog="tools/dev programs", description=__doc__.split("\n")[0])
    parser.add_argument(
        "names", nargs="*", metavar="NAME", default=[*SCRIPTS], help=f"of {', '.join(SCRIPTS)}"
    )
    parser.add_argument(
        "--record", action="store_true", help=f"write down what is seen with {PEER}"
    )
    given = parser.parse_args()
    if unknown := set(given.names) - SCRIPTS.keys():
        parser.error(f"unknown program {', '.join(sorted(unknown))}")
    return max(run(name, given.record) for name in given.names)


def run(name: str, record: bool) -> int:
    """Run one program, say what came of it, and return 0 if it saw what was recorded.

    :param name: its name.
    :param record: whether it runs with python-ironicclient, and what it sees is written down.
    """
    text = SCRIPTS[name].read_text("utf-8")
    python = install(name, header(text, "packages"), record)
    seen = json.dumps(output(python, SCRIPTS[name], header(text, "fake_server")), indent=2) + "\n"
    recorded = HERE / f"{name}.json"
    if record:
        recorded.write_text(seen, "utf-8")
    expected = recorded.read_text("utf-8")
    sys.stdout.writelines(
        difflib.unified_diff(expected.splitlines(True), seen.splitlines(True), PEER, "seen", n=2)
    )
    print(f"{name}: {'as' if seen == expected else 'NOT as'} with {PEER}")
    return int(seen != expected)


def header(text: str, key: str) -> Any:
    """Return the value of a line of a script such as ``# packages: […]``."""
    found = re.search(rf"^# {key}: (.*)$", text, re.MULTILINE)
    if found is None:
        raise ValueError(f"The script has no line '# {key}: '.")
    return json.loads(found[1])


def install(name: str, packages: list[str], peer: bool) -> Path:
    """Install a program and one of the two clients, and return its interpreter.

    :param name: the name of the environment.
    :param packages: what pip is asked for.
    :param peer: whether to install python-ironicclient instead of this client.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    directory = cache / "baremetalclient-programs" / name
    binaries, stamp = directory / "bin", directory / "packages.json"

    def uv(*arguments: str | Path) -> None:
        environ = {**os.environ, "VIRTUAL_ENV": str(directory)}
        subprocess.run([binaries / "uv", "pip", *arguments], env=environ, check=True)

    wanted = json.dumps(packages)
    if not stamp.exists() or stamp.read_text("utf-8") != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", directory], check=True)
        subprocess.run([binaries / "python", "-m", "pip", "install", "-q", "uv"], check=True)
        uv("install", "-q", *packages)
        stamp.write_text(wanted, "utf-8")
    if peer:
        uv("uninstall", "-q", *OURS)
        uv("install", "-q", f"{PEER}==6.3.0")
    else:
        uv("uninstall", "-q", PEER)
        uv("install", "-q", "-e", OURS["baremetalclient"])
        uv("install", "-q", "--no-deps", "-e", OURS["baremetalclient-as-ironicclient"])
    return binaries / "python"


def output(python: Path, script: Path, options: dict[str, Any]) -> Any:
    """Return what a script prints on a fake server of its own, decoded.

    :param python: the interpreter with the program.
    :param script: the script.
    :param options: the settings of the server.
    """
    settings = Settings(**options)
    with tempfile.TemporaryDirectory() as work, FakeServer(settings) as server:
        directory = Path(work)
        account = settings.accounts[0].name
        variables = environment(server.url, settings, directory, account)
        done = subprocess.run(
            # Without the directory of the scripts, whose names are those of packages.
            [python, "-P", "-W", "ignore", script],
            cwd=directory,
            env={**without_clouds(os.environ), **variables, "HOME": work, "FAKE_URL": server.url},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    return json.loads(done.stdout)


if __name__ == "__main__":
    sys.exit(main())
