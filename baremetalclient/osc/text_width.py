"""The columns of a terminal that texts take."""

from __future__ import annotations


def text_width(text: str) -> int:
    """Return the number of columns that a text takes; control characters take none."""
    if text.isascii():
        return len(text)
    # Most output does without this module, whose import takes as long as a small request.
    from wcwidth import wcwidth

    return sum(max(wcwidth(character), 0) for character in text)


def cut(text: str, columns: int) -> str:
    """Return the beginning of a text that fits a number of columns."""
    text = text[: 2 * columns]
    while text_width(text) > columns:
        text = text[:-1]
    return text
