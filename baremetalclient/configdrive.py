"""Configuration drives, converted to a form that Ironic accepts.

Ironic accepts a base64-encoded, gzipped image, the URL of one, or a dictionary to build one from.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from baremetalclient import _documents, exc

_TOOLS = ("genisoimage", "mkisofs", "xorrisofs")
_GZIP = b"\x1f\x8b"

ConfigDrive = str | bytes | dict[str, Any]
"""A config drive: a path, base64 text or a URL; bytes; or a dictionary."""


def prepared(configdrive: ConfigDrive | os.PathLike[str]) -> str | dict[str, Any]:
    """Return a configuration drive in a form that Ironic accepts.

    :param configdrive: the path of a directory to build an image of; the path of a file with
        an image, raw, gzipped or base64-encoded, or a JSON object; a dictionary; the base64 text
        itself; or a URL.
    :raises ValidationError: if it is none of these.
    :raises CommandError: if the image of a directory cannot be built.
    """
    if isinstance(configdrive, dict):
        return configdrive
    if isinstance(configdrive, bytes):
        return _from_bytes(configdrive)
    given = os.fspath(configdrive)
    if given.startswith(("http://", "https://")):
        return given
    if os.path.isdir(given):
        return image_of(given)
    if os.path.isfile(given):
        return _from_bytes(Path(given).read_bytes())
    if _is_base64(given):
        return given
    shown = given if len(given) < 100 else f"{given[:100]}..."
    raise exc.ValidationError(
        f"Invalid config drive {shown!r}. It has to be a file, a directory, a URL, or the base64 "
        "text of a gzipped image."
    )


def image_of(directory: str) -> str:
    """Return the base64 text of the gzipped ISO 9660 image of a directory.

    :param directory: the directory with the files of the drive.
    :raises CommandError: if it cannot be read, or no tool to build images is installed.
    """
    if not os.access(directory, os.R_OK | os.X_OK):
        raise exc.CommandError(f"The directory {directory!r} of the config drive is not readable.")
    with tempfile.TemporaryDirectory() as workspace:
        image = os.path.join(workspace, "configdrive.iso")
        for tool in _TOOLS:
            command = [tool, "-o", image, "-ldots", "-allow-lowercase", "-allow-multidot", "-l"]
            command += ["-publisher", "baremetalclient", "-quiet", "-J", "-r", "-V", "config-2"]
            try:
                done = subprocess.run(  # noqa: S603 - the tool and its options are fixed
                    [*command, directory], capture_output=True, text=True, check=False
                )
            except FileNotFoundError:
                continue
            if done.returncode:
                raise exc.CommandError(
                    f"{tool} failed to build the config drive: {done.stderr.strip()}"
                )
            return _encoded(gzip.compress(Path(image).read_bytes()))
    raise exc.CommandError(
        "No program to build a config drive of a directory is installed. Install one of: "
        f"{', '.join(_TOOLS)}."
    )


def _from_bytes(content: bytes) -> str | dict[str, Any]:
    if content.startswith(_GZIP):
        return _encoded(content)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return _encoded(gzip.compress(content))
    if text.lstrip().startswith("{"):
        try:
            decoded = _documents.from_json(text)
        except ValueError as error:
            raise exc.ValidationError(f"The config drive is not valid JSON: {error}") from None
        if isinstance(decoded, dict):
            return decoded
    if _is_base64(text):
        return text
    if "\0" in text:
        return _encoded(gzip.compress(content))
    raise exc.ValidationError(
        "Invalid config drive. It has to be an image, the base64 text of a gzipped one, or a JSON "
        "object."
    )


def _is_base64(text: str) -> bool:
    try:
        return base64.b64decode("".join(text.split()), validate=True).startswith(_GZIP)
    except (binascii.Error, ValueError):
        return False


def _encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()
