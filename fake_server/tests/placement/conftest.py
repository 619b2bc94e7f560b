"""A Placement API in this process, beside the Bare Metal API whose nodes it shows."""

from __future__ import annotations

import json

import pytest

from fake_server.tests.baremetal import api as baremetal
from fake_server.tests.wsgi import request


class Api:
    """Sends requests; returns status and decoded body."""

    def __init__(self, **options):
        self.ironic = baremetal.Api(**options)
        self.clock = self.ironic.clock

    def __call__(self, method, path, body=None, version="1.39"):
        asked = {} if version is None else {"HTTP_OPENSTACK_API_VERSION": f"placement {version}"}
        response = self.ironic.app.answer(request(method, f"/placement{path}", body, **asked))
        self.headers = dict(response.headers)
        return response.status, json.loads(response.body) if response.body else None

    def get(self, path, version="1.39"):
        """Return what a GET that has to succeed answers."""
        status, body = self("GET", path, version=version)
        assert status == 200, body
        return body

    def provider(self, name="p", **values):
        """Create a provider and return it."""
        status, body = self("POST", "/resource_providers", {"name": name, **values})
        assert status == 200, body
        return body

    def stock(self, uuid, version="1.39", **totals):
        """Give a provider inventories, and nothing else."""
        generation = self.get(f"/resource_providers/{uuid}")["generation"]
        body = {
            "resource_provider_generation": generation,
            "inventories": {name: {"total": total} for name, total in totals.items()},
        }
        status, answer = self("PUT", f"/resource_providers/{uuid}/inventories", body, version)
        assert status == 200, answer

    def set_traits(self, uuid, *names):
        """Give a provider these traits."""
        generation = self.get(f"/resource_providers/{uuid}")["generation"]
        body = {"resource_provider_generation": generation, "traits": list(names)}
        return self("PUT", f"/resource_providers/{uuid}/traits", body)

    def available(self, name, resource_class="gold", traits=()):
        """Enrol a node that can be had, and return its UUID."""
        uuid = self.ironic.enrol(name, resource_class=resource_class)
        self.ironic.provision("manage", "provide", ident=name)
        if traits:
            self.ironic("PUT", f"/v1/nodes/{name}/traits", {"traits": list(traits)})
        return uuid

    def allocate(self, consumer, uuid, version="1.39", **resources):
        """Let a new consumer have something; return the answer."""
        body = {
            "allocations": {uuid: {"resources": resources}},
            "project_id": "p",
            "user_id": "u",
            "consumer_generation": None,
            "consumer_type": "INSTANCE",
        }
        return self("PUT", f"/allocations/{consumer}", body, version)


def detail(answer):
    """Return what an error says, without what stands before each."""
    status, body = answer
    error = body["errors"][0]
    assert error["status"] == status
    return error["detail"].partition("\n\n ")[2].strip()


@pytest.fixture
def api():
    return Api()
