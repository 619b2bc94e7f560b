"""Escaping of text from servers for terminals and logs."""

from __future__ import annotations

import re

_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Return a text without characters that control a terminal.

    :param text: any text, such as a name or a message from a server.
    :returns: the text with control characters, bidirectional formatting and lone surrogates
        replaced by escapes (``\x1b``); line breaks and tabs are kept.
    """
    text = _UNPRINTABLE.sub(lambda match: _escape(match[0]), text)
    return _SURROGATE.sub(lambda match: _escape(match[0]), text)


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
