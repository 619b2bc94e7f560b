"""Sphinx configuration."""

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "baremetalclient"
copyright = "the baremetalclient authors"  # noqa: A001
version = release = installed_version("baremetalclient")
extensions = [
    "annotations",
    "cliff.sphinxext",
    "reno.sphinxext",
    "resource_tables",
    "route_table",
    "sphinx.ext.autodoc",
]
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autoprogram_cliff_application = "openstack"
html_theme = "alabaster"
html_theme_options = {"description": "Bare metal on OpenStack: client and fake server"}
nitpicky = True
suppress_warnings = ["ref.python"]  # the class 'type' and fields of this name
nitpick_ignore_regex = [
    ("py:class", r"(builtins|collections\.abc|logging|os|typing)\..*"),
    ("py:class", r"HTTPClient|RetryPolicy|ResourceT|_T|.*\.ResourceType"),  # internal
    ("py:class", r"Comparison|ListPoller|Term"),  # internal
    ("py:class", r"Inventory|Planner|LabSource|Action"),  # of baremetalclient.declare, internal
    ("py:class", r"Callable|Iterable|Iterator|Mapping|Sequence|NotRequired|Required"),
    ("py:class", r"BaseAuthPlugin|Session"),  # keystoneauth1's
]
