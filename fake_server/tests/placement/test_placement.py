"""What a real Placement answers is answered: the requests of the file beside it, in its order."""

from __future__ import annotations

from fake_server.app import Application
from fake_server.tests import asked, databases
from fake_server.tests.placement.placement import RECORD, Asker


def test_answers_are_those_of_placement():
    app = Application(db=databases.new())
    problems = asked.problems(RECORD, Asker(asked.sender_here(app, "/placement")).answer)
    assert problems == [], "\n".join(problems)
