import argparse
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baremetalclient.osc import argument_types

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


@pytest.mark.parametrize("word", ["", "a", "=b", ":=1", "a:=b", "a=@/nowhere/at/all"])
def test_no_pairs(word):
    with pytest.raises(argparse.ArgumentTypeError):
        argument_types.key_value(word)


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


def test_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("s3cret\n"))
    assert argument_types.key_value("password=@-") == ("password", "s3cret")


def test_a_file_that_is_no_text(tmp_path):
    path = tmp_path / "image"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(argparse.ArgumentTypeError, match="UTF-8"):
        argument_types.key_value(f"a=@{path}")


@pytest.mark.parametrize("text", ['[{"step": "erase"}]', "- step: erase\n"])
def test_documents_in_files_and_from_standard_input(text, tmp_path, monkeypatch):
    path = tmp_path / "steps"
    path.write_text(text)
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert (
        argument_types.json_or_yaml(str(path))
        == argument_types.json_or_yaml("-")
        == [{"step": "erase"}]
    )


def test_a_document_on_the_command_line():
    assert argument_types.json_or_yaml('{"a": 1}') == {"a": 1}


@pytest.mark.parametrize("word", ["steps.yaml", "{"])
def test_neither_a_file_nor_json(word):
    with pytest.raises(argparse.ArgumentTypeError, match="no such file"):
        argument_types.json_or_yaml(word)


def test_a_file_that_is_neither_json_nor_yaml(tmp_path):
    path = tmp_path / "steps"
    path.write_text("a: [")
    with pytest.raises(argparse.ArgumentTypeError) as error:
        argument_types.json_or_yaml(str(path))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("word", "value"), [("true", True), ("No", False), ("1", True)])
def test_truth_values(word, value):
    assert argument_types.boolean(word) is value


@pytest.mark.parametrize(
    ("read", "word"),
    [
        (argument_types.boolean, "maybe"),
        (argument_types.non_negative_int, "-1"),
        (argument_types.non_negative_int, "many"),
        (argument_types.positive_int, "0"),
        (argument_types.non_empty, " "),
        (argument_types.secret, ""),
    ],
)
def test_wrong_values(read, word):
    with pytest.raises(argparse.ArgumentTypeError):
        read(word)


def test_secrets(tmp_path):
    path = tmp_path / "secret"
    path.write_text("s3cret\n")
    assert [argument_types.secret(word) for word in ("pass", f"@{path}", "@@pass")] == [
        "pass",
        "s3cret",
        "@pass",
    ]
