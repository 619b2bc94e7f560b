"""The peers, installed into an environment of their own: their plug-ins would shadow ours."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

REQUIREMENTS = ("python-ironicclient==6.3.0", "python-openstackclient", "openstacksdk")


def environment(directory: Path) -> Path:
    """Make the environment of the peers, once.

    :param directory: where it is, or shall be
    :returns: the directory of its commands
    :raises subprocess.CalledProcessError: if it can't be installed
    """
    commands = directory / "bin"
    stamp = directory / "requirements"
    wanted = "\n".join(REQUIREMENTS)
    if not stamp.exists() or stamp.read_text() != wanted:
        print(f"Installing the peers into {directory} ...", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", directory], check=True)
        subprocess.run([commands / "pip", "install", "--quiet", *REQUIREMENTS], check=True)
        stamp.write_text(wanted)
    return commands
