"""Formats of texts in bodies; what they refuse, they say in the words of Nova."""

from __future__ import annotations

import unicodedata
from functools import partial
from typing import TYPE_CHECKING

from fake_server.common.schemas import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: Nova takes no characters outside of the basic plane.
_LAST = "\ufffe"


def _is_printable(character: str) -> bool:
    category = unicodedata.category(character)
    separates = category.startswith("Z") and category != "Zs"
    return character <= _LAST and not category.startswith("C") and not separates


def _read(reason: str, excluded: str, text: str) -> None:
    printable = all(_is_printable(one) and one not in excluded for one in text)
    if not printable or not text or text[0].isspace() or text[-1].isspace():
        raise FormatError(
            f"An invalid 'name' value was provided. The name must be: printable characters{reason}"
        )


#: What raises FormatError for a text, by the name of the format.
FORMATS: Mapping[str, Callable[[str], object]] = {
    "name": partial(_read, ". Can not start or end with whitespace.", ""),
    "zone": partial(_read, " except :.Can not start or end with whitespace.", ":"),
}
