"""Several clients change the same thing at once: no change is lost, and no limit is passed.

A row of ``races.yaml`` is a kind of change. Each client makes it several times, with ``@`` for a
number that no other request has. ``make`` is sent before, ``see`` afterwards; a request is a
service, a method, a path and perhaps a body, and ``-> NAME`` names the id of what it makes.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
import yaml

from fake_server.tests.compute.conftest import Cloud

CLIENTS, TIMES = 8, 4
RACES = yaml.safe_load(Path(__file__).with_name("races.yaml").read_text("utf-8"))
#: What is refused because another client was there first, without saying that nothing is left.
BUSY = ("is locked by host", "generation conflict", "resource provider generation")


class Racers:
    """Sends the requests of a row.

    :param row: a row of the file.
    """

    def __init__(self, row):
        self.cloud = Cloud(auth="keystone")
        self.ids = {"PROJECT": self.cloud.log_in("admin", "admin")["project"]["id"]}
        self.row = row
        for line in row.get("make", ()):
            self.send(line)

    def send(self, line):
        """Send a request, which has to succeed; return its answer."""
        status, answer = self.ask(line)
        assert status < 300, (line, status, answer)
        return answer

    def ask(self, line):
        """Return status and body of an answer; the name is that of what is made."""
        request, _, name = line.partition(" -> ")
        for known in sorted(self.ids, key=len, reverse=True):
            request = request.replace(known, self.ids[known])
        service, method, path, *body = request.split(" ", 3)
        sent = yaml.safe_load(body[0]) if body else None
        status, answer = self.cloud.send(service, method, path, sent)
        if name and status < 300:
            inner = list(answer.values())
            made = inner[0] if len(inner) == 1 and isinstance(inner[0], dict) else answer
            self.ids[name] = made.get("id") or made["uuid"]
        return status, answer

    def race(self):
        """Have all clients make their changes; return how many were made."""
        begun = Barrier(CLIENTS)

        def client(number):
            begun.wait()
            return [self.change(number * TIMES + time) for time in range(TIMES)]

        with ThreadPoolExecutor(CLIENTS) as pool:
            return sum(map(sum, pool.map(client, range(CLIENTS))))

    def change(self, number):
        """Make a change; return whether it was made, and not refused."""
        while True:
            status, answer = self.ask(self.row["change"].replace("@", str(number + 10)))
            if status < 300:
                return True
            assert status in self.row.get("refused", ()), (status, answer)
            if not any(text in str(answer) for text in BUSY):
                return False

    def seen(self):
        """Return how many there are."""
        found = self.send(self.row["see"])
        for key in self.row["at"].split("."):
            found = found.get(key, {})
        return found if isinstance(found, int) else len(found)


@pytest.mark.parametrize("row", RACES, ids=lambda row: row["of"])
def test_each_change_is_kept_and_each_limit(row):
    racers = Racers(row)
    before = racers.seen()
    made = racers.race()
    assert made == row.get("most", CLIENTS * TIMES)
    assert racers.seen() - before == made * row.get("each", 1)
