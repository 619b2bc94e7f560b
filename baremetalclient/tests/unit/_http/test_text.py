from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from baremetalclient._http.text import printable


def test_words_of_any_language_stay():
    assert printable("Knoten № 1: 节点 🙂\tx\n") == "Knoten № 1: 节点 🙂\tx\n"


@given(st.text())
def test_the_result_can_be_encoded_and_steers_nothing(text):
    result = printable(text)
    result.encode()
    assert all(letter in "\n\t" or ord(letter) >= 0x20 for letter in result)
