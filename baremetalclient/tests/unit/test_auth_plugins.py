"""How a client is authenticated: the plugins of keystoneauth1, and those of other packages."""

from __future__ import annotations

import json
import traceback

import pytest
from stevedore.extension import ExtensionManager

from baremetalclient import client as clients
from baremetalclient import exc, shell


@pytest.mark.parametrize(
    ("auth_type", "message"),
    [
        ("none", "authentication of type 'none' takes none of these: auth_url, password, "),
        ("http_basic", "of type 'http_basic' takes none of these: auth_url, project_domain_name, "),
        ("admin_token", "of type 'admin_token' takes none of these: auth_url, password, "),
        ("v3token", "of type 'v3token' takes none of these: password, user_domain_name, username."),
        ("v3applicationcredential", "an application credential ID or an application credential"),
        ("v3oauth1", "were not given: consumer_key, consumer_secret, access_key, access_secret"),
    ],
)
def test_an_auth_type_that_does_not_fit_the_cloud(monkeypatch, tmp_path, auth_type, message):
    user = {
        "auth_url": "http://lab/v3",
        "username": "s3cret-user",
        "password": "s3cret",
        "project_name": "p",
        "user_domain_name": "Default",
        "project_domain_name": "Default",
    }
    file = tmp_path / "clouds.yaml"
    file.write_text(json.dumps({"clouds": {"lab": {"auth": user}}}))
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(file))
    with pytest.raises(exc.AmbiguousAuthSystem) as caught:
        clients.get_client(1, cloud="lab", auth_type=auth_type)
    assert str(caught.value).startswith("The cloud 'lab' cannot be used: ")
    assert message in str(caught.value)
    assert "s3cret" not in "".join(traceback.format_exception(caught.value))


@pytest.fixture
def unusable_plugin(monkeypatch, tmp_path):
    """The name of an authentication plugin that fails as some do where a package is missing."""
    metadata = tmp_path / "unusable-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: unusable\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[keystoneauth1.plugin]\nv3unusable = unusable:A\n")
    (tmp_path / "unusable.py").write_text("etree = None\nElement = etree.Element\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(ExtensionManager, "ENTRY_POINT_CACHE", {})
    return "v3unusable"


def test_an_auth_type_that_cannot_be_imported(monkeypatch, tmp_path, unusable_plugin):
    message = f"'{unusable_plugin}' cannot be imported: .*has no attribute 'Element'.*extras"
    with pytest.raises(exc.AuthorizationFailure, match=message):
        clients.get_client(1, auth_type=unusable_plugin, auth_url="http://lab/v3")
    file = tmp_path / "clouds.yaml"
    cloud = {"auth_type": unusable_plugin, "auth": {"auth_url": "http://lab/v3"}}
    file.write_text(json.dumps({"clouds": {"lab": cloud}}))
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(file))
    with pytest.raises(exc.AuthorizationFailure, match=message):
        clients.get_client(1, cloud="lab")


def test_commands_with_an_auth_type_that_cannot_be_imported(capsys, unusable_plugin):
    assert shell.main(["--os-auth-type", unusable_plugin, "node", "list"]) == 1
    assert f"'{unusable_plugin}' cannot be imported" in capsys.readouterr().err


def test_options_of_the_plugin_are_known():
    client = clients.get_client(
        1,
        "v3oidcpassword",
        endpoint="http://localhost:1",
        auth_url="http://localhost:2/v3",
        identity_provider="i",
        access_token_endpoint="http://localhost:3",
        protocol="p",
        client_id="c",
        client_secret="s",
        username="u",
        password="p",
    )
    assert client.http_client.endpoint == "http://localhost:1"
