"""Runs commands in this process, against a server with a script."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from dataclasses import dataclass, replace

import pytest

from baremetalclient.tests.unit.osc.everything import run_here
from baremetalclient.tests.unit.scripted import Request, ScriptedServer

HERE = "http://here"
"""Stands for the URL of the server in its responses."""


@dataclass(frozen=True)
class Done:
    """What became of a command."""

    code: int
    out: str
    err: str
    requests: list[Request]
    all_requests: list[Request]


@pytest.fixture(autouse=True)
def _without_settings(monkeypatch):
    """Take the settings of a cloud away that the environment may have."""
    for name in list(os.environ):
        if name.startswith("OS_"):
            monkeypatch.delenv(name)


@pytest.fixture
def run(capsys):
    """Run ``baremetal`` with some words against a server that gives some responses."""
    with ExitStack() as stack:

        def make(*words, script=(), versions=None):
            server = stack.enter_context(ScriptedServer(versions=versions))
            server.script = [_at(server.url, reply) for reply in script] or server.script
            argv = ["--os-endpoint", server.url, "--retry-interval", "0", *words]
            code, out, err = run_here(argv, capsys)
            return Done(code, out, err, server.requests, server.all_requests)

        yield make


def _at(url, reply):
    if isinstance(reply.body, bytes):
        return reply
    return replace(reply, body=json.loads(json.dumps(reply.body).replace(HERE, url)))
