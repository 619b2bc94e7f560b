from __future__ import annotations

from baremetalclient import exc
from baremetalclient.osc.waiting import wait_for_each


def test_failures_with_the_same_reason_and_state_are_one_message():
    def wait(name):
        if name == "s1":
            raise exc.ConnectionRefused("The connection was refused.")
        if name != "s2":
            state = "ERROR"
            raise exc.StateTransitionFailed(name, state=state, reason="No valid host was found.")

    assert wait_for_each("server", [f"s{number}" for number in range(5)], wait) == [
        "3 servers: No valid host was found; they remain in 'ERROR': s0, s3, s4",
        "Server s1: The connection was refused.",
    ]
