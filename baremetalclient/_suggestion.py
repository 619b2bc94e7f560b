"""Suggestions for words that are not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_SHOWN = 200
"""The characters of a text that a message shows."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question about the most similar word, empty if none is similar.

    :returns: the question, with a blank before it.
    """
    import difflib

    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.7)
    return f" Did you mean {near[0]!r}?" if near else ""


def suggestion(word: str, known: Iterable[str], label: str = "Known") -> str:
    """Return which word may have been meant, or all words if none is similar.

    :param label: what the list of all words begins with.
    :returns: a sentence, with a blank before it.
    """
    words = list(known)
    return did_you_mean(word, words) or f" {label}: {', '.join(words)}."


def quoted(text: str) -> str:
    """Return a text in quotes for a message, as much of it as helps."""
    return repr(text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…")
