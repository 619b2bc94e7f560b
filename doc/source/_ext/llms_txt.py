"""Write ``llms.txt`` beside the pages: what the project is, and each page with its address."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_SUMMARY = (
    "A client of OpenStack Bare Metal (Ironic), as commands and as a Python SDK, and a fake server "
    "for testing software that talks to Ironic."
)


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the file once the pages are there, section by section in the order of the contents."""
    if error is not None or app.builder.format != "html":
        return
    lines = [f"# {app.config.project}", "", f"> {_SUMMARY}"]
    for section in app.env.toctree_includes[app.config.root_doc]:
        lines += ["", f"## {_title(app, section)}", ""]
        pages = app.env.toctree_includes.get(section, [])
        lines += [f"- [{_title(app, page)}]({app.builder.get_target_uri(page)})" for page in pages]
    (app.outdir / "llms.txt").write_text("\n".join([*lines, ""]), "utf-8")


def _title(app: Sphinx, page: str) -> str:
    return app.env.titles[page].astext()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the function."""
    app.connect("build-finished", write)
    return {"parallel_read_safe": True}
