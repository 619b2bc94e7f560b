"""Write down which bodies Cinder and Nova accept, by the schemas that they publish.

``tools/dev bodies [--check]`` runs it. The services are installed as ``tools/real-service`` does.
What differs from the facts is printed; with ``--check``, nothing is written, and a difference is an
error.
"""

from __future__ import annotations

import difflib
import json
import subprocess
import sys
from pathlib import Path

from fake_server.tests.bodies import published
from tools.policies import PolicyError, installed, sources

READ = Path(__file__).with_name("published_schemas.py")
SERVICES = ("cinder", "nova")


def main() -> int:
    """Compare the facts with what is published; return the status to exit with."""
    check, differs = "--check" in sys.argv[1:], False
    for service in SERVICES:
        source = sources()[service]
        try:
            python = installed(service, source)
        except (PolicyError, subprocess.CalledProcessError) as exc:
            print(f"bodies: {exc}", file=sys.stderr)
            return 1
        question = json.dumps([service, published.asked(service), published.VALUES])
        done = subprocess.run(
            [str(python), "-W", "ignore", str(READ)],
            input=question,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            print(f"bodies: {service} does not tell its schemas: {done.stderr}", file=sys.stderr)
            return 1
        answer = json.loads(done.stdout.splitlines()[-1])
        if answer["version"] != source.version:
            print(
                f"bodies: that is {service} {answer['version']}, not {source.version}",
                file=sys.stderr,
            )
            return 1
        file = published.HERE / f"{service}.txt"
        old = file.read_text("utf-8") if file.exists() else ""
        new = published.text(service, source.version, answer["bodies"])
        for line in difflib.unified_diff(
            old.splitlines(), new.splitlines(), "facts", "published", "", "", 0
        ):
            print(line[:200])
        differs |= old != new
        if not check:
            file.write_text(new, "utf-8")
    return int(check and differs)


if __name__ == "__main__":
    sys.exit(main())
