"""Escapes for characters of text from servers that control a terminal, or can't be seen."""

from __future__ import annotations

import re

_CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029"
_DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# With them, two names look the same.
_INVISIBLE = "\xad\u180e\u200b-\u200d\u2060-\u2064\ufeff\U000e0000-\U000e007f"
_UNPRINTABLE = f"[{_CONTROL}{_DIRECTION}{_INVISIBLE}\ud800-\udfff]"


def printable(text: str) -> str:
    r"""Return a text without characters that control a terminal.

    :param text: any text, such as a name or a message from a server.
    :returns: the text with control characters, bidirectional formatting and lone surrogates
        replaced by escapes (``\x1b``), as are invisible ones; line breaks and tabs are kept.
    """
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_UNPRINTABLE, lambda match: _escape(match[0]), text)


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
