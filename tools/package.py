"""Build the sdist and the wheels into dist/, check and try them in a new environment.

The second wheel, of ``compat/``, holds the package ``ironicclient``.

``tools/dev package`` runs it; ``tools/release.py`` uses it.
"""

from __future__ import annotations

import fnmatch
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent

IN_THE_WHEEL = (
    "baremetalclient/py.typed",
    "fake_server/py.typed",
    "fake_server/pytest_plugin.py",
    "fake_server/baremetal/drivers/driver_properties.json",
    "fake_server/baremetal/drivers/networks/switchport_schemas.json",
    "fake_server/control/page/index.html",
    "*.dist-info/entry_points.txt",
    "*.dist-info/licenses/LICENSE",
)
NOT_IN_THE_WHEEL = ("*/tests/*", "*/conftest.py", "*.pyc", "bench/*", "doc/*", "tools/*")
# The contributors have no e-mail address in common.
PYROMA = ("--skip-tests", "AuthorEmail", "--min", "10")

TRY_BASE = (
    "baremetal --version",
    "baremetal --help",
    "baremetal node list --help",
    "baremetal-fake-server --version",
    "baremetal-fake-server --help",
)
TRY_EXTRAS = (
    "baremetal-fake-server exec -- baremetal node create --driver fake-hardware --name node-1",
    "baremetal-fake-server exec -- openstack baremetal driver list",
)
IMPORT_ALL = """
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
names = [found.name for found in pkgutil.walk_packages(package.__path__, sys.argv[1] + ".")]
for name in names:
    # pytest loads its plugin, and brings itself; python -m runs __main__.
    if not name.endswith((".pytest_plugin", ".__main__")):
        importlib.import_module(name)
print(len(names), "modules of", sys.argv[1], "can be imported")
"""
LOAD_ENTRY_POINTS = """
from importlib.metadata import distribution
points = [one for one in distribution("baremetalclient").entry_points if one.group != "pytest11"]
for point in points:
    point.load()
print(len(points), "entry points can be loaded")
"""


class PackageError(Exception):
    """A package isn't as it has to be; the text says what to do."""


class Packages(NamedTuple):
    """What was built.

    :param compat: the wheel with the package ``ironicclient``.
    """

    sdist: Path
    wheel: Path
    compat: Path


def say(text: str) -> None:
    """Print a heading."""
    print(f"--- {text}", flush=True)


def run(*command: str | Path, cwd: Path | None = None) -> None:
    """Run a command; raise PackageError if it fails."""
    if subprocess.run([str(word) for word in command], cwd=cwd, check=False).returncode:
        raise PackageError(f"This failed: {' '.join(str(word) for word in command)}")


def build(source: Path, folder: Path) -> Packages:
    """Build the sdist, and the wheel from the sdist, so that nothing else gets into it."""
    shutil.rmtree(folder, ignore_errors=True)
    builder = (sys.executable, "-m", "build", "--quiet", "--outdir", folder)
    run(*builder, source)
    run(*builder, "--wheel", source / "compat")
    found = (
        next(folder.glob(name)) for name in ("*.tar.gz", "baremetalclient-*.whl", "*_as_*.whl")
    )
    return Packages(*found)


def check(packages: Packages, source: Path) -> None:
    """Check metadata and contents; raise PackageError if something is missing or too much."""
    say("check-wheel-contents, twine, pyroma")
    run(BIN / "check-wheel-contents", packages.wheel)
    run(BIN / "check-wheel-contents", "--toplevel", "ironicclient", packages.compat)
    run(BIN / "twine", "check", "--strict", *packages)
    run(BIN / "pyroma", *PYROMA, packages.sdist)
    say("Contents")
    faults = [*wheel_faults(names_in_wheel(packages.wheel)), *sdist_faults(packages.sdist, source)]
    if faults:
        raise PackageError("\n".join(faults))


