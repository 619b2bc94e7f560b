from __future__ import annotations

import pytest

from baremetalclient.osc.command_table import COMMANDS
from baremetalclient.tests.unit.osc.everything import own_actions, parser_of, words_of
from baremetalclient.tests.unit.scripted import Reply, fault

OK = Reply(status=204)


def test_traits(run):
    done = run("node", "trait", "list", "a", script=(Reply({"traits": ["A", "B"]}),))
    assert done.out.split() == ["+--------+", "|", "traits", "|", "+--------+"] + [
        word for trait in "AB" for word in ("|", trait, "|")
    ] + ["+--------+"]
    none = Reply({"traits": []})
    done = run("node", "add", "trait", "a", "CUSTOM_A", "CUSTOM_B", script=(none, OK, OK))
    assert done.out == "Added trait CUSTOM_A\nAdded trait CUSTOM_B\n"
    done = run("node", "trait", "remove", "a", "", script=(OK,))
    assert (done.code, done.requests) == (1, [])
    done = run("node", "remove", "trait", "--all", "a", script=(OK,))
    assert done.requests[0].path == "/v1/nodes/a/traits"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("", "only capital letters, digits and underscores"),
        ("custom_gold", "Did you mean 'CUSTOM_GOLD'?"),
        ("hw-cpu-x86-vmx", "Did you mean 'HW_CPU_X86_VMX'?"),
        ("CUSTOM_", "begin with CUSTOM_"),
        ("CUSTOM_Ä", "capital letters"),
        ("CUSTOM_" + "A" * 250, "257 characters, the maximum is 255"),
    ],
)
def test_invalid_traits_are_not_sent(run, wrong, why):
    for words in (("add", "trait"), ("trait", "add"), ("remove", "trait")):
        done = run("node", *words, "a", "CUSTOM_A", wrong, script=(OK, OK))
        assert (done.code, done.requests) == (1, [])
        assert why in done.err


def test_too_many_traits_are_not_sent(run):
    many = [f"CUSTOM_{number}" for number in range(51)]
    done = run("node", "add", "trait", "a", *many, script=(OK,))
    assert (done.code, done.requests) == (1, [])
    assert "A node can have 50 traits at most, not 51." in done.err
    there = Reply({"traits": many[:49]})
    done = run("node", "add", "trait", "a", "CUSTOM_A", "CUSTOM_B", script=(there, OK, OK))
    assert (done.code, len(done.requests)) == (1, 1)


def test_the_server_knows_newer_traits_and_near_ones_are_suggested(run):
    assert run("node", "add", "trait", "a", "HW_NEWER", script=(OK,)).code == 0
    refusal = fault("Validation error.")
    done = run("node", "add", "trait", "a", "HW_CPU_X86_VMXX", script=(refusal,))
    assert "Did you mean HW_CPU_X86_VMX" in done.err


def commands_for_nodes():
    """Yield the names of commands that take any number of nodes."""
    for name in COMMANDS:
        first = next((one for one in own_actions(parser_of(name)) if not one.option_strings), None)
        flags = {flag for one in own_actions(parser_of(name)) for flag in one.option_strings}
        several = first is not None and (first.dest, first.nargs) == ("idents", "+")
        if name.startswith("node ") and "--on-error" in flags and several:
            yield name


def test_a_command_acts_on_each_node(run):
    names = list(commands_for_nodes())
    assert len(names) > 25
    problems = []
    script = (fault("No.", 400), Reply({"uuid": "b"}), fault("No, too.", 400))
    for name in names:
        words = ["--owner" if word == "--name" else word for word in words_of(name)]
        words[len(name.split())] = "a"
        words[len(name.split()) + 1 : len(name.split()) + 1] = ["b", "c"]
        done = run(*words, "--parallel", "1", script=script)
        told = "a" in done.err.splitlines()[0] and "No." in done.err and "No, too." in done.err
        printed = done.out == ("Deleted node b\n" if name == "node delete" else "")
        if (done.code, len(done.requests)) != (1, 3) or not told or not printed:
            problems.append((name, done))
        quiet = run("-q", *words, "--parallel", "1", script=(Reply({"uuid": "b"}),))
        if (quiet.code, quiet.err) != (0, ""):
            problems.append((name, quiet))
    assert problems == []
