"""Run a program of others, unmodified, on this client and the fake server.

Each script beside this file drives one program, which is installed from PyPI into an environment of
its own in the user's cache, and prints what it saw as JSON. The run passes if that is what
``NAME.json`` holds: what was seen with python-ironicclient in the place of this client, which
``--record`` writes. Lines in the script say which packages it needs and which settings of
the fake server, whether it brings a client of its own, so that it tries the fake server alone, and
whether it runs only where it is named, since it needs what no package index has::

    # packages: ["rally-openstack==4.1.0"]
    # fake_server: {"auth": "keystone"}
    # own_client: true
    # only_named: true
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
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SCRIPTS)}")
    parser.add_argument(
        "--record", action="store_true", help=f"write down what is seen, with {PEER}"
    )
    given = parser.parse_args()
    if unknown := set(given.names) - SCRIPTS.keys():
        parser.error(f"unknown program {', '.join(sorted(unknown))}")
    named = [
        name for name in SCRIPTS if header(SCRIPTS[name].read_text("utf-8"), "only_named", "false")
    ]
    if not given.names:
        print(f"Not run unless named: {', '.join(named)}", file=sys.stderr)
    names = given.names or [name for name in SCRIPTS if name not in named]
    return max(run(name, given.record) for name in names)


def run(name: str, record: bool) -> int:
    """Run one program, say what came of it, and return 0 if it saw what was recorded.

    :param name: its name.
    :param record: whether it runs with python-ironicclient, and what it sees is written down.
    """
    text = SCRIPTS[name].read_text("utf-8")
    own_client = header(text, "own_client", "false")
    python = install(name, header(text, "packages"))
    if not own_client:
        install_client(python, record)
    seen = json.dumps(output(python, SCRIPTS[name], header(text, "fake_server")), indent=2) + "\n"
    recorded, before = HERE / f"{name}.json", "recorded" if own_client else f"with {PEER}"
    if record:
        recorded.write_text(seen, "utf-8")
    expected = recorded.read_text("utf-8")
    sys.stdout.writelines(
        difflib.unified_diff(expected.splitlines(True), seen.splitlines(True), before, "seen", n=2)
    )
    print(f"{name}: {'as' if seen == expected else 'NOT as'} {before}")
    return int(seen != expected)


def header(text: str, key: str, default: str | None = None) -> Any:
    """Return the value of a line of a script such as ``# packages: […]``."""
    found = re.search(rf"^# {key}: (.*)$", text, re.MULTILINE)
    if found is None and default is None:
        raise ValueError(f"The script has no line '# {key}: '.")
    return json.loads(found[1] if found else default)


def install(name: str, packages: list[str]) -> Path:
    """Install a program, and return its interpreter.

    :param name: the name of the environment.
    :param packages: what pip is asked for.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    directory = cache / "baremetalclient-programs" / name
    python, stamp = directory / "bin" / "python", directory / "packages.json"
    wanted = json.dumps(packages)
    if not stamp.exists() or stamp.read_text("utf-8") != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", directory], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "uv"], check=True)
        uv(python, "install", "-q", *packages)
        stamp.write_text(wanted, "utf-8")
    return python


def install_client(python: Path, peer: bool) -> None:
    """Install one of the two clients beside a program.

    :param python: its interpreter.
    :param peer: whether to install python-ironicclient instead of this client.
    """
    if peer:
        uv(python, "uninstall", "-q", *OURS)
        uv(python, "install", "-q", f"{PEER}==6.3.0")
    else:
        uv(python, "uninstall", "-q", PEER)
        uv(python, "install", "-q", "-e", OURS["baremetalclient"])
        uv(python, "install", "-q", "--no-deps", "-e", OURS["baremetalclient-as-ironicclient"])


def uv(python: Path, *arguments: str | Path) -> None:
    """Run ``uv pip`` in the environment of an interpreter."""
    environ = {**os.environ, "VIRTUAL_ENV": str(python.parents[1])}
    subprocess.run([python.with_name("uv"), "pip", *arguments], env=environ, check=True)


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
