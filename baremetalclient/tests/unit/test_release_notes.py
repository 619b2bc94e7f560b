"""Release notes are found whichever commit adds them."""

from __future__ import annotations

import subprocess

from reno import config, loader

from tools import merged_notes

NOTE = "---\nfixes:\n  - |\n    A fix.\n"


def test_a_note_may_come_with_a_merge(tmp_path, monkeypatch):
    def git(*words):
        identity = ("-c", "user.name=n", "-c", "user.email=e@example.org")
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)

    notes = tmp_path / "releasenotes" / "notes"
    notes.mkdir(parents=True)
    git("init", "-b", "main")
    (notes / "first-fedcba9876543210.yaml").write_text(NOTE)
    git("add", ".")
    git("commit", "-m", "first")
    git("checkout", "-b", "side")
    (tmp_path / "one").write_text("1")
    git("add", "one")
    git("commit", "-m", "on the side")
    git("checkout", "main")
    git("commit", "--allow-empty", "-m", "on main")
    git("merge", "--no-commit", "--no-ff", "side")
    (notes / "merged-0123456789abcdef.yaml").write_text(NOTE)
    git("add", ".")
    git("commit", "-m", "merge")

    monkeypatch.setattr(merged_notes.scanner, "_ChangeAggregator", None)
    merged_notes.accept()
    with loader.Loader(config.Config(str(tmp_path), "releasenotes")) as found:
        (version,) = found.versions
        assert len(found[version]) == 2
