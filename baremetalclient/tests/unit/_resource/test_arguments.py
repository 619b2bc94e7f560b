from __future__ import annotations

import pytest

from baremetalclient import exc
from baremetalclient._resource import arguments


@pytest.mark.parametrize("text", [True, "true", "On", "yes", "1", " T "])
def test_what_is_true(text):
    assert arguments.boolean(text, "state") is True


@pytest.mark.parametrize("text", [False, "false", "OFF", "no", "0", "f"])
def test_what_is_false(text):
    assert arguments.boolean(text, "state") is False


@pytest.mark.parametrize("wrong", ["", "maybe", None, 2])
def test_what_is_neither(wrong):
    with pytest.raises(exc.InvalidAttribute, match=r"'state'.*neither true nor false"):
        arguments.boolean(wrong, "state")


@pytest.mark.parametrize("wrong", ["", "  ", None, 3, b"x"])
def test_what_is_no_text(wrong):
    with pytest.raises(exc.ValidationError, match="'vif_id'"):
        arguments.text(wrong, "vif_id")
