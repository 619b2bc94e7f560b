"""What a poll has seen, and what that means for a wait."""

from __future__ import annotations

import pytest

from baremetalclient._bulk.expression import Expression
from baremetalclient._bulk.goal import Deleted, StateGoal, Verdict
from baremetalclient._bulk.kinds import NODE, SERVER, VOLUME, has_failed
from baremetalclient._bulk.wait import holds
from baremetalclient.v1.expressions import vocabulary
from baremetalclient.v1.node import Node
from baremetalclient.v1.node.actions import ACTIONS, power_state, provision_state
from baremetalclient.v1.provision_states import STATES, VERBS

FAILED = Verdict("failed")


def node(state, **fields):
    return {"provision_state": state, "power_state": "power on", **fields}


def moving(state, target, **fields):
    return node(state, target_provision_state=target, **fields)


@pytest.mark.parametrize(
    ("goal", "item", "verdict"),
    [
        (provision_state("active"), node("active"), "reached"),
        (provision_state("active"), moving("deploying", "active"), "waiting"),
        (provision_state("active"), node("available"), "failed"),
        (provision_state("active", stable_fails=False), node("available"), "waiting"),
        (provision_state("active"), moving("deploy failed", "active"), "failed"),
        (provision_state("active"), None, "failed"),
        (ACTIONS["deleted"].goal, node("available"), "reached"),
        (ACTIONS["undeploy"].goal, node("manageable", retired=True), "reached"),
        (ACTIONS["undeploy"].goal, moving("cleaning", "available", retired=True), "waiting"),
        (ACTIONS["undeploy"].goal, node("manageable"), "failed"),
        (ACTIONS["provide"].goal, node("manageable", retired=True), "failed"),
        (ACTIONS["delete"].goal, node("deploy failed"), "waiting"),
        (ACTIONS["delete"].goal, None, "reached"),
        (power_state("power on"), node("active"), "reached"),
        (power_state("power on"), node("active", target_power_state="rebooting"), "waiting"),
        (power_state("power off"), node("active", target_power_state="power off"), "waiting"),
        (power_state("power on"), node("deploy failed"), "reached"),
    ],
)
def test_the_states_of_a_node(goal, item, verdict):
    assert goal.verdict(item).outcome == verdict


def test_power_that_nothing_is_done_about():
    goal = power_state("power off")
    item = node("active", last_error="No BMC")
    assert [goal.verdict(item, polls).outcome for polls in range(1, 5)] == ["waiting"] * 4
    assert goal.verdict(item, 5) == Verdict("failed", "No BMC")


def test_the_reason_is_what_the_service_says():
    fault = {"status": "ERROR", "fault": {"message": "No valid host"}}
    active = StateGoal(SERVER, "ACTIVE", ("status",), ("ACTIVE",), stable_fails=False)
    assert active.verdict(fault) == Verdict("failed", "No valid host")
    assert active.verdict({"status": "ERROR"}) == FAILED
    assert active.verdict({"status": "BUILD"}).outcome == "waiting"
    ready = StateGoal(VOLUME, "available", ("status",), ("available",), stable_fails=False)
    assert ready.verdict({"status": "error_restoring"}) == FAILED
    assert Deleted(SERVER, "deleted", ("status",)).verdict({"status": "ERROR"}).outcome == "waiting"


def test_the_states_of_failure_are_those_of_the_state_machine():
    assert {state for state in STATES if has_failed(state)} == {
        state for state, row in STATES.items() if row.kind == "failed"
    }
    assert not has_failed(None)
    assert not has_failed("")


def test_the_goals_of_verbs_are_those_of_the_table():
    for verb, row in VERBS.items():
        goal = ACTIONS[verb].goal
        assert (goal.states if goal else (None,)) == (row.to,)


def waits_for(*texts):
    return holds(NODE, Expression.any_of(texts, vocabulary(Node.resource_type)))


BROKEN = node("deploy failed", name="n-failed", last_error="No disk", extra={"a": "deploy failed"})


@pytest.mark.parametrize(
    "text",
    [
        "name~=.*failed,power_state=power off",
        "last_error~=.*,power_state=power off",
        "provision_state~=.*,power_state=power off",
        "provision_state~=deploy.*,power_state=power off",
        "provision_state!=deploy failed",
        "extra/a=deploy failed,provision_state=active",
        "not provision_state=deploy failed",
        "description=deploy failed",
    ],
)
def test_a_failure_is_told_though_something_else_matches_its_name(text):
    assert waits_for(text).verdict(BROKEN) == Verdict("failed", "No disk")


@pytest.mark.parametrize(
    "text",
    [
        "provision_state=deploy failed,power_state=power off",
        "state~=.*failed,power_state=power off",
        "provision_state~='(active|deploy failed)',power_state=power off".replace("'", ""),
        "provision_state contains fail,power_state=power off",
    ],
)
def test_a_failure_that_is_waited_for_is_none(text):
    assert waits_for(text).verdict(BROKEN).outcome == "waiting"
    assert waits_for(text).verdict({**BROKEN, "power_state": "power off"}).outcome == "reached"
