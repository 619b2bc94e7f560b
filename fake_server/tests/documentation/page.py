"""The code blocks of a page in reStructuredText, and the remarks that say how they are run.

Remarks are comments, which readers do not see:

``.. server: OPTIONS``
    A fake server with these options runs from here on; the commands and the Python blocks of the
    page use it, as ``ironic.example.com``, port 6385 of this machine, and the cloud ``lab``.
``.. file: NAME``
    The indented text is a file that the page needs.
``.. run: COMMAND``
    A command that the page needs and does not show.
``.. needs: NAME ...``
    Programs and paths without which the page cannot be tried.
``.. only in a fresh environment: REASON``
    ``tools/dev tutorials`` runs the next block, the tests do not.
``.. not run: REASON``
    The next block cannot be run.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "doc" / "source"
_DIRECTIVE = re.compile(r"^( *)\.\. code-block::(?: (\S+))?$")
_REMARK = re.compile(
    r"^( *)\.\. (server|file|run|needs|only in a fresh environment|not run):(?: (.*))?$"
)
_OPTION = re.compile(r"^ *:(\w+): (.*)$")


@dataclass(frozen=True)
class Block:
    """A code block, or a remark.

    :param kind: its language, or the word of the remark.
    :param line: its number in the page.
    :param caption: the name of the file that it is, or the text of the remark.
    :param text: what is in it.
    :param only_fresh: why only ``tools/dev tutorials`` runs it, if so.
    :param not_run: why it is not run, if so.
    """

    kind: str
    line: int
    caption: str
    text: str
    only_fresh: str = ""
    not_run: str = ""


def pages() -> list[Path]:
    """Return all pages for users that have blocks, README first."""
    found = [ROOT / "README.rst", *sorted(SOURCE.rglob("*.rst"))]
    return [page for page in found if page.parent.name != "contributing" and blocks(page)]


def name(page: Path) -> str:
    """Return what a page is called in reports."""
    return str(page.relative_to(SOURCE if page.is_relative_to(SOURCE) else ROOT))


def blocks(page: Path) -> list[Block]:
    """Return the blocks and remarks of a page, in order."""
    lines = page.read_text("utf-8").splitlines()
    found: list[Block] = []
    reasons: dict[str, str] = {}
    number = 0
    while number < len(lines):
        start, line = number, lines[number]
        number += 1
        if remark := _REMARK.match(line):
            kind, text = remark[2], remark[3] or ""
            body, number = _indented(lines, number, len(remark[1]))
            if kind in ("not run", "only in a fresh environment"):
                reasons[kind] = " ".join([text, *body.split()])
            else:
                found.append(Block(kind, start + 1, text, body))
        elif directive := _DIRECTIVE.match(line):
            caption = ""
            while number < len(lines) and (option := _OPTION.match(lines[number])):
                caption = option[2] if option[1] == "caption" else caption
                number += 1
            body, number = _indented(lines, number, len(directive[1]))
            found.append(
                Block(
                    directive[2] or "",
                    start + 1,
                    caption,
                    body,
                    reasons.pop("only in a fresh environment", ""),
                    reasons.pop("not run", ""),
                )
            )
        elif line.endswith("::") and not line.lstrip().startswith(".."):
            found.append(Block("", start + 1, "", ""))
    return found


def _indented(lines: list[str], number: int, indent: int) -> tuple[str, int]:
    """Return the lines that are indented further, without their indent, and where they end."""
    body: list[str] = []
    while number < len(lines) and (
        not lines[number].strip() or len(lines[number]) - len(lines[number].lstrip()) > indent
    ):
        body.append(lines[number])
        number += 1
    return textwrap.dedent("\n".join(body)).strip("\n") + "\n" * any(body), number
