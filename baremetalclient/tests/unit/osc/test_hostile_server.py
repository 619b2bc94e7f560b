"""Whatever a server answers, a command ends with a sentence and does nothing else."""

from __future__ import annotations

import time

import pytest

from baremetalclient.osc.command_table import COMMANDS
from baremetalclient.tests.unit.hostile import HostileServer, unprintable
from baremetalclient.tests.unit.osc.everything import run_here, words_of
from baremetalclient.tests.unit.scripted import ScriptedServer

#: These go on until something happens, or need files.
NOT_ASKED = (" wait", " watch", "apply", "diff", "create", "complete")
NAMES = [name for name in COMMANDS if not name.endswith(NOT_ASKED) or " create" in name]
OPTIONS = ("--max-retries", "1", "--retry-interval", "0")


@pytest.mark.slow("a server for each command; the calls that they make are tried in unit/v1")
def test_commands_end_with_a_sentence(capsys, pytestconfig):
    seeds = 8 if pytestconfig.getoption("--all") else 1
    problems = []
    with ScriptedServer() as elsewhere:
        for name in NAMES:
            for seed in range(seeds):
                with HostileServer((name, seed), elsewhere.url) as server:
                    words = ["--os-endpoint", server.url, *OPTIONS, *words_of(name)]
                    begun = time.process_time()
                    try:
                        code, out, err = run_here(words, capsys)
                    except Exception as error:
                        problems.append(f"{name} {seed}: {error!r}"[:300])
                        continue
                    spent = time.process_time() - begun
                found = unprintable(out + err)
                if "Traceback" in err or found or spent > 5 or (code and not err):
                    problems.append(f"{name} {seed}: {code} {found} {spent:.1f} {err[-300:]!r}")
        assert problems == [], "\n".join(problems)
        assert elsewhere.all_requests == []
