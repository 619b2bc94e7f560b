"""The application for any WSGI server: ``gunicorn fake_server.wsgi_application:application``.

Options are those of ``baremetal-fake-server``, in the environment variable
``BAREMETAL_FAKE_SERVER_OPTIONS``, as they would stand on a command line. Processes act as one
server if ``--db`` names a database that they share.
"""

from __future__ import annotations

import os
import shlex

from fake_server.cli.serve import application_from

application = application_from(shlex.split(os.environ.get("BAREMETAL_FAKE_SERVER_OPTIONS", "")))
