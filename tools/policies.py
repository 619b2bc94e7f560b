"""Write down which policies the services publish: facts that tests judge the fake server by.

``tools/dev policies [--check]`` runs it. Each service is installed as ``tools/real-service`` does,
Ironic as the reference is. What differs from the facts is printed; with ``--check``, nothing is
written, and a difference is an error.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
FACTS = ROOT / "fake_server" / "tests" / "policies" / "facts"
#: Runs in the environment of a service: prints what it publishes.
READ = """
import json, sys
from importlib.metadata import entry_points, version

namespace, package = sys.argv[1:]
sys.argv[1:] = []
(point,) = entry_points(group="oslo.policy.policies", name=namespace)
rules = {}
for rule in point.load()():
    old = rule.deprecated_rule
    found = {
        "check": rule.check_str,
        "scopes": rule.scope_types,
        "operations": [
            f"{method} {one['path']}"
            for one in getattr(rule, "operations", ())
            for method in ([one["method"]] if isinstance(one["method"], str) else one["method"])
        ],
        "deprecated": old and {"name": old.name, "check": old.check_str},
    }
    rules[rule.name] = {name: value for name, value in found.items() if value}
    rules[rule.name].setdefault("check", "")
print(json.dumps({"package": package, "version": version(package), "rules": rules}))
"""


class PolicyError(Exception):
    """The published policies can't be read, or aren't those of the release that is compared."""


class Source(NamedTuple):
    """Where a service publishes its policies.

    :param package: what it is installed as.
    :param version: the release that the fake server is compared with.
    :param namespace: the name of its entry point.
    """

    package: str
    version: str
    namespace: str


def sources() -> dict[str, Source]:
    """Return where each service publishes its policies."""
    found = {"ironic": Source("ironic", "39.0.0", "ironic.api")}
    for script in sorted((ROOT / "tools" / "real-services").glob("*.sh")):
        match = re.search(r"^distribution=(\S+) version=(\S+)", script.read_text(), re.MULTILINE)
        if match is None:
            raise PolicyError(f"{script.name} names no distribution with a version.")
        found[script.stem] = Source(match[1], match[2], script.stem)
    return found


def main() -> int:
    """Compare the facts with what is published; return the status to exit with."""
    check = "--check" in sys.argv[1:]
    differs = False
    try:
        for service, source in sources().items():
            file = FACTS / f"{service}.json"
            published = shown(read(service, source))
            old = file.read_text() if file.exists() else ""
            lines = (old.splitlines(), published.splitlines())
            for line in difflib.unified_diff(
                *lines, f"{service}, facts", source.version, "", "", 0
            ):
                print(line)
            differs |= old != published
            if not check:
                file.write_text(published)
    except PolicyError as exc:
        print(f"policies: {exc}", file=sys.stderr)
        return 1
    return int(check and differs)


def read(service: str, source: Source) -> dict[str, Any]:
    """Return what a service publishes; raise PolicyError if another release of it is installed."""
    python = installed(service, source)
    asked = [str(python), "-W", "ignore", "-c", READ, source.namespace, source.package]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PolicyError(f"{service} does not tell its policies: {done.stderr.strip()}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if found["version"] != source.version:
        raise PolicyError(
            f"The policies are those of {source.package} {found['version']}, but the fake server "
            f"is compared with {source.version}."
        )
    return found


def installed(service: str, source: Source) -> Path:
    """Return the interpreter of the environment of a service, which is made where it is missing."""
    environment = Path.home() / ".cache" / f"real-{service}" / source.version
    python = environment / "bin" / "python"
    if service != "ironic":
        command = [str(ROOT / "tools" / "real-service"), service, "install"]
        subprocess.run(
            command, env={k: v for k, v in os.environ.items() if k != "VENV"}, check=True
        )
    elif not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        wanted = f"{source.package}=={source.version}"
        subprocess.run([str(python), "-m", "pip", "install", "-q", wanted], check=True)
    return python


def shown(found: dict[str, Any]) -> str:
    """Return the facts about a service as text, with a line for each policy."""
    lines = [f"  {json.dumps(name)}: {json.dumps(rule)}" for name, rule in found["rules"].items()]
    about = {name: value for name, value in found.items() if name != "rules"}
    return f'{json.dumps(about)[:-1]}, "rules": {{\n' + ",\n".join(lines) + "\n}}\n"


if __name__ == "__main__":
    sys.exit(main())