def names_in_wheel(wheel: Path) -> list[str]:
    """Return the names of the files in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    print(f"{wheel.name}: {len(names)} files, {wheel.stat().st_size / 1e6:.1f} MB")
    return names


def wheel_faults(names: list[str]) -> list[str]:
    """Return what is wrong with the names of the files in a wheel."""
    return [
        *(f"The wheel lacks {rule}." for rule in IN_THE_WHEEL if not fnmatch.filter(names, rule)),
        *(
            f"The wheel must not have {name}: see options.packages.find in setup.cfg."
            for rule in NOT_IN_THE_WHEEL
            for name in fnmatch.filter(names, rule)
        ),
    ]


def sdist_faults(sdist: Path, source: Path) -> list[str]:
    """Return what is wrong with an sdist: it has every file that git knows."""
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    print(f"{sdist.name}: {len(names)} files, {sdist.stat().st_size / 1e6:.1f} MB")
    known = subprocess.run(
        ["git", "ls-files"], cwd=source, capture_output=True, text=True, check=False
    )
    if known.returncode:
        print("This is not a clone: what the sdist holds can't be compared with git.")
        return []
    missing = sorted(set(known.stdout.splitlines()) - names)
    return [f"The sdist lacks {name}: add it to MANIFEST.in." for name in missing]


def try_wheels(packages: Packages, environment: Path) -> None:
    """Install the wheel, alone, with extras and with the other wheel, and use it.

    :param environment: where to make a virtual environment.
    """
    wheel = packages.wheel
    say("The wheel alone in a new environment")
    run(sys.executable, "-m", "venv", "--clear", environment)
    before = size(environment)
    install(environment, str(wheel))
    run(environment / "bin/pip", "check")
    print(f"{count(environment)} packages, {size(environment) - before} MB")
    use(environment, TRY_BASE)
    run(environment / "bin/python", "-c", IMPORT_ALL, "baremetalclient", cwd=environment)
    say("The wheel with the extras cli and server")
    install(environment, f"{wheel}[cli,server]")
    run(environment / "bin/pip", "check")
    use(environment, TRY_EXTRAS)
    run(environment / "bin/python", "-c", IMPORT_ALL, "fake_server", cwd=environment)
    run(environment / "bin/python", "-c", LOAD_ENTRY_POINTS, cwd=environment)
    say("The wheel with the package ironicclient")
    install(environment, str(packages.compat))
    run(environment / "bin/pip", "check")
    run(environment / "bin/python", "-c", IMPORT_ALL, "ironicclient", cwd=environment)


def install(environment: Path, what: str) -> None:
    """Install a package into an environment."""
    run(environment / "bin/pip", "install", "-q", "--disable-pip-version-check", what)


def use(environment: Path, commands: tuple[str, ...]) -> None:
    """Run commands of an environment, outside the source tree."""
    for command in commands:
        print("$", command, flush=True)
        found = f'PATH="{environment / "bin"}:$PATH" {command} >output'
        if subprocess.run(found, shell=True, cwd=environment, check=False).returncode:
            raise PackageError(f"This failed with the wheel: {command}")
        if not (environment / "output").read_text("utf-8").strip():
            raise PackageError(f"This printed nothing with the wheel: {command}")


def count(environment: Path) -> int:
    """Return the number of packages in an environment, without pip and setuptools."""
    found = {path.name.partition("-")[0] for path in environment.glob("lib/*/*/*.dist-info")}
    return len(found - {"pip", "setuptools"})


def size(environment: Path) -> int:
    """Return the megabytes that an environment takes on the disk."""
    done = subprocess.run(["du", "-sm", environment], capture_output=True, text=True, check=True)
    return int(done.stdout.split()[0])


def main() -> int:
    """Build into dist/, check and try; return the exit code."""
    try:
        packages = build(ROOT, ROOT / "dist")
        check(packages, ROOT)
        with tempfile.TemporaryDirectory() as folder:
            try_wheels(packages, Path(folder) / "venv")
    except PackageError as error:
        print(f"tools/dev package: {error}", file=sys.stderr)
        return 1
    print(f"They are in {ROOT / 'dist'}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
