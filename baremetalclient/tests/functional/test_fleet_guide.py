"""The guide "Run a fleet", run as it stands there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import textwrap
from pathlib import Path

from baremetalclient.tests.functional.cli import SCRIPTS

GUIDE = Path(__file__).parents[3] / "doc" / "source" / "guides" / "fleet.rst"
BLOCK = re.compile(
    r"^\.\. code-block:: (\w+)\n(?:   :caption: (.+)\n)?\n((?:(?:   .*)?\n)+)", re.MULTILINE
)
END = "@end of"


def examples():
    """Return the files of the guide, and its commands with the lines that they print."""
    files, commands = {}, []
    for kind, name, body in BLOCK.findall(GUIDE.read_text()):
        text = textwrap.dedent(body).strip("\n")
        if kind == "yaml":
            files[name] = text + "\n"
            continue
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            lines = part.replace("\\\n", " ").splitlines()
            commands.append((lines[0], lines[1:]))
    return files, commands


def appears(line, output):
    pattern = ".*".join(map(re.escape, line.split("...")))
    return re.search(rf"^{pattern}$", output, re.MULTILINE)


def test_the_day(tmp_path):
    files, ((start, _), *commands) = examples()
    assert len(files) == 2
    assert len(commands) > 20
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    script = ["exec 2>&1"]
    for number, (command, _) in enumerate(commands):
        script += [command, f'status=$?; printf "\\n{END} {number} %s\\n" $status; (exit $status)']
    (tmp_path / "day.sh").write_text("\n".join(script))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OS_")}
    done = subprocess.run(
        [*shlex.split(start), "day.sh"],
        cwd=tmp_path,
        env={**kept, "PATH": f"{SCRIPTS}{os.pathsep}{kept['PATH']}"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    printed = re.split(rf"^{END} \d+ (\d+)\n", done.stdout, flags=re.MULTILINE)
    outputs, codes = printed[:-1:2], printed[1::2]
    assert len(codes) == len(commands), done.stdout + done.stderr
    for number, (command, expected) in enumerate(commands):
        output, code = outputs[number], codes[number]
        following = [one for one, _ in commands[number + 1 : number + 2]]
        assert code == "0" or following == ["echo $?"], (command, code, output)
        missing = [line for line in expected if not appears(line, output)]
        assert not missing, (command, missing, output)
        assert expected or not output.strip() or "wait" in command, (command, output)
