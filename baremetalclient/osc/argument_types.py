"""The words of a command line that carry values: ``key=value``, files, JSON and YAML.

Wherever ``key=value`` is taken:

- ``key=text`` is JSON where it reads as JSON (``1``, ``true``, ``{"a": 1}``), else text;
- ``key=@file`` is the text of a file and ``key=@-`` that of standard input, so that secrets need
  not be on the command line; one newline at the end is dropped. ``key=@@text`` is ``@text``;
- ``key:=json`` is JSON or an error; ``key:=@file`` reads it from a file.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from baremetalclient._resource.arguments import parse_boolean


def pair(word: str) -> tuple[str, Any]:
    """Split ``key=value``.

    :param word: the word as given.
    :returns: the key and the value.
    :raises ArgumentTypeError: there is no key, no ``=``, a file can't be read, or the text after
        ``:=`` isn't JSON.
    """
    key, equals, text = word.partition("=")
    typed = key.endswith(":")
    key = key.removesuffix(":")
    if not equals or not key:
        # The word itself may hold a secret.
        raise ArgumentTypeError("expected key=value, key=@file, key=@- or key:=json")
    if text.startswith("@@"):
        return key, text[1:]
    if text.startswith("@"):
        text = read(text[1:])
        return key, _json(key, text) if typed else text
    return key, _json(key, text) if typed else json_or_text(text)


def document(word: str) -> Any:
    """Read JSON given as text, or JSON or YAML in a file or, for ``-``, on standard input.

    :param word: the argument as given.
    :returns: the decoded value.
    :raises ArgumentTypeError: it can't be read or decoded.
    """
    if word != "-" and not Path(word).is_file():
        try:
            return json.loads(word)
        except ValueError as error:
            raise ArgumentTypeError(
                f"expected JSON, the name of a file of JSON or YAML, or '-': no such file, and as "
                f"JSON: {error}"
            ) from error
    return load(read(word), word)


def load(text: str, name: str) -> Any:
    """Decode JSON or YAML.

    :param text: the text.
    :param name: where it is from.
    :returns: the decoded value.
    :raises ArgumentTypeError: it is neither.
    """
    # JSON is YAML too, but for tabs, and is decoded much faster as what it is.
    try:
        return json.loads(text)
    except ValueError:
        pass
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        reason = " ".join(str(error).split())
        raise ArgumentTypeError(f"{name} is neither JSON nor YAML: {reason}") from error


def json_or_text(text: str) -> Any:
    """Decode what reads as JSON and leave anything else as text.

    :param text: any text.
    :returns: the decoded value or the text itself.
    """
    try:
        return json.loads(text)
    except ValueError:
        return text


def boolean(word: str) -> bool:
    """Read a truth value as the server does.

    :param word: ``true``, ``yes``, ``on``, ``1``, ``t``, ``y`` or their opposites, in any case.
    :returns: the value.
    :raises ArgumentTypeError: it is none of these.
    """
    value = parse_boolean(word)
    if value is None:
        raise ArgumentTypeError(f"expected true or false, got {word!r}")
    return value


def natural(word: str) -> int:
    """Read a number that is not negative.

    :param word: decimal digits.
    :returns: the number.
    :raises ArgumentTypeError: it is no such number.
    """
    try:
        number = int(word)
    except ValueError:
        number = -1
    if number < 0:
        raise ArgumentTypeError(f"invalid int value: {word!r}; expected a non-negative number")
    return number


def positive(word: str) -> int:
    """Read a number above 0.

    :param word: decimal digits.
    :returns: the number.
    :raises ArgumentTypeError: it is no such number.
    """
    number = natural(word)
    if number == 0:
        raise ArgumentTypeError("expected a number above 0, got 0")
    return number


def secret(word: str) -> str:
    """Read a secret, which need not be on the command line.

    :param word: the secret itself, ``@file``, ``@-`` for standard input, or ``@@text``.
    :returns: the secret.
    :raises ArgumentTypeError: it is empty, or a file can't be read.
    """
    if word.startswith("@@"):
        return word[1:]
    return filled(read(word[1:]) if word.startswith("@") else word)


def filled(word: str) -> str:
    """Read text that is not empty.

    :param word: the argument as given.
    :returns: the same.
    :raises ArgumentTypeError: it is empty or blank.
    """
    if not word.strip():
        raise ArgumentTypeError("expected a value, got nothing")
    return word


def read(name: str) -> str:
    """Read a file or standard input.

    :param name: the path of a file, or ``-``.
    :returns: its text without one newline at the end.
    :raises ArgumentTypeError: it can't be read.
    """
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it isn't UTF-8 text"
        raise ArgumentTypeError(f"cannot read {name!r}: {reason}") from error
    return text.removesuffix("\n")


def _json(key: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ArgumentTypeError(f"the value of {key!r} is not JSON: {error}") from error
