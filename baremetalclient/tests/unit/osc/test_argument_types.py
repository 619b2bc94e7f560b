import argparse
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
