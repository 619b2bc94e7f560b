"""How a setting is described: in what group its option is, what it takes, and what it is for."""

from __future__ import annotations

from dataclasses import field, fields
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import Field


def setting(
    group: str,
    default: Any,
    option: str,
    text: str,
    *,
    shown: str | None = None,
    python: str | None = None,
) -> Any:
    """Describe a field of the settings, and the option of the command that sets it.

    :param group: group of the option in the help.
    :param default: the default; ``dict`` for an empty one.
    :param option: the option and what it takes: a value by the word that stands for it, or one of
        some words in lower case. ``{kind}`` stands for each kind of hardware interface. It is empty
        if there is no option.
    :param text: what the field is for.
    :param shown: the default in words, unless it is shown as it is.
    :param python: ``text`` for Python, where the field holds something else than the option takes.
    """
    if shown is None and isinstance(default, str | float):
        shown = str(default).removesuffix(".0")
    described = {
        "option": option,
        "group": group,
        "text": text,
        "default": f" (default: {shown})" if shown else "",
        "python": python or text,
    }
    if default is dict:
        return field(default_factory=dict, metadata=described)
    return field(default=default, metadata=described)


api = partial(setting, "Bare Metal API")
nodes = partial(setting, "nodes")
compute = partial(setting, "Nova, Placement and volumes")
hardware = partial(setting, "hardware")
conductors = partial(setting, "conductors")
authentication = partial(setting, "authentication")


def image(name: str, text: str) -> Any:
    """Describe the option for an image that nodes boot from."""
    return nodes(
        None,
        f"--{name.replace('_', '-')} URL",
        f"{text} of nodes whose driver_info names none (in Ironic: [conductor]{name})",
        shown="one with --agent simulated, otherwise none",
    )


def disallowed(kind: str) -> Any:
    """Describe the option for steps that nobody may ask for."""
    return nodes(
        ("vendor.send_raw",),
        f"--disallow-{kind}-steps STEPS",
        f"{kind} steps that nobody may ask for and that are left out of others, as "
        f"INTERFACE.STEP (in Ironic: [api]disallow_{kind}_steps)",
        shown="vendor.send_raw",
    )


def images_by_architecture(name: str) -> Any:
    """Describe the option for images by the architecture of nodes."""
    return nodes(
        dict,
        f"--{name.replace('_', '-')}-by-arch ARCH:URL,…",
        f"the same by 'cpu_arch' in the node's properties (in Ironic: [conductor]{name}_by_arch)",
    )


def documented(settings: Any) -> str:
    """Return the docstring of a class of settings, with a line for each."""
    return "\n".join([f"{settings.__doc__}\n", *map(_parameter, fields(settings))])


def _parameter(described: Field[Any]) -> str:
    meta = described.metadata
    return f":param {described.name}: {meta['python']}{meta['default']}."
