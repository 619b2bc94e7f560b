"""Commands that act on each of several nodes."""

from __future__ import annotations

from baremetalclient.osc.command_table import COMMANDS
from baremetalclient.tests.unit.osc.everything import own_actions, parser_of, words_of
from baremetalclient.tests.unit.scripted import Reply, fault


def commands_for_nodes():
    """Yield the names of commands that take any number of nodes."""
    for name in COMMANDS:
        first = next((one for one in own_actions(parser_of(name)) if not one.option_strings), None)
        flags = {flag for one in own_actions(parser_of(name)) for flag in one.option_strings}
        several = first is not None and (first.dest, first.nargs) == ("nodes", "+")
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
