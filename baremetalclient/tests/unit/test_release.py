"""``tools/dev release``: what it refuses, and that a release is made whole or not at all."""

from __future__ import annotations

import json
import os
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


SETUPS = ["compat/setup.cfg", "setup.cfg"]


@pytest.fixture
def git(tmp_path, monkeypatch):
    """Run git in a small project that can be released."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ann")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ann@example.com")
    project = tmp_path / "project"
    (project / "releasenotes" / "notes").mkdir(parents=True)
    (project / "compat").mkdir()
    for setup in SETUPS:
        (project / setup).write_text(
            "[metadata]\nname = project\nversion = 0.1.0\n"
            "[options]\ninstall_requires =\n    baremetalclient==0.1.0\n    requests>=2.31\n"
        )
    (project / "README.rst").write_text("Project\n=======\n\nVersion 0.1.0, beta.\n")
    (project / "pyproject.toml").write_text('[build-system]\nrequires = ["setuptools"]\n')
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
    monkeypatch.setattr(module.package, "try_wheels", lambda *_: None)
    monkeypatch.setattr(module, "write_sbom", lambda *_: None)
    monkeypatch.setattr(module.package, "run", resolve)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    yield module
    for name in ("release", "package"):
        del sys.modules[name]


def resolve(*command):
    """Write what pip says that it would install."""
    wanted = {"project": "1", "setuptools": "80", "Yarl": "2"}
    found = [
        {
            "metadata": {"name": name, "version": version},
            "is_yanked": name == "setuptools" and "withdrawn" in os.environ,
            "is_direct": name == "project",
            "download_info": {"archive_info": {"hashes": {"sha256": f"{name}-hash"}}},
        }
        for name, version in wanted.items()
    ]
    Path(command[command.index("--report") + 1]).write_text(json.dumps({"install": found}))


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


@pytest.mark.parametrize(
    ("command", "words", "message"),
    [
        ("tag 1.1.0", "v1.0.0", "'v1.0.0' is no version; it has to look like 1.2.3 or 1.2.3rc1.\n"),
        ("tag 1.1.0", "1.1.0rc1", "was released already; choose a higher version"),
        ("rm -q --cached setup.cfg", "1.0.0", "commit or undo them:\nD  setup.cfg\n"),
        ("checkout -q --detach", "1.0.0", "No branch is checked out"),
        ("commit -q --allow-empty -m More", "1.0.0", "hasn't passed on this commit. Run it, or"),
    ],
)
def test_what_is_refused_changes_nothing(git, run, command, words, message):
    git(*command.split())
    before = state(git)
    code, said = run(*words.split())
    assert (code, message in said) == (1, True), said
    assert state(git) == before


def test_a_release(git, run):
    start = git("rev-parse", "HEAD")
    assert run("1.0.0rc1") == (0, "")
    assert git("rev-parse", "1.0.0rc1^{commit}") == git("rev-parse", "main")
    assert git("rev-parse", "main^") == start
    assert git("log", "-1", "--format=%s") == "Release 1.0.0rc1"
    assert sorted(git("diff", "--name-only", start).split()) == [
        "CHANGELOG.rst",
        "README.rst",
        *SETUPS,
    ]
    assert "\nVersion 1.0.0rc1, beta.\n" in Path("README.rst").read_text()
    for setup in SETUPS:
        text = Path(setup).read_text()
        assert "version = 1.0.0rc1\n" in text
        assert "    baremetalclient==1.0.0rc1\n    requests>=2.31\n" in text
    changelog = Path("CHANGELOG.rst").read_text()
    assert "\n1.0.0rc1\n========\n" in changelog
    assert "- It sings.\n" in changelog
    assert Path("dist/project.whl").exists()
    assert Path("dist/requirements-1.0.0rc1.txt").read_text() == (
        "setuptools==80 --hash=sha256:setuptools-hash\nYarl==2 --hash=sha256:Yarl-hash\n"
    )


def test_what_was_withdrawn_from_the_registry_is_refused(git, run, monkeypatch):
    monkeypatch.setenv("withdrawn", "1")
    before = state(git)
    code, said = run("1.0.0")
    assert (code, "setuptools 80 was withdrawn from the registry" in said) == (1, True)
    assert state(git) == before


def test_a_dry_run_changes_nothing(git, run):
    before = state(git)
    Path(".git/ci-passed").unlink()
    assert run("1.0.0", "--dry-run", "--untested") == (0, "")
    assert state(git) == before
    assert not Path("dist").exists()
