"""What the library may load, and when: time is a budget, and modules are what it is spent on."""

from __future__ import annotations

from baremetalclient.tests.unit.test_shell import HEAVY, loaded_by, packages

MODULES = (
    *("client", "exc", "_resource.schema", "common.apiclient.exceptions", "common.http"),
    *("common.utils", "microversion", "v1.client", "v1.node", "v1.volume_connector"),
)


def test_importing_the_library_loads_nothing_heavy():
    loaded = loaded_by(", ".join(f"baremetalclient.{name}" for name in MODULES))
    assert packages(loaded).isdisjoint({*HEAVY, "yaml"})


def test_the_package_alone_loads_no_module_of_its_own():
    found = loaded_by("baremetalclient")
    assert not [name for name in found if name.startswith("baremetalclient.")]


def test_a_client_without_authentication_loads_no_plugins():
    made = "baremetalclient.client as c; c.get_client(1, endpoint='http://localhost:1')"
    assert loaded_by(made).isdisjoint({"openstack", "osc_lib", "cliff", "stevedore", "yaml"})
