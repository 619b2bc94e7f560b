"""OpenStackClient with the clouds.yaml of the server: each account has the rights of its roles."""

from __future__ import annotations

import pytest

from fake_server import cloud_config
from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.tests.interop import conftest

pytestmark = pytest.mark.slow("starts the program openstack")
ALL = ["leased", "nobodys", "owned"]
DEMO = ["leased", "owned"]


@pytest.fixture(scope="module")
def openstack(tmp_path_factory):
    """Run a command on one of the clouds; return its exit status, output and errors."""
    settings = Settings(auth="keystone")
    with FakeServer(settings) as server:
        folder = tmp_path_factory.mktemp("cloud")
        variables = cloud_config.environment(server.url, settings, folder)
        file = {"OS_CLIENT_CONFIG_FILE": variables["OS_CLIENT_CONFIG_FILE"]}

        def run(cloud, *words):
            status, printed, errors = conftest.openstack(file, "--os-cloud", cloud, *words)
            return status, printed.split(), errors

        yield run


@pytest.fixture(scope="module")
def nodes(openstack):
    status, project, _ = openstack(
        "fake-project-admin", *["token", "issue", "-f", "value", "-c", "project_id"]
    )
    assert status == 0
    for name, words in {
        "owned": ["--owner", *project],
        "leased": ["--lessee", *project],
        "nobodys": [],
    }.items():
        create = ["baremetal", "node", "create", "--driver", "fake-hardware", "--name", name]
        status, _, errors = openstack("fake-system", *create, *words)
        assert status == 0, errors


@pytest.mark.usefixtures("nodes")
@pytest.mark.parametrize(
    ("account", "seen", "maintains"),
    [
        ("system", ALL, True),
        ("system-member", ALL, True),
        ("system-reader", ALL, False),
        ("project-admin", DEMO, True),
        ("project-member", DEMO, True),
        ("project-reader", DEMO, False),
        ("other-member", [], False),
        ("nova", [], False),
        ("ironic", [], False),
    ],
)
def test_an_account_has_the_rights_of_its_roles(openstack, account, seen, maintains):
    cloud = f"fake-{account}"
    status, names, errors = openstack(
        cloud, *["baremetal", "node", "list", "-f", "value", "-c", "name"]
    )
    assert (status, sorted(names)) == (0, seen), errors
    status, _, errors = openstack(cloud, "baremetal", "node", "maintenance", "set", "owned")
    assert (status == 0) is maintains, errors
    if not maintains:
        assert ("HTTP 403" if seen else "HTTP 404") in errors


@pytest.mark.usefixtures("nodes")
def test_what_a_lessee_may_not_see_is_not_exported(openstack):
    status, words, errors = openstack("fake-project-member", "baremetal", "export")
    assert (status, "leased" in words) == (0, True), errors
    assert not any("edacted" in word for word in words)
    reason = "driver_info is left out, because you have no permission to see it."
    assert f"node leased: {reason}" in errors
    assert f"node owned: {reason}" not in errors
