"""YAML of labs: references to secrets are read, and what is written all parsers read alike."""

from __future__ import annotations

import re
from typing import Any

import yaml

from baremetalclient import _yaml
from baremetalclient._http.escapes import printable
from baremetalclient.declare.secrets import TAG, Reference

_QUOTED = re.compile(
    # MAC addresses, of which YAML 1.1 takes some for numbers with the base 60.
    r"[0-9a-fA-F]{2}(:[0-9a-fA-F]{2})+"
    # Numbers of YAML 1.2.
    r"|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+"
)

_ODD_NUMBER = re.compile(r"[-+]?(0[0-9_]|[0-9_]+:)")


class LabLoader(_yaml.Loader):
    """A loader that also supports ``!secret``, and keeps how numbers were written."""


class OddNumber(int):
    """An integer that YAML 1.1 reads from what people don't take for that number.

    :ivar written: how it was written: ``012``, which is octal, or ``10:20``, with the base 60.
    """

    written: str


def _reference(loader: yaml.SafeLoader, node: yaml.Node) -> Reference:
    scalar = node.value if isinstance(node, yaml.ScalarNode) else None
    return Reference(scalar)


def _integer(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> int:
    number = loader.construct_yaml_int(node)
    if not _ODD_NUMBER.match(node.value):
        return number
    odd = OddNumber(number)
    odd.written = node.value
    return odd


LabLoader.add_constructor(TAG, _reference)
LabLoader.add_constructor("tag:yaml.org,2002:int", _integer)


class _Dumper(yaml.SafeDumper):
    """The safe dumper without references between values, and with more quotes."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write equal values out, which are easier to read and to change."""
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    # Only this style has escapes.
    style = '"' if printable(text) != text else "'" if _QUOTED.fullmatch(text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def dumped(value: Any) -> str:
    """Return a value as YAML, with its keys in the order that they have.

    What controls a terminal or can't be seen is escaped, in the way of YAML.
    """
    text = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return printable(text)
