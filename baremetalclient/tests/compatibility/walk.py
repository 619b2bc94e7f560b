"""Print the public names of python-ironicclient; a program like the others."""

import importlib
import inspect
import json
import pkgutil
import types

import baremetalclient
from baremetalclient import client

PACKAGE = baremetalclient.__name__


def parameters(value):
    """Return the names of the parameters that may be given by position, if it has a signature."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [name for name, one in signature.parameters.items() if one.kind in by_position]


def is_own(value):
    """Whether a value is no module and comes from no other package."""
    if isinstance(value, types.ModuleType):
        return False
    home = getattr(value, "__module__", None) or type(value).__module__
    return home.partition(".")[0] in (PACKAGE, "builtins")


def is_cli(module):
    """Whether a module is about the command line, whose classes are not used one by one."""
    return module.__name__.removeprefix(f"{PACKAGE}.").partition(".")[0] in ("osc", "shell")


def public(owner):
    return [name for name in dir(owner) if not name.startswith("_")]


def modules():
    yield baremetalclient
    for found in pkgutil.walk_packages(baremetalclient.__path__, f"{PACKAGE}."):
        if "tests" not in found.name.split("."):
            yield importlib.import_module(found.name)


def names():
    for module in modules():
        yield module.__name__, None
        for name in public(module):
            value = getattr(module, name)
            where = f"{module.__name__}:{name}"
            if not is_own(value):
                continue
            yield where, parameters(value)
            if (
                inspect.isclass(value)
                and value.__module__ == module.__name__
                and not is_cli(module)
            ):
                for attribute in public(value):
                    yield f"{where}.{attribute}", parameters(getattr(value, attribute))
    made = client.get_client(1, endpoint="http://127.0.0.1:9", os_ironic_api_version="1.80")
    for name in public(made):
        yield f"Client().{name}", None
    for name in public(made.http_client):
        value = getattr(made.http_client, name)
        yield f"Client().http_client.{name}", parameters(value)


print(json.dumps(dict(sorted(names()))))
