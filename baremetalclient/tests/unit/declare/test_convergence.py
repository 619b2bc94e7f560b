"""Random labs, applied one after another and broken off anywhere, end as they are declared."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baremetalclient import declare
from baremetalclient.tests.unit.declare.conftest import Lab
from fake_server.adapter import InProcessAdapter
from fake_server.server import FakeServer

STATES = ("enroll", "manageable", "available", "active")
OBJECTS = st.dictionaries(
    st.sampled_from(("k", "l/m", "n~o")), st.sampled_from((1, "x", [1, 2], None))
)


def optional(**fields):
    return st.fixed_dictionaries({}, optional=fields)


def ports(index):
    return st.lists(st.integers(0, 2), unique=True, max_size=3).flatmap(
        lambda numbers: st.tuples(
            *(
                optional(
                    pxe_enabled=st.booleans(),
                    extra=OBJECTS,
                    portgroup=st.sampled_from((f"g{index}", None)),
                ).map(lambda port, n=number: {"address": f"52:54:00:00:{index:02}:0{n}", **port})
                for number in numbers
            )
        ).map(list)
    )


def nodes(index):
    return optional(
        extra=OBJECTS,
        properties=OBJECTS,
        driver_info=st.dictionaries(st.sampled_from(("ipmi_password", "x")), st.just("secret")),
        resource_class=st.sampled_from(("gold", "silver")),
        maintenance=st.booleans(),
        retired=st.booleans(),
        protected=st.booleans(),
        boot_interface=st.sampled_from(("fake", None)),
        traits=st.lists(st.sampled_from(("CUSTOM_A", "CUSTOM_B", "HW_CPU_X86_VMX")), unique=True),
        provision_state=st.sampled_from(STATES),
        power_state=st.sampled_from(("power on", "power off")),
        ports=ports(index),
        volume_connectors=st.lists(
            st.sampled_from(("i", "j")).map(
                lambda name: {"type": "iqn", "connector_id": f"{name}{index}"}
            ),
            unique_by=repr,
        ),
        volume_targets=st.lists(
            st.tuples(st.integers(0, 1), st.sampled_from(("v", "w"))).map(
                lambda pair: {"volume_type": "iscsi", "boot_index": pair[0], "volume_id": pair[1]}
            ),
            unique_by=lambda target: target["boot_index"],
        ),
    ).map(
        lambda node: {
            "name": f"n{index}",
            "driver": "fake-hardware",
            "portgroups": [{"name": f"g{index}"}],
            **node,
        }
    )


LABS = st.fixed_dictionaries(
    {"nodes": st.tuples(*(nodes(index) for index in range(3))).map(list)},
    optional={
        "chassis": st.lists(
            st.fixed_dictionaries(
                {"description": st.sampled_from(("r1", "r2"))}, optional={"extra": OBJECTS}
            ),
            unique_by=lambda one: one["description"],
        ),
        "deploy_templates": st.permutations(
            [
                {"interface": kind, "step": "s", "args": {}, "priority": number}
                for kind, number in (("bios", 3), ("raid", 2), ("deploy", 1))
            ]
        ).map(lambda steps: [{"name": "CUSTOM_T", "steps": steps}]),
    },
)


def only_refused(plan):
    return [step for step in plan.steps if step.action != "refused"]


@settings(max_examples=5, deadline=None)
@given(LABS, LABS)
def test_a_lab_is_as_declared_when_it_was_applied_and_stays_so(first, second):
    lab = Lab(FakeServer())
    for wanted in (first, second):
        results = declare.plan(lab.client, wanted).apply(allow_interruptions=True)
        assert [one for one in results if one.result == "failed"] == []
        lab.writes()
        again = declare.plan(lab.client, wanted)
        assert only_refused(again) == []
        again.apply(allow_interruptions=True)
        assert lab.writes() == []


class Killed(BaseException):
    """Ends a program, as SIGKILL would."""


class Mortal(InProcessAdapter):
    """Ends the program at a request, before it is sent or before its response is read."""

    def __init__(self, server, at, *, carried_out):
        super().__init__(server.app)
        self._left, self._carried_out = at, carried_out

    def send(self, request, *args, **kwargs):
        self._left -= request.method != "GET"
        if self._left < 0:
            if self._carried_out:
                super().send(request, *args, **kwargs)
            raise Killed
        return super().send(request, *args, **kwargs)


BEFORE = {
    "nodes": [
        {
            "name": "n-{index}",
            "count": 3,
            "driver": "fake-hardware",
            "provision_state": "available",
            "power_state": "power on",
            "ports": [{"address": "52:54:00:{index:mac}", "pxe_enabled": False}],
            "volume_targets": [{"volume_type": "iscsi", "volume_id": "v", "boot_index": 0}],
        }
    ]
}
AFTER = {
    "chassis": [{"description": "rack"}],
    "nodes": [
        {
            "name": "n-{index}",
            "count": 3,
            "traits": ["CUSTOM_A"],
            "extra": {"a": "{index}"},
            "portgroups": [{"name": "g{index}"}],
            "ports": [{"address": "52:54:00:{index:mac}", "pxe_enabled": True}],
            "volume_targets": [{"volume_type": "iscsi", "volume_id": "w", "boot_index": 0}],
        },
        {
            "name": "active",
            "driver": "fake-hardware",
            "provision_state": "active",
            "protected": True,
            "maintenance": True,
            "maintenance_reason": "new",
            "owner": "me",
            "ports": [{"address": "52:54:01:00:00:01"}],
            "volume_connectors": [{"type": "iqn", "connector_id": "x"}],
        },
    ],
}


@pytest.fixture(scope="module")
def undisturbed():
    lab = Lab(FakeServer())
    declare.plan(lab.client, BEFORE).apply()
    lab.writes()
    declare.plan(lab.client, AFTER).apply()
    return lab.state(), len(lab.writes())


@pytest.mark.rows
@pytest.mark.parametrize("seed", range(12))
def test_a_plan_that_was_broken_off_goes_on_where_it_was(undisturbed, seed):
    expected, writes = undisturbed
    chance = random.Random(seed)
    lab = Lab(FakeServer())
    declare.plan(lab.client, BEFORE).apply()
    at, carried_out = chance.randrange(writes), chance.random() < 0.5
    broken_off = Lab(lab.server, Mortal(lab.server, at, carried_out=carried_out))
    with pytest.raises(Killed):
        declare.plan(broken_off.client, AFTER).apply(parallel=chance.choice((1, 3)))
    results = declare.plan(lab.client, AFTER).apply()
    assert [one for one in results if one.result != "done"] == []
    assert lab.state() == expected
    assert declare.plan(lab.client, AFTER).steps == []
