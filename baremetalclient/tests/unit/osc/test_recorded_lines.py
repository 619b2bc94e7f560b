"""What commands send and print when their arguments are wrong, odd, or just right."""

import io
import json
import logging
import os
import re
import shlex
from pathlib import Path

import pytest

from baremetalclient import shell
from baremetalclient.tests.unit.osc.command_lines import FILES, LINES
from baremetalclient.tests.unit.osc.test_recorded_requests import (
    EVERYTHING,
    ITEM,
    Everything,
    lines,
    sent,
)
from baremetalclient.tests.unit.recorded import check
from baremetalclient.tests.unit.scripted import Reply, fault

RECORD = Path(__file__).with_name("lines.json")
FAILING = {
    **EVERYTHING,
    "name": "failing",
    "provision_state": "deploy failed",
    "status": "ERROR",
    "state": "error",
    "last_error": "It is broken.",
    "volume": {**ITEM, "id": "failing", "name": "failing", "status": "error"},
    "server": {**ITEM, "name": "failing", "status": "ERROR", "fault": {"message": "No host."}},
}
AT_REST = {
    **EVERYTHING,
    **dict.fromkeys(("target_provision_state", "target_power_state", "last_error")),
}
REPLIES = {
    "missing": fault("Not found.", 404),
    "refused": fault("Wrong value."),
    "failing": Reply(FAILING),
}
VOLATILE = re.compile(r"(?<=\()\d+(?= s\))|(?<=choose from )[^()\n]*")
USAGE = re.compile(r"^usage: .*\n(?: .*\n)*", re.MULTILINE)
# How lines begin that depend on versions of libraries, or on the time.
UNTOLD = ("[", "REQ", "RESP", "{", "}")


class Odd(Everything):
    """Answers by the words in a request, and otherwise all that any command looks for."""

    def reply_to(self, request):
        text = f"{request.target} {request.body.decode()}"
        found = (reply for word, reply in REPLIES.items() if word in text)
        whole = super().reply_to(request)
        return next(found, Reply(AT_REST) if whole.body is EVERYTHING else whole)


@pytest.fixture(scope="module")
def server():
    with Odd() as made:
        yield made


@pytest.fixture
def workplace(monkeypatch, tmp_path, server):
    for variable in list(os.environ):
        if variable.startswith("OS_"):
            monkeypatch.delenv(variable)
    for variable in ("OS_ENDPOINT", "OS_VOLUME_ENDPOINT", "OS_COMPUTE_ENDPOINT"):
        monkeypatch.setenv(variable, server.url)
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    Path("binary").write_bytes(b"\xff")
    for name, text in FILES.items():
        Path(name).write_text(text)
    return monkeypatch


def run(line, server, workplace, capsys):
    """Return the exit code, what is printed, and what is sent."""
    words, _, typed = line.partition(" <")
    workplace.setattr("sys.argv", ["baremetal", *shlex.split(words)])
    workplace.setattr("sys.stdin", io.StringIO(typed.strip()))
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    server.all_requests.clear()
    capsys.readouterr()
    try:
        code = shell.main(["--max-retries", "0", *shlex.split(words)])
    except SystemExit as stop:
        code = stop.code
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    printed = capsys.readouterr()
    told = lines(VOLATILE.sub("...", USAGE.sub("", printed.err)))
    told = [line for line in told if not line.startswith(UNTOLD)]
    asked = sorted({sent(each) for each in server.all_requests})
    found = [code or 0, lines(printed.out), told, asked]
    return json.loads(json.dumps(found).replace(server.url, "URL"))


@pytest.mark.parametrize("area", LINES)
def test_lines_are_as_recorded(server, request, workplace, capsys, area):
    given = filter(None, map(str.strip, LINES[area].splitlines()))
    found = {line: run(line, server, workplace, capsys) for line in given}
    check(request, RECORD, area, found)
