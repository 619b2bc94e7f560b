"""Types of command line arguments: ``key=value``, files, JSON, YAML, numbers and booleans.

Arguments of the form ``key=value``:

- ``key=text``: decoded if it is valid JSON (``1``, ``true``, ``{"a": 1}``), else text;
- ``key=@file``: the text of a file, and ``key=@-`` that of standard input, without one newline at
  the end, so that secrets need not be on the command line. ``key=@@text`` stands for ``@text``;
- ``key:=json``: JSON only; ``key:=@file`` reads it from a file.

Each function takes an argument as it was given, and raises ArgumentTypeError for an invalid one.
"""

from __future__ import annotations

import os
from argparse import ArgumentTypeError
from typing import Any

from baremetalclient import _documents, exc
from baremetalclient._resource.arguments import json_or_text, parse_boolean, parse_duration

_UNITS = "smh"
"""The units of durations: seconds, minutes and hours."""


def key_value(argument: str) -> tuple[str, Any]:
    """Return the key and the value of ``key=value``.

    :raises ArgumentTypeError: if there is no key or no ``=``, a file cannot be read, or the text
        after ``:=`` is not JSON.
    """
    key, equals, text = argument.partition("=")
    typed = key.endswith(":")
    key = key.removesuffix(":")
    if not equals or not key:
        # The message has no value, since that may be a secret.
        raise ArgumentTypeError("expected key=value, key=@file, key=@- or key:=json")
    if text.startswith("@@"):
        return key, text[1:]
    if text.startswith("@"):
        text = read_text(text[1:])
        return key, _json(key, text) if typed else text
    return key, _json(key, text) if typed else json_or_text(text)


def plain_key_value(argument: str) -> tuple[str, Any]:
    """Return the key and the value of ``key=value``, none of which is ever secret.

    :raises ArgumentTypeError: see :func:`key_value`; the message has the argument.
    """
    try:
        return key_value(argument)
    except ArgumentTypeError as error:
        raise ArgumentTypeError(f"{argument!r}: {error}") from None


def json_or_yaml(argument: str) -> Any:
    """Return decoded JSON, or JSON or YAML from a file or, for ``-``, from standard input."""
    if argument != "-" and not os.path.isfile(argument):
        try:
            return _documents.from_json(argument)
        except ValueError as error:
            raise ArgumentTypeError(
                f"expected JSON, the name of a file with JSON or YAML, or '-'. There is no such "
                f"file, and it is not JSON: {error}"
            ) from error
    return parse_json_or_yaml(read_text(argument), argument)


def parse_json_or_yaml(text: str, name: str) -> Any:
    """Return decoded JSON or YAML.

    :param name: the name of its source, for the message.
    """
    try:
        return _documents.decode(text)
    except _documents.DocumentError as error:
        raise ArgumentTypeError(f"{name} {error}") from error


def boolean(argument: str) -> bool:
    """Return a boolean, read as the server reads it.

    :param argument: ``true``, ``yes``, ``on``, ``1``, ``t``, ``y`` or an opposite, in any case.
    """
    value = parse_boolean(argument)
    if value is None:
        raise ArgumentTypeError(f"expected true or false, got {argument!r}")
    return value


def non_negative_int(argument: str) -> int:
    """Return an integer of 0 or more."""
    try:
        number = int(argument)
    except ValueError:
        number = -1
    if number < 0:
        raise ArgumentTypeError(f"invalid int value: {argument!r}; expected a non-negative number")
    return number


def positive_int(argument: str) -> int:
    """Return an integer above 0."""
    number = non_negative_int(argument)
    if number == 0:
        raise ArgumentTypeError("expected a number above 0, got 0")
    return number


def duration(argument: str) -> int:
    """Return a duration in seconds.

    :param argument: a number of seconds, or with a unit after it: ``90s``, ``30m``, ``2h``.
    """
    found = None if "." in argument else parse_duration(argument, _UNITS)
    if found is None:
        raise ArgumentTypeError(f"expected a duration such as 90, 90s, 30m or 2h, got {argument!r}")
    return int(found)


def positive_duration(argument: str) -> int:
    """Return a :func:`duration` above 0."""
    number = duration(argument)
    if number == 0:
        raise ArgumentTypeError("expected a duration above 0, got 0")
    return number


def seconds(argument: str) -> float:
    """Return the seconds of a :func:`duration`, whose number may be a fraction."""
    found = parse_duration(argument, _UNITS)
    if found is None:
        raise ArgumentTypeError(f"expected a duration such as 0.5, 90 or 2m, got {argument!r}")
    return found


def secret(argument: str) -> str:
    """Return a secret, which need not be on the command line.

    :param argument: the secret itself, ``@file``, ``@-`` for standard input, or ``@@text``.
    :raises ArgumentTypeError: if it is blank, or a file cannot be read.
    """
    if argument.startswith("@@"):
        return argument[1:]
    return non_empty(read_text(argument[1:]) if argument.startswith("@") else argument)


def non_empty(argument: str) -> str:
    """Return an argument that is not blank."""
    if not argument.strip():
        raise ArgumentTypeError("expected a value, got blank text")
    return argument


def provision_state(argument: str) -> str:
    """Return the name of a provision state."""
    from baremetalclient._resource.arguments import check_value
    from baremetalclient.v1.provision_states import STATES

    try:
        check_value("provision state", argument, STATES)
    except exc.ValidationError as error:
        raise ArgumentTypeError(str(error)) from None
    return argument


def read_text(name: str) -> str:
    """Return the text of a file or of standard input, without one newline at the end.

    :param name: the path of a file, or ``-``.
    """
    try:
        return _documents.read_text(name).removesuffix("\n")
    except _documents.DocumentError as error:
        raise ArgumentTypeError(str(error)) from error


def _json(key: str, text: str) -> Any:
    try:
        return _documents.from_json(text)
    except ValueError as error:
        raise ArgumentTypeError(f"the value of {key!r} is not JSON: {error}") from error
