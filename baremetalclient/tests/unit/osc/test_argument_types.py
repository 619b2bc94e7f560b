import argparse
import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from baremetalclient.osc import argument_types
from baremetalclient.osc.app import BaremetalApp
from baremetalclient.osc.global_options import add_options, split_own_timeout
from baremetalclient.tests.unit.osc.everything import run_here
from baremetalclient.tests.unit.scripted import Reply

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
KEYS = st.text(min_size=1).filter(lambda key: "=" not in key and not key.endswith(":"))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("a=b", ("a", "b")),
        ("a=1", ("a", 1)),
        ("a=true", ("a", True)),
        ('a={"b": [1]}', ("a", {"b": [1]})),
        ("a=", ("a", "")),
        ("a=b=c", ("a", "b=c")),
        ("capabilities=boot_mode:uefi", ("capabilities", "boot_mode:uefi")),
        ("a=@@b", ("a", "@b")),
        ("a:=1", ("a", 1)),
        ('a:="1"', ("a", "1")),
    ],
)
def test_pairs(word, expected):
    assert argument_types.key_value(word) == expected


def test_a_word_that_is_no_pair_is_not_repeated():
    with pytest.raises(argparse.ArgumentTypeError) as error:
        argument_types.key_value("hunter2")
    assert "hunter2" not in str(error.value)


@given(KEYS, JSON)
def test_any_json_can_be_given(key, value):
    assert argument_types.key_value(f"{key}:={json.dumps(value)}") == (key, value)


def test_the_text_of_a_file_stays_text(tmp_path):
    path = tmp_path / "secret"
    path.write_text("12345\n")
    assert argument_types.key_value(f"password=@{path}") == ("password", "12345")
    assert argument_types.key_value(f"password:=@{path}") == ("password", 12345)


NODE = Reply({"uuid": "u", "name": "n", "provision_state": "active"})
WAIT = ("node", "wait", "--for", "provision_state=active")


def parsed(*argv):
    """Return the global timeout, and the words that are left for the command."""
    parser = BaremetalApp().parser
    add_options(parser, [])
    others, own = split_own_timeout(parser, list(argv))
    options, rest = parser.parse_known_args(others)
    return options.timeout, [*rest, *own]


@pytest.mark.parametrize(
    ("argv", "timeout", "rest"),
    [
        ("node wait --timeout 30m n", None, "node wait n --timeout 30m"),
        ("node watch --timeout=5", None, "node watch --timeout=5"),
        ("--timeout 5 node wait --timeo 30m n", 5, "node wait n --timeo 30m"),
        ("--timeout=5 -v volume attachment wait --timeout 2h x", 5, None),
        ("--os-endpoint wait server wait --timeout 9 s", None, "server wait s --timeout 9"),
        ("node list --timeout 5", 5, "node list"),
        ("node show wait --timeout 5", 5, "node show wait"),
        ("node delete node wait --timeout 5", 5, "node delete node wait"),
        ("--os-endpoint wait node list --timeout 5", 5, "node list"),
        ("node wait --os-username x --timeout 1 n", None, "node wait n --timeout 1"),
    ],
)
def test_what_each_timeout_is_for(argv, timeout, rest):
    found, left = parsed(*argv.split())
    assert found == timeout
    if rest is not None:
        assert left == rest.split()


def test_a_command_has_both(run):
    done = run("--timeout", "7", *WAIT, "--timeout", "30m", "n", script=(NODE,))
    assert (done.code, len(done.requests)) == (0, 1)


def test_the_error_is_about_the_own_one(run):
    done = run(*WAIT, "--timeout", "soon", "n")
    assert done.code == 2
    assert "argument --timeout: expected a duration such as 90, 90s, 30m or 2h" in done.err
    done = run(*WAIT, "n", "--timeout")
    assert done.code == 2
    assert "argument --timeout: expected one argument" in done.err


@given(st.text() | st.from_regex(r"\A\d*[a-z]?\Z"))
@example("0000000000")
@example("٣")
def test_a_duration_is_a_number_with_a_unit(text):
    match = re.fullmatch(r"([0-9]{1,9})([smh]?)", text)
    if match:
        unit = {"": 1, "s": 1, "m": 60, "h": 3600}[match[2]]
        assert argument_types.duration(text) == int(match[1]) * unit
    else:
        with pytest.raises(argparse.ArgumentTypeError):
            argument_types.duration(text)


@pytest.mark.parametrize(
    ("text", "expected"), [("2m", 120), ("0.5", 0.5), ("90", 90), ("1h", 3600)]
)
def test_seconds_can_have_a_unit(text, expected):
    assert argument_types.seconds(text) == expected


@pytest.mark.parametrize("text", ["nan", "inf", "-1", "1e3", "", "1d", "m", "0.5x", "1."])
def test_what_are_no_seconds(run, text):
    done = run(f"--timeout={text}", "node", "list")
    assert (done.code, done.requests) == (2, [])
    assert f"expected a duration such as 0.5, 90 or 2m, got {text!r}" in done.err


def test_a_positive_duration_is_not_0():
    assert argument_types.positive_duration("5m") == 300
    with pytest.raises(argparse.ArgumentTypeError, match="above 0"):
        argument_types.positive_duration("0s")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("--property", "cpus=4", "--property", "memory_mb", "--property", "local_gb=9"),
            "argument --property: number 2: 'memory_mb': expected key=value, ",
        ),
        (
            ("--driver-info", "a=1", "--driver-info", "s3cret"),
            "argument --driver-info: number 2: expected key=value, ",
        ),
    ],
)
def test_which_of_several_arguments_is_wrong(capsys, words, told):
    code, _, err = run_here(["node", "create", "--driver", "d", *words], capsys)
    assert code == 2
    assert told in err
    assert "s3cret" not in err
