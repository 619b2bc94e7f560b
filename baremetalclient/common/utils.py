"""Arguments of the form ``key=value``, and more, for programs written for python-ironicclient."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._resource.arguments import json_or_text

if TYPE_CHECKING:
    from collections.abc import Iterable


def split_and_deserialize(string: str) -> tuple[str, Any]:
    """Return the key and the value of ``key=value``.

    :param string: the text; what is after ``=`` is decoded if it is JSON.
    :raises CommandError: if there is no ``=``.
    """
    key, equals, value = string.partition("=")
    if not equals:
        # The message has no more, since the text may be a secret.
        raise exc.CommandError(
            f"Expected key=value, got text without '=' ({len(string)} characters)."
        )
    return key, json_or_text(value)


def make_configdrive(path: str) -> str:
    """Return the base64 text of the configuration drive with the files of a directory.

    :param path: the directory.
    :raises CommandError: if it cannot be read, or no tool to build images is installed.
    """
    from baremetalclient import configdrive

    return configdrive.image_of(path)


def args_array_to_dict(kwargs: dict[str, Any], key_to_convert: str) -> dict[str, Any]:
    """Replace a list of ``key=value`` in a dictionary by a dictionary.

    :param kwargs: the dictionary, which is changed.
    :param key_to_convert: the key of the list; nothing is changed if it is missing or empty.
    :returns: ``kwargs``.
    :raises CommandError: if an item has no ``=``.
    """
    if kwargs.get(key_to_convert):
        kwargs[key_to_convert] = dict(map(split_and_deserialize, kwargs[key_to_convert]))
    return kwargs


def args_array_to_patch(op: str, attributes: Iterable[str]) -> list[dict[str, Any]]:
    """Return the operations of a JSON patch.

    :param op: ``add``, ``replace`` or ``remove``.
    :param attributes: the paths, such as ``extra/a``, with a slash before them or without; each
        followed by ``=`` and its value unless it is removed.
    :raises CommandError: if ``op`` is another one, or ``=`` is missing.
    """
    paths = [f"/{attribute.removeprefix('/')}" for attribute in attributes]
    if op == "remove":
        return [{"op": op, "path": path} for path in paths]
    if op not in ("add", "replace"):
        raise exc.CommandError(f"Unknown operation {op!r}. Known ones: add, replace, remove.")
    pairs = map(split_and_deserialize, paths)
    return [{"op": op, "path": path, "value": value} for path, value in pairs]
