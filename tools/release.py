"""Make a release: version, changelog, sdist, wheel, SBOM, checks, and at last commit and tag.

``tools/dev release VERSION`` runs it. Everything is prepared in a worktree of its own, so what
fails, and ``--dry-run``, changes nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import package
from packaging.version import Version

VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")
EXTRAS = "cli,server"
SETUPS = ("compat/setup.cfg", "setup.cfg")
README = "README.rst"


class Refusal(Exception):
    """The release can't be made; the text says why and what to do."""


def git(*words: str, cwd: Path) -> str:
    """Run git and return what it prints; raise Refusal if it fails."""
    done = subprocess.run(["git", *words], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refusal(f"git {words[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()


def check_request(root: Path, version: str, *, untested: bool) -> None:
    """Refuse what can be told before anything is built.

    :param root: the clone.
    :param version: the version to release.
    :param untested: whether '.ci/run all' needn't have passed.
    """
    if not VERSION.fullmatch(version):
        raise Refusal(f"{version!r} is no version; it has to look like 1.2.3 or 1.2.3rc1.")
    changed = git("status", "--porcelain", cwd=root)
    if changed:
        raise Refusal(f"There are changes that aren't committed; commit or undo them:\n{changed}")
    if not git("branch", "--show-current", cwd=root):
        raise Refusal("No branch is checked out; check out the one to release from.")
    for tag in git("tag", cwd=root).split():
        if VERSION.fullmatch(tag) and Version(tag) >= Version(version):
            raise Refusal(f"{tag} was released already; choose a higher version.")
    stamp = root / git("rev-parse", "--git-path", "ci-passed", cwd=root)
    head = git("rev-parse", "HEAD", cwd=root)
    if not untested and (not stamp.is_file() or stamp.read_text("utf-8").strip() != head):
        raise Refusal(
            "'.ci/run all' hasn't passed on this commit. Run it, or give --untested if it passed "
            "on another machine."
        )


def set_version(root: Path, version: str) -> None:
    """Write the version where it stands: in each setup.cfg, what ``compat/`` asks for, README."""
    for name in (*SETUPS, README):
        place = root / name
        line = r"^(version = |Version )[^\s,]+"
        text = place.read_text("utf-8")
        text, found = re.subn(line, rf"\g<1>{version}", text, flags=re.MULTILINE)
        if found != 1:
            raise Refusal(f"{name} has to have one line 'version = …', or 'Version …'.")
        text = re.sub(r"^( +baremetalclient==).*$", rf"\g<1>{version}", text, flags=re.MULTILINE)
        place.write_text(text, "utf-8")


def write_changelog(root: Path, version: str) -> None:
    """Write CHANGELOG.rst from the release notes, of which the newest are those of the version."""
    import merged_notes
    from reno import config, formatter, loader

    merged_notes.accept()
    settings = config.Config(str(root), "releasenotes")
    settings.override(unreleased_version_title=version)
    with loader.Loader(settings) as notes:
        text = formatter.format_report(
            notes, settings, notes.versions, title="Changes", show_source=False
        )
    # What was never released is 0.0.0 to reno.
    text = text.replace("\n0.0.0\n=====\n", f"\n{version}\n{'=' * len(version)}\n")
    text = text.replace("_Changes_0.0.0", f"_Changes_{version}")
    (root / "CHANGELOG.rst").write_text(text, "utf-8")


def write_hashes(wheel: Path, environment: Path, target: Path) -> None:
    """Write what the release is built with and installs, with hashes; refuse what was withdrawn.

    ``pip install --require-hashes -r`` takes the file, and ``pip-audit -r`` looks for advisories.
    """
    package.say("Hashes of the build and of all dependencies")
    settings = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))
    wanted = [f"{wheel}[{EXTRAS}]", *settings["build-system"]["requires"]]
    report = target.with_suffix(".json")
    pip = (environment / "bin/python", "-m", "pip", "install", "--quiet", "--dry-run")
    package.run(*pip, "--ignore-installed", "--report", report, *wanted)
    lines = []
    for one in json.loads(report.read_text("utf-8"))["install"]:
        name, version = one["metadata"]["name"], one["metadata"]["version"]
        if one.get("is_yanked"):
            raise Refusal(f"{name} {version} was withdrawn from the registry. Exclude it.")
        hashes = one["download_info"]["archive_info"]["hashes"]
        if one["is_direct"]:  # the wheel itself
            continue
        lines.append(f"{name}=={version} --hash=sha256:{hashes['sha256']}\n")
    report.unlink()
    target.write_text("".join(sorted(lines, key=str.lower)), "utf-8")
    print(f"{target.name}: {len(lines)} packages")


