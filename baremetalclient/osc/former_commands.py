"""The commands of the former program ``ironic``, in words of today, for who types them still.

Source: the help of python-ironicclient 2.7, the last release with that program.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from baremetalclient._http.redact import masked_command_line
from baremetalclient._resource.arguments import parse_boolean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_NOUNS = {
    "chassis": "chassis",
    "driver": "driver",
    "node": "node",
    "port": "port",
    "portgroup": "port group",
    "volume-connector": "volume connector",
    "volume-target": "volume target",
}
_VERBS = ("create", "delete", "list", "show", "update")
_OTHERS = {
    "chassis-node-list": "node list --chassis",
    "driver-get-vendor-passthru-methods": "driver passthru list",
    "driver-properties": "driver property list",
    "driver-raid-logical-disk-properties": "driver raid property list",
    "driver-vendor-passthru": "driver passthru call",
    "node-get-boot-device": "node boot device show",
    "node-get-console": "node console show",
    "node-get-supported-boot-devices": "node boot device show {} --supported",
    "node-get-vendor-passthru-methods": "node passthru list",
    "node-inject-nmi": "node inject nmi",
    "node-port-list": "port list --node",
    "node-set-boot-device": "node boot device set",
    "node-set-target-raid-config": "node set {} --target-raid-config",
    "node-show-states": "node show {} --fields power_state provision_state last_error",
    "node-validate": "node validate",
    "node-vendor-passthru": "node passthru call",
    "portgroup-port-list": "port list --port-group",
}
"""The commands that take their arguments as before, the first one in the place of the braces."""
_BY_VALUE: Mapping[str, Mapping[str, str]] = {
    "node-set-console-mode": {"true": "node console enable", "false": "node console disable"},
    "node-set-maintenance": {"true": "node maintenance set", "false": "node maintenance unset"},
    "node-set-power-state": {
        "on": "node power on",
        "off": "node power off",
        "reboot": "node reboot",
    },
    "node-set-provision-state": {
        "active": "node deploy",
        "deleted": "node undeploy",
        **{
            verb: f"node {verb}"
            for verb in (
                *("abort", "adopt", "clean", "inspect", "manage", "provide", "rebuild"),
                *("rescue", "unrescue"),
            )
        },
    },
}
"""The commands that are another one for each value of their second argument."""
_OPTIONS = {
    "-a": "--address",
    "-c": "--chassis-uuid",
    "-d": "--driver",
    "-e": "--extra",
    "-i": "--driver-info",
    "-l": "--local-link-connection",
    "-p": "--property",
    "-u": "--uuid",
    "--detail": "--long",
    "--properties": "--property",
}
_OF_PORTS = {"-n": "--node", "--node_uuid": "--node", "--portgroup": "--port-group"}
_FIELDS = {"chassis_uuid": "--chassis-uuid", "node_uuid": "--node", "properties": "--property"}
_UPDATE = "-update"


def command_of_today(argv: Sequence[str]) -> str | None:
    """Return the command line that does what one of ``ironic`` did, None if it is none.

    :param argv: the words after the name of the program.
    """
    name, *words = argv or [""]
    noun, _, verb = name.rpartition("-")
    if noun in _NOUNS and verb == "update":
        found = _update(_NOUNS[noun], words)
    elif name in _BY_VALUE:
        found = _by_value(_BY_VALUE[name], words)
    elif name in _OTHERS:
        found = _filled(_OTHERS[name].split(), words)
    elif noun in _NOUNS and verb in _VERBS:
        found = [*_NOUNS[noun].split(), verb, *_options(noun, words)]
    else:
        return None
    return masked_command_line(shlex.join(["baremetal", *found]))


def _filled(today: list[str], words: list[str]) -> list[str]:
    """Return a command with its arguments."""
    if "{}" in today:
        at = today.index("{}")
        return [*today[:at], *words[:1], *today[at + 1 :], *words[1:]]
    if today[1:] == ["passthru", "call"]:
        # Arguments of the method followed its name.
        is_argument = re.compile(r"\w+=").match
        return [*today, *(f"--arg={word}" if is_argument(word) else word for word in words)]
    persistent = {"-p": "--persistent"} if today[1:] == ["boot", "device", "set"] else {}
    return [*today, *(persistent.get(word, word) for word in words)]


def _options(noun: str, words: list[str]) -> list[str]:
    """Return arguments with the options of today."""
    known = {**_OPTIONS, **({"-n": "--name"} if noun == "node" else _OF_PORTS)}
    found = []
    for word in words:
        name, equals, value = word.partition("=")
        if name in known or name.startswith("--"):
            name = known.get(name, name.replace("_", "-"))
            # The address of a port was an option.
            found += [] if (noun, name) == ("port", "--address") else [name]
            found += [value] if equals else []
        else:
            found.append(word)
    return found


def _by_value(table: Mapping[str, str], words: list[str]) -> list[str]:
    """Return the command for the second argument; several if that is missing or unknown."""
    value = words[1].lower() if len(words) > 1 else ""
    if "true" in table:
        value = str(parse_boolean(value)).lower()
    if value not in table:
        return ", ".join(table.values()).split()
    return [*table[value].split(), words[0], *_options("node", words[2:])]


def _update(noun: str, words: list[str]) -> list[str]:
    """Return the command for operations of a patch: ``IDENT add|replace|remove PATH=VALUE …``."""
    *ident, operation = (*words, "replace")[: 2 if words else 1]
    found = [*noun.split(), "unset" if operation == "remove" else "set", *ident]
    for attribute in words[2:]:
        path, equals, value = attribute.lstrip("/").partition("=")
        field, _, key = path.partition("/")
        found.append(_FIELDS.get(field, f"--{field.replace('_', '-')}"))
        found += [f"{key}{equals}{value}"] if key else [value] if equals else []
    return found
