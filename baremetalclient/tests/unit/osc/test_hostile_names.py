"""Whatever a resource is called, no command and no format lets it control a terminal."""

from __future__ import annotations

import json

import pytest

from baremetalclient.tests.unit.hostile import unprintable
from baremetalclient.tests.unit.osc.everything import (
    Everything,
    parser_of,
    run_here,
    words_of,
)
from baremetalclient.tests.unit.osc.test_hostile_server import NAMES
from baremetalclient.tests.unit.scripted import Reply
from tools.rows import some

HOSTILE = "\x1b[2J\x9b31m\r\u202ex\u2066"
#: Texts that no command decides by.
TEXTS = ("name", "description", "hostname", "last_error", "reason", "volume_id", "conductor")
OF_LABS = {"export": ["--all"], "lab graph": ["--all"]}


class HostileNames(Everything):
    """Answers with all that commands look for, in which all names are hostile."""

    def reply_to(self, request):
        reply = super().reply_to(request)
        return Reply(hostile(reply.body), reply.status, reply.headers)


def hostile(value):
    if isinstance(value, list):
        return [hostile(item) for item in value]
    if not isinstance(value, dict):
        return value
    changed = {name: hostile(item) for name, item in value.items()}
    named = dict.fromkeys((*TEXTS, "fault", "extra"), HOSTILE) if "uuid" in value else {}
    return {**changed, **named, "extra": {HOSTILE: HOSTILE}} if named else changed


def formats_of(name):
    """Return the choices that a command has for its output."""
    for action in parser_of(name)._actions:
        if action.option_strings and action.option_strings[-1] in ("--format", "--report"):
            return [[action.option_strings[-1], one] for one in action.choices or ()]
    return []


@pytest.mark.slow("each command in each of its formats")
def test_commands_show_hostile_names_as_text(capsys):
    problems, shown = [], 0
    with HostileNames() as server:
        for name in some(NAMES):
            words = [*words_of(name), *OF_LABS.get(name, ())]
            for chosen in ([], *formats_of(name)):
                line = ["--os-endpoint", server.url, "--max-retries", "0", *words, *chosen]
                _, out, err = run_here(line, capsys)
                shown += r"\x1b" in out or r"\u001b" in out or r"\e" in out
                if found := unprintable(out + err):
                    problems.append(f"{name} {chosen}: {found}")
    assert problems == [], "\n".join(problems)
    assert shown > 30


FOR = ("--for", "uuid=1", "--timeout", "1")
WAITS = (
    *(["node", "wait", "x", *FOR, *more] for more in ([], ["-f", "json"], ["--report", "r.html"])),
    *(["node", "wait", "x", "--for", "uuid~=.*", *more] for more in ([], ["-f", "json"])),
    *(["node", "watch", "--timeout", "1", *more] for more in ([], ["-f", "json"])),
    *(
        ["node", "manage", *nodes, "--wait", "1", *more]
        for nodes in (["x"], ["--all", "--yes"])
        for more in ([], ["-f", "json"], ["--report", "r.html"], ["--dry-run"])
    ),
    *([*kind.split(), "wait", "x", *FOR] for kind in ("allocation", "port", "port group")),
    *(["volume", kind, "wait", "x", *FOR] for kind in ("connector", "target")),
    ["server", "wait", "x", "--for", "status=x", "--timeout", "1"],
    ["volume", "attachment", "wait", "x", "--for", "status=x", "--timeout", "1"],
    ["allocation", "create", "--resource-class", "r", "--wait", "1"],
    ["volume", "attach", "x", "x", "--wait", "1"],
    ["node", "explain", "x", "-f", "json"],
)
"""Commands that wait, and what they write besides."""
LABS = {
    "hostile names": {"nodes": [{"name": HOSTILE, "driver": HOSTILE, HOSTILE: HOSTILE}]},
    "hostile values": {
        "nodes": [
            {"name": "x", "driver": "d", "description": HOSTILE, "extra": {HOSTILE: HOSTILE}},
            {"name": "new", "driver": "d", "resource_class": HOSTILE, "properties": {"a": HOSTILE}},
        ],
        "chassis": [{"description": HOSTILE}],
        "runbooks": [{"name": HOSTILE, "steps": [{"interface": HOSTILE, "step": HOSTILE}]}],
    },
    "hostile kinds": {HOSTILE: [{HOSTILE: HOSTILE}]},
    "text": HOSTILE,
}
OF_FILES = (["diff"], ["diff", "-f", "json"], ["apply", "--dry-run"], ["apply", "--yes"])
OF_FILES += (["apply", "--yes", "-f", "json", "--report", "r.html"], ["create"], ["lab", "graph"])


def line_to(server, words):
    return ["--os-endpoint", server.url, "--max-retries", "0", *words]


@pytest.mark.parametrize("words", WAITS, ids=" ".join)
def test_waits_show_hostile_names_as_text(capsys, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    with HostileNames() as server:
        for name in ("COMPUTE", "VOLUME"):
            monkeypatch.setenv(f"OS_{name}_ENDPOINT", server.url)
        code, out, err = run_here(line_to(server, words), capsys)
    assert code in (0, 1, 124), err
    page = tmp_path / "r.html"
    written = page.read_text("utf-8") if page.exists() else ""
    assert unprintable(out + err + written) == set()
    assert "<script>x" not in written


@pytest.mark.parametrize("words", OF_FILES, ids=" ".join)
@pytest.mark.parametrize("lab", LABS)
def test_commands_about_labs_show_hostile_files_as_text(capsys, tmp_path, monkeypatch, words, lab):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / f"{HOSTILE[:4]}lab.json"
    path.write_text(json.dumps(LABS[lab]))
    with HostileNames() as server:
        code, out, err = run_here(line_to(server, [*words, str(path)]), capsys)
    assert code in (0, 1, 2)
    assert "Traceback" not in err
    page = tmp_path / "r.html"
    written = page.read_text("utf-8") if page.exists() else ""
    assert unprintable(out + err + written) == set()
