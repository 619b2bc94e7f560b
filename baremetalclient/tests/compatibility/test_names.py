"""The public names of python-ironicclient are here, or left out for a reason.

``walk.json`` has the names, and of functions the parameters that may be given by position; it is
recorded like the programs.
"""

from __future__ import annotations

import importlib
import inspect
import json
import subprocess
import sys
from fnmatch import fnmatchcase
from functools import cache

import pytest

from baremetalclient import client
from baremetalclient.tests.compatibility import sides

PROGRAM = sides.HERE / "walk.py"
RECORDED = PROGRAM.with_suffix(".json")
NAMES = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}

LEFT_OUT = {
    "ironicclient.osc.*": "The commands are in modules named after resources; programs run them.",
    "ironicclient.shell:*": "Programs run the command.",
    "ironicclient.common.apiclient.base*": "The bases of another library; nobody imports them.",
    "ironicclient.common.base:*T": "They are for annotations of that module.",
    "ironicclient.common.base:*Manager.resource_class": "Each manager has its own.",
    "ironicclient.common.base:SessionClient*": "client.http_client is it.",
    "ironicclient.common.base:Resource.HUMAN_ID": "Resources of Ironic have no human_id.",
    "ironicclient.common.base:Resource.NAME_ATTR": "Resources of Ironic have no human_id.",
    "ironicclient.common.base:Resource.set_loaded": "No field is fetched when it is read.",
    "ironicclient.common.filecache*": "Versions are not cached in files; nobody imports it.",
    "ironicclient.common.i18n": "Messages are not translated; nobody imports it.",
    "ironicclient.common.http:[!DL]*": "Nobody imports it; client.http_client has what is used.",
    "ironicclient.common.http:DEFAULT_*_*": "Nobody imports it; get_client() takes them.",
    "ironicclient.common.utils:[!ams]*": "Helpers of the command line; nobody imports them.",
    "ironicclient.*:HashColumn*": "A column of the command line; nobody imports it.",
    "ironicclient.v1.create_resources*": "The command 'create' does it; nobody imports it.",
    "ironicclient.v1.client:DEFAULT_VER": "It is in common.http.",
    "ironicclient.*:from_response": "It makes exceptions of responses, which the client does.",
    "ironicclient.v1.*.HUMAN_ID": "Resources of Ironic have no human_id.",
    "ironicclient.v1.*.NAME_ATTR": "Resources of Ironic have no human_id.",
    "ironicclient.v1.*.set_loaded": "No field is fetched when it is read.",
    "ironicclient.v1.resource_fields:Resource.FIELDS": "Labels belong to a type of resource.",
    **{
        f"ironicclient.v1.resource_fields:{name}_RESOURCE": "It is no list of resources."
        for name in (
            *("BIOS", "BIOS_DETAILED", "CHILDREN", "FIRMWARE", "NODE_HISTORY"),
            *("NODE_HISTORY_DETAILED", "TRAIT", "VENDOR_PASSTHRU_METHOD", "VIF"),
        )
    },
    **{
        f"Client().http_client.{name}": "Of keystoneauth1's adapter; the session has it."
        for name in (
            *("allow*", "api_version_select_state", "auth", "client_*", "conflict_*", "connect_*"),
            *("default_microversion", "endpoint_*", "get_*", "global_request_id", "head"),
            *("additional_headers", "interface", "invalidate", "logger", "max_version"),
            *("min_version", "raise_exc", "region_name", "register_*", "retriable_*"),
            *("service_*", "status_code_*", "user_agent"),
        )
    },
}
"""The names that are left out, with ``*``, and why."""

OTHER_PARAMETERS = {
    "Client().http_client.request": "The one of keystoneauth1; json_request() is the one to use.",
    "ironicclient.*.to_dict": "A property that returns a function, so that no field hides it.",
    "ironicclient.v1.events:EventManager.create": "The events are the only argument.",
    "ironicclient.v1.node:NodeManager.list": "Filters are given by name.",
    "ironicclient.v1.node:NodeManager.update": "reset_interfaces is given by name.",
    "ironicclient.v1.resource_fields:Resource": "It is made of descriptions of resources.",
}
"""The names whose parameters by position are others, with ``*``, and why."""


def reason(name, reasons=LEFT_OUT):
    return next((why for pattern, why in reasons.items() if fnmatchcase(name, pattern)), None)


@cache
def made():
    return client.get_client(1, endpoint="http://127.0.0.1:9", os_ironic_api_version="1.80")


def find(name):
    """Return what a name stands for in this client."""
    module, _, attributes = name.replace("ironicclient", "baremetalclient").partition(":")
    if module.startswith("Client()"):
        found = made()
        attributes = module.partition(".")[2]
    else:
        found = importlib.import_module(module)
    for attribute in filter(None, attributes.split(".")):
        found = getattr(found, attribute)
    return found


def exists(name):
    parent, _, last = name.rpartition("." if "." in name.rpartition(":")[2] else ":")
    try:
        if ":" in name or "()" in name:
            # Statically, since some attributes are properties that send a request.
            return last in dir(find(parent)) or hasattr(find(parent), last)
        else:
            importlib.import_module(name.replace("ironicclient", "baremetalclient"))
    except (ImportError, AttributeError):
        return False
    return True


def by_position(function):
    """Return the names of the parameters that may be given by position."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(function).parameters.items()
    return [name for name, one in parameters if one.kind in kinds]


def test_the_names_are_those_of_python_ironicclient(side, records, tmp_path):
    if side is sides.OURS:
        pytest.skip("It is about python-ironicclient alone.")
    seen = side.run_program(PROGRAM, tmp_path)
    if records:
        RECORDED.write_text(json.dumps(seen, indent=0) + "\n")
    assert seen == json.loads(RECORDED.read_text())


def test_names_are_here_or_left_out_for_a_reason():
    assert [name for name in NAMES if not exists(name) and not reason(name)] == []


def test_names_that_are_left_out_are_missing():
    missing = [name for name in NAMES if not exists(name)]
    unused = [one for one in LEFT_OUT if not any(fnmatchcase(name, one) for name in missing)]
    assert unused == []


def test_arguments_may_be_given_by_position_as_there():
    problems = {}
    for name, theirs in NAMES.items():
        if theirs is None or reason(name) or reason(name, OTHER_PARAMETERS):
            continue
        found = find(name)
        ours = by_position(found)
        if len(ours) < len(theirs) or not (inspect.isclass(found) or ours[: len(theirs)] == theirs):
            problems[name] = (theirs, ours)
    assert problems == {}


def test_forms_made_from_signatures_have_the_arguments_that_are_there():
    # Mistral makes the inputs of its actions from what getfullargspec() finds.
    problems = {}
    for name, theirs in NAMES.items():
        if theirs and "Manager." in name and not reason(name):
            ours = inspect.getfullargspec(find(name)).args
            if missing := set(theirs) - set(ours):
                problems[name] = missing
    assert problems == {}


def test_modules_are_attributes_of_the_package():
    # Each in a process of its own, in which nothing else has imported them.
    for name in ("client", "exc", "exceptions", "__version__"):
        code = f"import baremetalclient; baremetalclient.{name}"
        subprocess.run([sys.executable, "-c", code], check=True)
