"""What is told beside the output: notices of retries, and the time of each request."""

from __future__ import annotations

import csv
import logging

import pytest

from baremetalclient.tests.unit.osc.pseudo_terminal import run_on_terminal
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer, fault

LOCKED = fault("Node n is locked by host h, please retry after the current operation.", 409)
NODE = Reply({"uuid": "u"})
CLEAR = "\r\x1b[K"


def test_the_first_and_the_last_are_printed(run):
    done = run("node", "show", "n", script=(LOCKED, LOCKED, LOCKED, LOCKED, NODE))
    assert done.code == 0
    first, last = done.err.splitlines()
    assert first.startswith("Retrying in 0.0 s (retry 1 of 5): GET http://127.0.0.1:")
    assert last.startswith("Retrying in 0.0 s (retry 4 of 5): GET http://127.0.0.1:")
    assert "is locked by host" in first


def test_a_single_retry_is_one_notice(run):
    done = run("node", "show", "n", script=(LOCKED, NODE))
    assert done.err.count("Retrying") == 1


def test_each_request_has_its_own_notices_before_its_outcome(run):
    script = (LOCKED, LOCKED, Reply(b"", 204), LOCKED, LOCKED, Reply(b"", 204))
    done = run("node", "maintenance", "set", "a", "b", "--parallel", "1", script=script)
    words = [line.split(":")[0] for line in done.err.splitlines()]
    notices = ["Retrying in 0.0 s (retry 1 of 5)", "Retrying in 0.0 s (retry 2 of 5)"]
    # Requests for the next node begin while the outcome of one is printed.
    outcomes = ["Set maintenance of node a", "Set maintenance of node b"]
    assert [word for word in words if word in notices] == notices * 2
    assert [word for word in words if word not in notices] == outcomes
    assert (words[:2], words[-1]) == (notices, outcomes[-1])


def test_verbose_shows_each(run):
    done = run("-v", "node", "show", "n", script=(LOCKED, LOCKED, LOCKED, NODE))
    assert [f"(retry {number} of 5)" in done.err for number in (1, 2, 3)] == [True] * 3


def test_a_terminal_has_one_line_that_is_replaced():
    with ScriptedServer(LOCKED, LOCKED, LOCKED, NODE) as server:
        words = ("--os-endpoint", server.url, "--retry-interval", "0", "node", "show", "n")
        code, text = run_on_terminal(*words)
    assert code == 0
    before, *notices, table = text.split(CLEAR)
    assert before == ""
    assert [notice[:33] for notice in notices] == [
        f"Retrying in 0.0 s (retry {number} of 5):" for number in (1, 2, 3)
    ]
    assert all(len(notice) < 80 and "\n" not in notice for notice in notices)
    assert table.startswith("+---")


NODES = Reply({"nodes": [{"uuid": "u"}]})


def test_the_time_of_each_request_follows_the_output(run):
    done = run("--timing", "node", "list", "-c", "uuid", script=(NODES,))
    assert done.code == 0
    output, table = done.out.split("\n\n")
    assert "| u " in output
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
    (url, seconds), total = [row for row in rows if row][1:]
    assert url.startswith("GET http://127.0.0.1:")
    assert url.endswith("/v1/nodes")
    assert float(seconds) > 0
    assert total == ["Total", seconds]


@pytest.mark.parametrize("option", ["--timing", "--collect-timing"])
def test_other_formats_are_followed_by_csv(run, option):
    done = run(option, "node", "list", "-f", "value", "-c", "uuid", script=(NODES,))
    output, table = done.out.split("\n\n")
    assert output == "u"
    heading, (_, seconds), total = csv.reader(table.splitlines())
    assert (heading, total) == (["URL", "Seconds"], ["Total", seconds])


def test_failures_have_timings_too(run):
    done = run("--timing", "node", "delete", "a", "b", script=(fault("No.", 404),))
    assert done.code == 1
    assert done.out.count("DELETE http://") == 2


def test_help_has_none(run):
    assert "Seconds" not in run("--timing", "help", "node", "list").out


def test_commands_in_one_process_leave_logging_as_it_was(run, tmp_path):
    root = logging.getLogger()
    before = root.handlers[:], root.level
    run("--log-file", str(tmp_path / "log"), "-v", "node", "show", "n", script=(LOCKED, NODE))
    assert (root.handlers, root.level) == before
    done = run("node", "show", "n", script=(LOCKED, NODE))
    assert done.err.count("Retrying") == 1
