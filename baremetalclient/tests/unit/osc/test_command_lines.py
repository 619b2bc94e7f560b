"""What commands say and send when their arguments are wrong, odd, or just right."""

import io
import re
import shlex
from pathlib import Path

import pytest

from baremetalclient.tests.unit.osc.command_lines import FILES, LINES
from baremetalclient.tests.unit.osc.everything import (
    EVERYTHING,
    ITEM,
    Everything,
    lines,
    run_here,
)
from baremetalclient.tests.unit.scripted import Reply, fault

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
VOLATILE = re.compile(
    r"(?<=\()\d+(?= s\))|(?<=choose from )[^()\n]*|(?<=neither JSON nor YAML: ).*"
)
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
    for variable in ("OS_ENDPOINT", "OS_VOLUME_ENDPOINT", "OS_COMPUTE_ENDPOINT"):
        monkeypatch.setenv(variable, server.url)
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    Path("binary").write_bytes(b"\xff")
    for name, text in FILES.items():
        Path(name).write_text(text)
    return monkeypatch


def run(line, server, workplace, capsys):
    """Return the exit code, the last two lines for users, and the changes that are sent."""
    words, _, typed = line.partition(" <")
    workplace.setattr("sys.argv", ["baremetal", *shlex.split(words)])
    workplace.setattr("sys.stdin", io.StringIO(typed.strip()))
    server.all_requests.clear()
    code, out, err = run_here(["--max-retries", "0", *shlex.split(words)], capsys)
    told = lines(VOLATILE.sub("...", USAGE.sub("", err.replace(server.url, "URL"))))
    told = [line for line in told if not line.startswith(UNTOLD)][-2:] if code else []
    asked = sorted(
        {
            f"{each.method} {each.body.decode()[:60]}"
            for each in server.all_requests
            if each.method != "GET"
        }
    )
    told = [re.sub(r"^baremetal [a-z ]*: error: |\(see --help\)", "", line) for line in told]
    return [f"{code}{'' if out else '-'}", *(line[:70].strip() for line in told), *asked]


@pytest.mark.parametrize("area", LINES)
def test_lines_are_as_recorded(server, recorded, workplace, capsys, area):
    given = filter(None, map(str.strip, LINES[area].splitlines()))
    recorded({line: run(line, server, workplace, capsys) for line in given})


def test_the_volume_to_boot_from_comes_before_other_devices(server, workplace, capsys):
    server.all_requests.clear()
    words = "server create x --flavor f --volume v --block-device source_type=blank,volume_size=1"
    assert run_here(words.split(), capsys)[0] == 0
    (sent,) = [request.json["server"] for request in server.requests if request.method == "POST"]
    devices = sent["block_device_mapping_v2"]
    assert [device["source_type"] for device in devices] == ["volume", "blank"]
