"""Results of sweeps, and folders, in which there is what nobody expects."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pytest

from fake_server.cli import main
from fake_server.tests.sweep.asking import ASK, PYTHON
from fake_server.tests.test_recorded_bodies import places, replaced, without

PROGRAM = f"""{ASK}
ask("GET", "/v1/nodes")
sys.exit(os.path.exists("left.txt"))
"""
COMMAND = ("--", *PYTHON, "program.py")
SMALL = ("--sweep-kinds", "unavailable,error", "--sweep-jobs", "1")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    Path("program.py").write_text(PROGRAM)
    return tmp_path / "work"


def swept(*options):
    return main(["exec", "--sweep", *SMALL, *options, *COMMAND])


def test_results_of_another_form_are_refused(folder, capsys):
    assert swept("--sweep-allow", "said-so,stuck") == 0
    results = json.loads(Path("sweep/sweep.json").read_text())
    timelines = Path("sweep/timelines.json").read_text()
    broken = [json.dumps([]), "[" * 100_000, '{"version": 1, "command": ' + "[" * 100_000, "\xff"]
    for place in places(results):
        # What differs may have any value, and the counts follow from the cases.
        if place and not {"expected", "found", "counts"}.intersection(map(str, place)):
            broken.append(json.dumps(replaced(results, place, {"odd": 1})))
            if all(isinstance(key, str) for key in place):
                broken.append(json.dumps(without(results, place)))
    assert len(broken) > 30
    for text in broken:
        Path("other.json").write_text(text)
        Path("sweep/sweep.json").write_text(text)
        Path("sweep/timelines.json").write_text(timelines)
        for options in (("--sweep-baseline", "other.json"), ("--resume",)):
            capsys.readouterr()
            assert swept(*options) == 2, text[:200]
            told = capsys.readouterr().err
            assert "of a sweep: " in told or "another command" in told or "has version" in told
    Path("sweep/sweep.json").write_text(json.dumps(results))
    Path("sweep/timelines.json").write_text("[" * 100_000)
    assert swept("--resume") == 2


SECRETIVE = (
    ASK
    + """
try:
    info = {"ipmi_password": "s3c-node", "url": "https://user:s3c-url@host"}
    node = {"driver": "fake-hardware", "name": "n", "driver_info": info}
    ask("POST", "/v1/nodes", node)
    extra = {"a": "s3c-node", "b": "https://user:s3c-url@host", "c": {"api_token": "s3c-token"}}
    ask("PATCH", "/v1/nodes/n", [{"op": "replace", "path": "/extra", "value": extra}])
except OSError:
    print("It can't: \x1b[2J password=s3c-node, s3c-node at https://user:s3c-url@host")
    sys.exit(int(len(sys.argv) > 1))
"""
)


def test_no_secret_is_in_a_report(folder, capsys):
    Path("program.py").write_text(SECRETIVE)
    assert swept() == 1
    printed = "".join(capsys.readouterr())
    texts = [file.read_text() for file in Path("sweep").iterdir()]
    assert "******" in printed
    assert "\x1b" not in printed
    assert any("extra" in text and "lied" in text for text in texts)
    assert [
        text[text.find("s3c-") - 60 :][:90] for text in [printed, *texts] if "s3c-" in text
    ] == []


def test_no_planted_file_is_written_to(folder):
    outside = folder.parent / "outside"
    outside.write_text("precious")
    Path("sweep").mkdir()
    for name in ("sweep.json", "timelines.json", "sweep.xml", "index.html"):
        Path("sweep", f".{name}.new").symlink_to(outside)
        Path("sweep", name).symlink_to(outside)
    assert swept("--sweep-allow", "said-so,stuck") == 0
    assert outside.read_text() == "precious"
    assert json.loads(Path("sweep/sweep.json").read_text())["version"] == 1


def test_a_folder_with_more_than_files_is_copied(folder):
    os.mkfifo("pipe")
    Path("loop").symlink_to("loop")
    Path("up").symlink_to("..")
    Path("gone").symlink_to("/nowhere/at-all")
    Path("other").mkdir()
    Path("reports").symlink_to("other")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        report = ("--sweep-report", "reports/mine", "--sweep-allow", "said-so,stuck")
        assert swept(*report) == 0
    assert sorted(os.listdir("reports/mine")) == [
        *("index.html", "sweep.json", "sweep.xml", "timelines.json"),
    ]
