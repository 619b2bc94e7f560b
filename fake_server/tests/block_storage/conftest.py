"""A Block Storage API in this process."""

from __future__ import annotations

import json
from uuid import NAMESPACE_URL, uuid5

import pytest

from fake_server.app import Application
from fake_server.clock import Clock
from fake_server.settings import Settings
from fake_server.tests.wsgi import request


def server(name):
    """Return the id of a server."""
    return str(uuid5(NAMESPACE_URL, name))


class Api:
    """Sends requests; returns status and decoded body."""

    def __init__(self, **options):
        self.clock = Clock("manual", start=1_700_000_000)
        self.app = Application(Settings(**options), clock=self.clock)

    def __call__(self, method, path, body=None, version="3.71"):
        asked = {} if version is None else {"HTTP_OPENSTACK_API_VERSION": f"volume {version}"}
        response = self.app.answer(request(method, f"/volume/v3{path}", body, **asked))
        self.headers = dict(response.headers)
        return response.status, json.loads(response.body) if response.body else None

    def volume(self, **values):
        """Create a volume and return it as it is shown afterwards."""
        status, body = self("POST", "/volumes", {"volume": {"size": 1, **values}})
        assert status == 202, body
        return self("GET", f"/volumes/{body['volume']['id']}")[1]["volume"]

    def status(self, volume):
        """Return the status of a volume."""
        return self("GET", f"/volumes/{volume['id']}")[1]["volume"]["status"]

    def attach(self, volume, instance=None, **values):
        """Create an attachment, to a server that is named; return the answer."""
        wanted = {"volume_uuid": volume["id"], **values}
        if instance is not None:
            wanted["instance_uuid"] = server(instance)
        return self("POST", "/attachments", {"attachment": wanted})


@pytest.fixture
def api():
    return Api()
