"""Suggestions for words that are not known."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


#: Comparing words takes time with the square of their lengths; no known one is as long as this.
_LONGEST = 300
#: The least similarity of words that one is suggested for the other; 1 is that of equal ones.
_LEAST = 0.7
#: The characters of a message that are shown.
_MOST_SHOWN = 1000


def nearest(word: object, known: Iterable[str]) -> str | None:
    """Return the known word that is most similar; ``None`` if none is similar enough."""
    text = str(word)
    near = get_close_matches(text, list(known), 1, _LEAST) if len(text) < _LONGEST else ()
    return near[0] if near else None


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """Return a question about the most similar word, with a blank before it; empty if none is."""
    near = nearest(word, known)
    return f" Did you mean {near}?" if near else ""


def suggestion(word: object, known: Iterable[str], label: str) -> str:
    """Return which word may have been meant, or all words if none is similar.

    :param label: what the list of all words begins with.
    :returns: a sentence, with a blank before it.
    """
    words = list(known)
    return did_you_mean(word, words) or f" {label} {', '.join(words)}."


def shortened(message: str) -> str:
    """Return as much of a message as helps; a value in it may have any length."""
    return message if len(message) <= _MOST_SHOWN else f"{message[:_MOST_SHOWN]}…"
