"""The application for any WSGI server: ``gunicorn fake_server.wsgi_application:application``.

Options are those of ``baremetal-fake-server``: in the environment variable
``BAREMETAL_FAKE_SERVER_OPTIONS``, as they would stand on a command line, or each in a variable of
its own. Processes act as one server if ``--db`` names a database that they share.
"""

from __future__ import annotations

import os
import shlex

from fake_server.app import Application
from fake_server.cli.defaults import OPTIONS_VARIABLE
from fake_server.cli.options import parse, settings

_OPTIONS = parse(shlex.split(os.environ.get(OPTIONS_VARIABLE, "")))

application = Application(
    settings(_OPTIONS),
    db=_OPTIONS.db,
    clock=_OPTIONS.clock,
    seed=_OPTIONS.seed,
    upgrade=_OPTIONS.upgrade,
)
