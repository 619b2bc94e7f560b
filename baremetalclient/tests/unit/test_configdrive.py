from __future__ import annotations

import base64
import gzip
import json
import subprocess

import pytest

from baremetalclient import configdrive, exc

IMAGE = b"\x00\x01CD001 not really an image"
PACKED = gzip.compress(IMAGE)
TEXT = base64.b64encode(PACKED).decode()


def unpacked(text):
    return gzip.decompress(base64.b64decode(text))


def test_dictionaries_text_and_urls_are_taken_as_they_are():
    for given in ({"meta_data": {"a": 1}}, TEXT, f"{TEXT[:20]}\n{TEXT[20:]}", "https://host/drive"):
        assert configdrive.prepared(given) == given
    assert configdrive.prepared(TEXT.encode()) == TEXT


@pytest.mark.parametrize("content", [IMAGE, PACKED, TEXT.encode()], ids=["raw", "gzip", "base64"])
def test_the_image_in_a_file(tmp_path, content):
    path = tmp_path / "drive"
    path.write_bytes(content)
    assert unpacked(configdrive.prepared(path)) == IMAGE
    assert unpacked(configdrive.prepared(str(path))) == IMAGE


def test_a_json_file_is_built_by_the_server(tmp_path):
    path = tmp_path / "drive.json"
    path.write_text(json.dumps({"user_data": "x"}))
    assert configdrive.prepared(path) == {"user_data": "x"}


@pytest.mark.parametrize("content", ["", "{", "hello", "[1]"])
def test_files_with_anything_else_are_refused(tmp_path, content):
    path = tmp_path / "drive"
    path.write_text(content)
    with pytest.raises(exc.ValidationError, match="config drive"):
        configdrive.prepared(path)


@pytest.mark.parametrize("given", ["no-such-file", "x" * 5000, ""])
def test_an_invalid_drive_is_refused_with_a_short_message(given):
    with pytest.raises(ValueError, match="has to be a file, a directory") as caught:
        configdrive.prepared(given)
    assert len(str(caught.value)) < 300


@pytest.fixture
def tool(tmp_path, monkeypatch):
    """Stand in for the programs that make images; return what makes the last of them do."""
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    monkeypatch.setenv("PATH", f"{bin_}:/usr/bin:/bin")

    def make(script):
        path = bin_ / "genisoimage"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    return make


def test_an_image_is_made_of_a_directory(tmp_path, tool):
    tool('for last; do :; done; cat "$last/user_data" > "$2"')
    content = tmp_path / "content"
    content.mkdir()
    (content / "user_data").write_bytes(IMAGE)
    assert unpacked(configdrive.prepared(content)) == IMAGE


def test_the_failure_of_the_tool_is_reported(tmp_path, tool):
    tool("echo no space left >&2; exit 5")
    with pytest.raises(
        exc.CommandError, match="genisoimage failed to build the config drive: no space left"
    ):
        configdrive.prepared(tmp_path)


def test_without_a_tool_its_names_are_reported(tmp_path, monkeypatch):
    def missing(*arguments, **options):
        raise FileNotFoundError

    monkeypatch.setattr(subprocess, "run", missing)
    with pytest.raises(exc.CommandError, match="genisoimage, mkisofs, xorrisofs"):
        configdrive.prepared(tmp_path)
