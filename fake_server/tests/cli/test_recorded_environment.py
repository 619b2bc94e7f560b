"""The variables and the clouds that ``baremetal-fake-server exec`` gives to a command.

A deliberate change is written down with ``--record -n 0``.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fake_server.cli import cloud_config
from fake_server.settings import Settings
from fake_server.tests import recorded

RECORD = Path(__file__).with_name("environment.json.gz")
URL = "http://127.0.0.1:6385"


@pytest.mark.parametrize("ca_file", [None, Path("/ca.pem")])
@pytest.mark.parametrize("auth", ["none", "http_basic", "keystone"])
def test_environments_are_as_recorded(request, tmp_path, auth, ca_file):
    settings = Settings(auth=auth)
    found = {}
    for account in (None, *(one.name for one in settings.accounts)) if auth != "none" else (None,):
        given = cloud_config.environment(URL, settings, tmp_path, account, ca_file=ca_file)
        if file := given.pop("OS_CLIENT_CONFIG_FILE", None):
            given["clouds"] = json.loads(Path(file).read_text())["clouds"]
        found[str(account)] = [given, cloud_config.identity(settings, account)]
    found["options"] = cloud_config.options(URL, settings, ca_file)
    recorded.check(request, RECORD, f"{auth}, {ca_file}", found)
