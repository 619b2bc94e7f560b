from __future__ import annotations

import csv

import pytest

from baremetalclient.tests.unit.scripted import Reply, fault

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
