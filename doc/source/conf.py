"""Sphinx configuration."""

import logging
import sys
from importlib import import_module
from importlib.metadata import version as installed_version
from pathlib import Path

logging.getLogger("reno").setLevel(logging.WARNING)
sys.path[:0] = [str(Path(__file__).parent / "_ext"), str(Path(__file__).parents[2])]
merged_notes = import_module("tools.merged_notes")
merged_notes.accept()

project = "baremetalclient"
copyright = "baremetalclient contributors"  # noqa: A001
version = release = installed_version("baremetalclient")
extensions = [
    "annotations",
    "api_matrix",
    "command_pages",
    "exception_tree",
    "llms_txt",
    "module_list",
    "node_states",
    "pictures",
    "reno.sphinxext",
    "resource_tables",
    "route_table",
    "service_routes",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
]
autodoc_member_order = "bysource"
autodoc_typehints = "description"
html_theme = "furo"
html_title = "baremetalclient"
html_static_path = ["_static"]
html_css_files = ["custom.css"]
copybutton_prompt_text = "$ "
copybutton_line_continuation_character = "\\"
smartquotes = False  # options are written with two hyphens
nitpicky = True
suppress_warnings = ["ref.python"]  # the class 'type' and fields of this name
nitpick_ignore_regex = [
    ("py:class", r"(builtins|collections\.abc|logging|os|typing)\..*"),
    ("py:class", r"HTTPClient|RetryPolicy|(.*\.)?ResourceT|_T|(.*\.)?ResourceType"),  # internal
    (
        "py:class",
        r"Fetcher|Goal|Listener|Target|Vocabulary|(.*\.)?Term|(.*\.)?ValueT",
    ),  # internal
    ("py:class", r"baremetalclient\.exc\._StateTransitionError"),  # internal
    ("py:class", r"Lab|LabSource|Live|StepAction|_Planner"),  # of baremetalclient.declare, internal
    ("py:class", r"Callable|Iterable|Iterator|Mapping|Sequence|NotRequired|Required"),
    ("py:class", r"BaseAuthPlugin|Session"),  # keystoneauth1's
]