def write_sbom(environment: Path, target: Path, version: str) -> None:
    """Write the packages of an environment as CycloneDX, without pip, which is no part of them."""
    package.say(f"SBOM of baremetalclient[{EXTRAS}]")
    package.run(environment / "bin/python", "-m", "pip", "uninstall", "-q", "-y", "pip")
    cyclonedx = (package.BIN / "cyclonedx-py", "environment", "--output-reproducible")
    package.run(*cyclonedx, "--output-file", target, environment / "bin/python")
    components = json.loads(target.read_text("utf-8"))["components"]
    found = {component["name"]: component["version"] for component in components}
    if found.get("baremetalclient") != version:
        raise Refusal(f"The SBOM has {found.get('baremetalclient')} instead of {version}.")
    print(f"{target.name}: {len(found)} components")


def prepare(worktree: Path, version: str, folder: Path) -> str:
    """Commit the release in a worktree, build it from there and check it; return the commit."""
    package.say(f"Version {version} and CHANGELOG.rst")
    set_version(worktree, version)
    write_changelog(worktree, version)
    git("add", *SETUPS, README, "CHANGELOG.rst", cwd=worktree)
    git("commit", "--no-verify", "-m", f"Release {version}", cwd=worktree)
    # Who builds this commit again gets the same wheel.
    os.environ["SOURCE_DATE_EPOCH"] = git("log", "-1", "--format=%ct", cwd=worktree)
    dist = folder / "dist"
    packages = package.build(worktree, dist)
    package.check(packages, worktree)
    package.try_wheels(packages, folder / "venv")
    write_hashes(packages.wheel, folder / "venv", dist / f"requirements-{version}.txt")
    write_sbom(folder / "venv", dist / f"baremetalclient-{version}.cdx.json", version)
    return git("rev-parse", "HEAD", cwd=worktree)


def release(root: Path, version: str, *, dry_run: bool) -> None:
    """Prepare a release in a worktree, and put it into the branch if nothing failed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        worktree = folder / "baremetalclient"
        git("worktree", "add", "--detach", str(worktree), "HEAD", cwd=root)
        try:
            commit = prepare(worktree, version, folder)
        finally:
            git("worktree", "remove", "--force", str(worktree), cwd=root)
        if dry_run:
            print(f"{version} can be released. Nothing was changed.")
            return
        git("merge", "--ff-only", commit, cwd=root)
        shutil.rmtree(root / "dist", ignore_errors=True)
        shutil.copytree(folder / "dist", root / "dist")
        git("tag", "-a", version, "-m", f"baremetalclient {version}", commit, cwd=root)
    branch = git("branch", "--show-current", cwd=root)
    print(f"{version} is committed and tagged; what to upload is in dist. To publish it:")
    print(f"  git push origin {branch} {version}")
    print("  twine upload dist/*.tar.gz dist/*.whl")


def main() -> int:
    """Make a release; return the exit code."""
    parser = argparse.ArgumentParser(prog="tools/dev release", description="Make a release.")
    parser.add_argument("version", metavar="VERSION", help="such as 1.2.3 or 1.2.3rc1")
    parser.add_argument("--dry-run", action="store_true", help="do everything, and keep nothing")
    parser.add_argument(
        "--untested",
        action="store_true",
        help="release a commit that '.ci/run all' didn't pass on here",
    )
    options = parser.parse_args()
    root = Path.cwd()
    try:
        check_request(root, options.version, untested=options.untested)
        release(root, options.version, dry_run=options.dry_run)
    except (Refusal, package.PackageError) as error:
        print(f"tools/dev release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
