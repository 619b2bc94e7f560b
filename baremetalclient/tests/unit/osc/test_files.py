"""Files that commands write are complete, and are no one else's."""

from __future__ import annotations

import os
import stat

import pytest

from baremetalclient import exc
from baremetalclient.osc import files


@pytest.fixture
def report(tmp_path):
    file = tmp_path / "report.json"
    file.write_text("old")
    file.chmod(0o600)
    return file


def mode(file):
    return stat.S_IMODE(file.stat().st_mode)


def test_a_file_keeps_its_permissions_and_a_new_one_has_the_users(report, tmp_path):
    new = tmp_path / "new"
    before = os.umask(0o027)
    try:
        files.write_whole(report, "x")
        files.write_whole(new, "y")
    finally:
        os.umask(before)
    assert (report.read_text(), mode(report)) == ("x", 0o600)
    assert (new.read_text(), mode(new)) == ("y", 0o640)


def test_what_a_link_leads_to_is_replaced(report, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(report)
    files.write_whole(link, "x")
    assert link.is_symlink()
    assert report.read_text() == "x"


def test_the_temporary_name_cannot_be_guessed(report, monkeypatch):
    opened = []
    open_file = os.open

    def note(name, flags, *arguments):
        opened.append((os.fspath(name), flags))
        return open_file(name, flags, *arguments)

    monkeypatch.setattr(os, "open", note)
    for _ in range(2):
        files.write_whole(report, "x")
    names, flags = zip(*opened, strict=True)
    assert len(set(names)) == 2
    assert all(flag & os.O_EXCL for flag in flags)


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_failure_leaves_the_old_file_and_nothing_else(report, monkeypatch, failing):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, failing, fail)
    with pytest.raises(exc.CommandError, match=r"report.json' cannot be written: No space left"):
        files.write_whole(report, "x")
    assert [file.name for file in report.parent.iterdir()] == ["report.json"]
    assert report.read_text() == "old"


def test_a_device_is_written_to():
    files.write_whole("/dev/null", "x")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_what_cannot_be_written_is_told_before(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("missing/file", "."):
        with pytest.raises(exc.UsageError, match="cannot be written"):
            files.check_writable(name)
    for name in ("missing/file", ".", "x" * 300):
        with pytest.raises(exc.CommandError, match="cannot be written"):
            files.write_whole(name, "x")
