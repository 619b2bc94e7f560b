"""``tools/dev release``: what it refuses, and that a release is made whole or not at all."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

TOOLS = Path(__file__).parents[3] / "tools"
NOTE = "---\nfeatures:\n  - |\n    It sings.\n"

if shutil.which("git") is None:
    pytest.skip("git is not installed", allow_module_level=True)


@pytest.fixture
def git(tmp_path, monkeypatch):
    """Run git in a small project that can be released."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ann")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ann@example.com")
    project = tmp_path / "project"
    (project / "releasenotes" / "notes").mkdir(parents=True)
    (project / "setup.cfg").write_text("[metadata]\nname = project\nversion = 0.1.0\n")
    (project / "releasenotes" / "notes" / "song-0123456789abcdef.yaml").write_text(NOTE)
    monkeypatch.chdir(project)

    def run(*words):
        done = subprocess.run(["git", *words], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    run("init", "-q", "-b", "main")
    run("add", ".")
    run("commit", "-q", "-m", "Start")
    Path(".git/ci-passed").write_text(run("rev-parse", "HEAD"))
    return run


@pytest.fixture
def release(git, monkeypatch):
    """The module, which builds nothing."""
    monkeypatch.syspath_prepend(TOOLS)
    module = import_module("release")

    def build(_source, folder):
        folder.mkdir()
        (folder / "project.whl").touch()
        return SimpleNamespace(wheel=folder / "project.whl")

    monkeypatch.setattr(module.package, "build", build)
    monkeypatch.setattr(module.package, "check", lambda *_: None)
    monkeypatch.setattr(module.package, "try_wheel", lambda *_: None)
    monkeypatch.setattr(module, "write_sbom", lambda *_: None)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    yield module
    for name in ("release", "package"):
        del sys.modules[name]


@pytest.fixture
def run(release, monkeypatch, capsys):
    """Run the command; return the exit code and what it said on stderr."""

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["release", *words])
        return release.main(), capsys.readouterr().err

    return call


def state(git):
    return (
        git("rev-parse", "HEAD"),
        git("tag"),
        git("status", "--porcelain"),
        git("worktree", "list"),
    )


@pytest.mark.parametrize("version", ["1", "1.0", "v1.0.0", "1.0.0-rc1", "1.0.0.dev1", "x"])
def test_what_is_no_version(git, run, version):
    before = state(git)
    code, said = run(version)
    assert code == 1
    assert said == (
        f"tools/dev release: {version!r} is no version; it has to look like 1.2.3 or 1.2.3rc1.\n"
    )
    assert state(git) == before


def test_changes_that_are_not_committed(git, run):
    Path("new").touch()
    code, said = run("1.0.0")
    assert code == 1
    assert "commit or undo them:\n?? new\n" in said
    assert git("tag") == ""


def test_no_branch(git, run):
    git("checkout", "-q", "--detach")
    code, said = run("1.0.0")
    assert (code, "No branch is checked out" in said) == (1, True)


@pytest.mark.parametrize("version", ["0.9.0", "1.1.0", "1.1.0rc1"])
def test_a_version_that_is_not_higher(git, run, version):
    for tag in ("0.9.0", "1.1.0", "not-a-version"):
        git("tag", tag)
    code, said = run(version)
    assert code == 1
    assert "was released already; choose a higher version" in said


@pytest.mark.parametrize("stamp", [None, "0123456789012345678901234567890123456789"])
def test_a_commit_that_was_not_tested(git, run, stamp):
    passed = Path(".git/ci-passed")
    passed.unlink()
    if stamp:
        passed.write_text(stamp)
    code, said = run("1.0.0")
    assert code == 1
    assert "'.ci/run all' hasn't passed on this commit. Run it, or give --untested" in said
    assert git("tag") == ""
    assert run("1.0.0", "--untested") == (0, "")


def test_a_release(git, run):
    start = git("rev-parse", "HEAD")
    assert run("1.0.0rc1") == (0, "")
    assert git("rev-parse", "1.0.0rc1^{commit}") == git("rev-parse", "main")
    assert git("rev-parse", "main^") == start
    assert git("log", "-1", "--format=%s") == "Release 1.0.0rc1"
    assert sorted(git("diff", "--name-only", start).split()) == ["CHANGELOG.rst", "setup.cfg"]
    assert "version = 1.0.0rc1\n" in Path("setup.cfg").read_text()
    changelog = Path("CHANGELOG.rst").read_text()
    assert "\n1.0.0rc1\n========\n" in changelog
    assert "- It sings.\n" in changelog
    assert Path("dist/project.whl").exists()


def test_a_dry_run_changes_nothing(git, run):
    before = state(git)
    assert run("1.0.0", "--dry-run") == (0, "")
    assert state(git) == before
    assert not Path("dist").exists()


def test_a_check_that_fails_changes_nothing(git, run, release, monkeypatch):
    def check(*_):
        raise release.package.PackageError("The sdist lacks a: add it to MANIFEST.in.")

    monkeypatch.setattr(release.package, "check", check)
    before = state(git)
    assert run("1.0.0") == (1, "tools/dev release: The sdist lacks a: add it to MANIFEST.in.\n")
    assert state(git) == before


def test_a_changelog_has_what_each_version_brought(git, run):
    run("1.0.0")
    note = Path("releasenotes/notes/dance-fedcba9876543210.yaml")
    note.write_text(NOTE.replace("sings", "dances"))
    git("add", "releasenotes")
    git("commit", "-q", "-m", "Dance")
    shutil.rmtree("dist")
    assert run("1.1.0", "--untested") == (0, "")
    changelog = Path("CHANGELOG.rst").read_text()
    newest, _, first = changelog.partition("\n1.0.0\n=====\n")
    assert "\n1.1.0\n=====\n" in newest
    assert "It dances." in newest
    assert "It sings." in first
    assert "It dances." not in first


def test_rules_of_a_wheel(release):
    names = [rule.replace("*", "x") for rule in release.package.IN_THE_WHEEL]
    assert release.package.wheel_faults(names) == []
    assert release.package.wheel_faults(names[1:]) == ["The wheel lacks baremetalclient/py.typed."]
    assert release.package.wheel_faults([*names, "fake_server/tests/x.py"]) == [
        "The wheel must not have fake_server/tests/x.py: see options.packages.find in setup.cfg."
    ]
