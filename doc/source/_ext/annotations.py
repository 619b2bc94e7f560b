"""Types and attributes in the reference of the SDK: names link to what a reader looks up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sphinx.addnodes import desc_signature
from sphinx.util.nodes import make_refnode

from baremetalclient.v1 import types

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.domains import Domain
    from sphinx.environment import BuildEnvironment

PAGES = ("reference/sdk/", "reference/types/")
"""The folders of the pages on which each name has to be one of the reference."""


def shorten(app: Sphinx, *_: object) -> None:
    """Write ``NodeFields`` instead of ``Unpack[NodeFields]``, and where ``V1Client`` is."""
    for found in app.env.temp_data.get("annotations", {}).values():
        for name, text in found.items():
            text = re.sub(r"^Unpack\[(\w+)\]$", r"\1", text)
            found[name] = text.replace("V1Client", "baremetalclient.v1.client.Client")


def resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.Element | None:
    """Link the name of a set of values, which is data and no class to Sphinx."""
    page, target = node.get("refdoc"), node.get("reftarget", "")
    if node.get("refdomain") != "py" or not str(page).startswith(PAGES):
        return None
    for name, found in env.domains["py"].data["objects"].items():
        if found.objtype == "data" and name.rpartition(".")[2] == target.rpartition(".")[2]:
            return make_refnode(app.builder, page, found.docname, found.node_id, content, name)
    return None


def tolerate(app: Sphinx, domain: Domain | None, node: pending_xref) -> bool | None:
    """Leave out warnings of names on other pages."""
    return None if str(node.get("refdoc")).startswith(PAGES) else True


def skip(app: Sphinx, what: str, name: str, *_: object) -> bool | None:
    """Leave out keys that are no identifiers, which Sphinx cannot show as attributes."""
    return None if name.isidentifier() else True


def leave_out_of_contents(app: Sphinx, domain: str, kind: str, content: nodes.Element) -> None:
    """Leave attributes out of the contents: each page's navigation copies those of all pages."""
    if domain == "py" and kind == "attribute":
        for signature in content.parent.findall(desc_signature):
            signature["_toc_name"] = ""


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the functions, after those of autodoc."""
    app.setup_extension("sphinx.ext.autodoc")
    app.config.autodoc_type_aliases = {name: name for name in vars(types) if name[0].isupper()}
    app.connect("autodoc-process-signature", shorten, priority=900)
    app.connect("autodoc-skip-member", skip)
    app.connect("missing-reference", resolve)
    app.connect("object-description-transform", leave_out_of_contents)
    app.connect("warn-missing-reference", tolerate)
    return {"parallel_read_safe": True}
