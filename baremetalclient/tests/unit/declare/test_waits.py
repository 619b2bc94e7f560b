"""When a wait for a state of a node is over, and when it fails."""

import pytest

from baremetalclient import exc
from baremetalclient.declare.waits import Wait


def node(state, **fields):
    return {"provision_state": state, "power_state": "power on", **fields}


@pytest.mark.parametrize(
    ("wanted", "found", "over"),
    [
        ("active", node("active"), True),
        ("active", node("deploying"), False),
        ("available", node("cleaning", retired=True), False),
        ("available", node("manageable", retired=True), True),
        (None, node("manageable"), True),
        (None, node("cleaning"), False),
    ],
)
def test_a_provision_state(wanted, found, over):
    assert Wait(wanted).over(found) is over


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("available", node("manageable")),
        ("active", node("manageable", retired=True)),
        ("active", node("deploy failed", last_error="No disk.")),
        ("active", node("available")),
    ],
)
def test_a_provision_state_that_is_not_reached(wanted, found):
    with pytest.raises(exc.StateTransitionFailed) as caught:
        Wait(wanted).over(found)
    reason = found.get("last_error")
    assert str(caught.value) == (
        f"It is in {found['provision_state']}, and not in {wanted}"
        + (f": {reason}" if reason else ".")
    )
    assert (caught.value.state, caught.value.reason) == (found["provision_state"], reason)


@pytest.mark.parametrize(
    ("wanted", "found", "over"),
    [
        ("power on", node("active"), True),
        ("power on", node("active", target_power_state="power on"), False),
        (None, node("active", target_power_state="power off"), False),
        ("power off", node("active", target_power_state="power off"), False),
    ],
)
def test_a_power_state(wanted, found, over):
    assert Wait(wanted, "power_state").over(found) is over


def test_a_power_state_that_nothing_is_done_about():
    wait = Wait("power off", "power_state")
    assert not any(wait.over(node("active")) for _ in range(4))
    with pytest.raises(exc.StateTransitionFailed, match="It is in power on, and not in power off"):
        wait.over(node("active"))
