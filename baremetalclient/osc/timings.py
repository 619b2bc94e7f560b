"""``--timing``: how long each request took."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._http.urls import without_credentials
from baremetalclient.osc.command import Lister
from baremetalclient.osc.terminal.formatters import Table

if TYPE_CHECKING:
    import argparse

    from cliff.command import Command
    from keystoneauth1.session import Session
    from requests import Response

    from baremetalclient.osc.command import TableData


class Timings:
    """The requests of a session, with the seconds until the headers of each response."""

    def __init__(self, session: Session) -> None:
        self.rows: list[tuple[str, float]] = []
        hooks: Any = session.session.hooks
        hooks["response"].append(self._add)

    def _add(self, response: Response, *args: object, **kwargs: object) -> None:
        request = f"{response.request.method} {without_credentials(response.url)}"
        self.rows.append((request, response.elapsed.total_seconds()))


class ShowTimings(Lister):
    """Print the seconds that each request took, and their sum, as OpenStackClient does."""

    timings: Timings

    @staticmethod
    def format_after(command: Command) -> str:
        """Return the format for the timings after a command: a table, or else CSV.

        :param command: the command, after it has run.
        """
        return "table" if isinstance(getattr(command, "formatter", None), Table | None) else "csv"

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        rows = self.timings.rows
        return ("URL", "Seconds"), [*rows, ("Total", sum(seconds for _, seconds in rows))]
