"""Completion in real shells, each in a pseudo-terminal, on the fake server."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import selectors
import shutil
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from baremetalclient import client as clients
from fake_server.server import FakeServer

PATIENCE = 30
SHELLS = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        "PS1='ready> '; eval \"$(baremetal complete --shell bash)\"",
    ),
    "zsh": (
        ["zsh", "-f", "-i"],
        "PS1='ready> '; unsetopt zle_bracketed_paste; bindkey -e; "
        "source <(baremetal complete --shell zsh)",
    ),
    "fish": (
        ["fish", "--no-config", "--interactive"],
        "function fish_prompt; echo 'ready> '; end; baremetal complete --shell fish | source",
    ),
}


class Terminal:
    """A shell in a pseudo-terminal."""

    def __init__(self, name, environment):
        command, preparation = SHELLS[name]
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 250, 0, 0))
        self._process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)
        self._terminal = ours
        self.run(preparation)

    def run(self, line):
        """Run a command line, and return its output."""
        self._write(f"{line}; printf 'en''d\\n'\r")
        return self._read_until(r"end\r?\n")

    def complete(self, typed):
        """Type the beginning of a line and Tab, and return the words that are there then."""
        # Ctrl-A leads to the beginning of the line, so that it is printed instead of run.
        self._write(f"{typed}\t\x01printf 'got''<%s>\\n' \x05 'en''d'\r")
        output = self._read_until(r"got<end>\r?\n")
        return re.findall(r"got<([^>\r\n]*)>\r?\n", output)[:-1]

    def close(self):
        self._process.kill()
        self._process.wait()
        os.close(self._terminal)

    def _write(self, text):
        os.write(self._terminal, text.encode())

    def _read_until(self, pattern):
        output = ""
        with selectors.DefaultSelector() as selector:
            selector.register(self._terminal, selectors.EVENT_READ)
            while not re.search(pattern, output):
                if not selector.select(PATIENCE):
                    pytest.fail(f"The shell wrote only {output!r}.")
                output += os.read(self._terminal, 65536).decode("utf-8", "replace")
        return output


@pytest.fixture(scope="module")
def server():
    with FakeServer() as server:
        ironic = clients.get_client(1, endpoint=server.url)
        for name in ("rack-1", "shelf-7"):
            ironic.node.create(driver="fake-hardware", name=name)
        yield server


@pytest.fixture(params=SHELLS)
def terminal(request, server, tmp_path):
    if shutil.which(request.param) is None:
        if os.environ.get("BAREMETALCLIENT_SHELLS") == "required":
            pytest.fail(f"{request.param} is not installed.")
        pytest.skip(f"{request.param} is not installed")
    environment = {
        **{"HOME": str(tmp_path), "LANG": "C.UTF-8"},
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "TERM": "xterm",
        "OS_AUTH_TYPE": "none",
        "OS_ENDPOINT": server.url,
    }
    terminal = Terminal(request.param, environment)
    yield terminal
    terminal.close()


@pytest.mark.slow("shells, and a process for each word")
def test_words_are_completed(terminal):
    for typed, wanted in (
        ("baremetal nod", "baremetal node"),
        ("baremetal node sho", "baremetal node show"),
        ("baremetal --debug node sho", "baremetal --debug node show"),
        ("baremetal --os-cloud x volume conn", "baremetal --os-cloud x volume connector"),
        ("baremetal node list --provision-st", "baremetal node list --provision-state"),
        ("baremetal node list --provision-state manag", "… manageable"),
        ("baremetal node create --driver redf", "… redfish"),
        ("baremetal node create --driver=redf", "… --driver=redfish"),
        ("baremetal node create --bios-interface idr", "… idrac-redfish"),
        ("baremetal node add trait rack-1 HW_CPU_X86_AESN", "… HW_CPU_X86_AESNI"),
        ("baremetal node show rac", "baremetal node show rack-1"),
        ("baremetal node show rack-1 --fie", "… --fields"),
        ("baremetal port list --node she", "… shelf-7"),
        ("baremetal help node vali", "baremetal help node validate"),
    ):
        found = terminal.complete(typed)
        if wanted.startswith("… "):
            assert found == [*typed.split()[:-1], wanted[2:]], typed
        else:
            assert found == wanted.split(), typed


@pytest.mark.slow("a shell, and a process for each word")
def test_values_with_a_blank_stay_one_word(terminal):
    for typed in ("inspect\\ w", "'inspect w", '"inspect w'):
        line = f"baremetal node list --provision-state {typed}"
        assert terminal.complete(line)[-1] == "inspect wait", typed


@pytest.mark.slow("a shell, and a process for each word")
def test_names_of_files_are_completed_where_files_are_expected(terminal):
    terminal.run("cd; printf x >servers.yaml")
    assert terminal.complete("baremetal create serv") == ["baremetal", "create", "servers.yaml"]
