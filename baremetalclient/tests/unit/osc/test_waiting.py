from __future__ import annotations

from baremetalclient._resource.results import Result
from baremetalclient.osc.waiting import failure_messages


def test_failures_with_the_same_reason_and_state_are_one_message():
    results = [
        Result("s1", None, "failed", None, 0, "The connection was refused."),
        *(Result(f"s{n}", "u", "failed", "ERROR", 0, "No host was found.") for n in (0, 3, 4)),
    ]
    assert failure_messages("server", results) == [
        "Server s1: The connection was refused.",
        "3 servers: No host was found; they remain in 'ERROR': s0, s3, s4",
    ]
