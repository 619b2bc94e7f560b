"""What completion prints for bash is read as the name again: no command in it runs."""

from __future__ import annotations

import contextlib
import io
import subprocess

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from baremetalclient.osc.completion import candidates, names

#: What shells treat in a special way, and other characters.
NAMES = st.text(
    st.sampled_from("ab $`\\'\"(){}[]<>|&;!*?~#%=:,^-é\n") | st.characters(codec="utf-8")
)


@contextlib.contextmanager
def with_names(*found):
    """Let these be the names of all resources."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(names, "_cached", lambda *_: [(name, None) for name in found])
        yield


def printed(line):
    """Return the lines that bash gets for a command line."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        candidates.main(["bash", line, "=:"])
    return output.getvalue().splitlines()


@given(NAMES.filter(bool))
@example("$(touch x)")
@example("`touch x`")
@example("a'; touch x; '")
@example('a"; touch x; "')
@example("a\n$(touch x)")
@example("!!")
@example("~")
def test_a_name_stays_a_name(name):
    with with_names(name):
        for quote in ("", "'", '"'):
            for word in printed(f"baremetal node list --shards {quote}"):
                read = subprocess.run(
                    ["bash", "-c", f"set -H; printf %s {quote}{word}{quote}"],
                    capture_output=True,
                    check=True,
                    text=True,
                )
                assert read.stdout == name


def test_all_but_harmless_characters_are_left_out_where_a_quote_is_open():
    with with_names("a b", "rack-1", "x;y", "é", "it's", "$HOME"):
        for quote in ("'", '"'):
            assert printed(f"baremetal node list --shards {quote}") == ["a b", "rack-1", "é"]


def test_a_name_is_never_taken_for_an_option():
    with with_names("--all", "-x", "rack-1"):
        assert printed("baremetal node show ") == ["rack-1"]
