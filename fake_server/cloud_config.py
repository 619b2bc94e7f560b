"""Environment variables and a ``clouds.yaml`` with which clients connect to a server."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fake_server.common.setting_error import SettingError
from fake_server.identity.catalog import REGION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from fake_server.identity.accounts import Account
    from fake_server.settings import Settings

#: The cloud of the first account; those of others are called ``fake-NAME``. An account with roles
#: on both projects and the system has a second cloud, whose name ends with ``-system``.
CLOUD = "fake"


def environment(
    url: str,
    settings: Settings,
    directory: Path,
    account: str | None = None,
    ca_file: Path | None = None,
) -> dict[str, str]:
    """Return the variables for a command, and write the file that they name.

    In OpenStackClient, the variables override ``--os-cloud``.

    :param url: URL of the server.
    :param directory: where ``clouds.yaml`` is written if there are accounts.
    :param account: name of the account that the variables are for, with its project; by default
        the first account, on the whole system if it has a role there, so that it sees all nodes.
    :param ca_file: certificate of the CA to trust, if clients don't trust it already.
    :raises ValueError: if there is no such account.
    """
    trust = {"OS_CACERT": str(ca_file)} if ca_file else {}
    if settings.auth == "none":
        # Without a catalog, commands that need other services find their endpoints here.
        return {
            **trust,
            "OS_AUTH_TYPE": "none",
            "OS_ENDPOINT": url,
            "OS_VOLUME_ENDPOINT": f"{url}/volume/v3",
            "OS_COMPUTE_ENDPOINT": f"{url}/compute/v2.1",
        }
    describe = _basic if settings.auth == "http_basic" else _keystone
    clouds = {_name(found, settings): describe(url, found) for found in settings.accounts}
    if settings.auth == "keystone":
        clouds |= {
            f"{_name(found, settings)}-system": _keystone(url, replace(found, projects={}))
            for found in settings.accounts
            if found.system and found.projects
        }
    if ca_file:
        clouds = {name: {**cloud, "cacert": str(ca_file)} for name, cloud in clouds.items()}
    path = directory / "clouds.yaml"
    # JSON is YAML.
    path.write_text(json.dumps({"clouds": clouds}, indent=2) + "\n", "utf-8")
    auth = describe(url, _chosen(settings, account))["auth"]
    variables = {f"OS_{key.upper()}": value for key, value in auth.items()}
    if settings.auth == "http_basic":
        variables["OS_AUTH_TYPE"] = "http_basic"
    else:
        variables |= {
            "OS_AUTH_TYPE": "password",
            "OS_IDENTITY_API_VERSION": "3",
            "OS_REGION_NAME": REGION,
        }
    return {**trust, **variables, "OS_CLIENT_CONFIG_FILE": str(path)}


def without_clouds(environ: Mapping[str, str]) -> dict[str, str]:
    """Return environment variables without those that would make a client use another cloud."""
    return {name: value for name, value in environ.items() if not _is_of_cloud(name)}


@contextmanager
def in_use(variables: Mapping[str, str]) -> Iterator[None]:
    """Have clients in this process use a server, and no other cloud, as long as a block runs.

    :param variables: those of :func:`environment`; no other ``OS_…`` is set then.
    """
    before = dict(os.environ)
    try:
        for name in before:
            if name.startswith("OS_"):
                del os.environ[name]
        os.environ.update(variables)
        yield
    finally:
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
        os.environ.update(before)


def check(settings: Settings, account: str | None) -> None:
    """Raise SettingError if there is no such account; without a name, there is one."""
    names = [one.name for one in settings.accounts]
    if account not in (None, *names):
        raise SettingError(
            "account", f"Unknown account {account!r}. Known accounts: {', '.join(names)}."
        )


def identity(settings: Settings, account: str | None = None) -> str:
    """Describe the account that :func:`environment` is for."""
    chosen = _chosen(settings, account)
    project = next(iter(chosen.projects), None)
    if project is not None:
        return f"{chosen.name} on the project {project}, which sees the nodes that it may use"
    if chosen.system:
        return f"{chosen.name} on the whole system, which sees all nodes"
    return f"{chosen.name}, without a role"


def options(url: str, settings: Settings, ca_file: Path | None = None) -> dict[str, Any]:
    """Return the options with which a client authenticates as the first account.

    They are those of :func:`baremetalclient.client.get_client`. The scope is the system if the
    account has a role there, so that the client sees all nodes.

    :param ca_file: certificate of the CA to trust, if clients don't trust it already.
    """
    trust = {"cacert": str(ca_file)} if ca_file else {}
    if settings.auth == "none":
        return {**trust, "endpoint": url}
    account = _chosen(settings, None)
    if settings.auth == "http_basic":
        return {**trust, "auth_type": "http_basic", **_basic(url, account)["auth"]}
    return {**trust, **_keystone(url, account)["auth"]}


def _is_of_cloud(name: str) -> bool:
    # oslo.config reads options of services from variables with two underscores.
    return name.startswith("OS_") and not name.startswith("OS_BAREMETAL_") and "__" not in name


def _chosen(settings: Settings, name: str | None) -> Account:
    """Return an account, without its projects if it is to act on the system."""
    if name is None:
        first = settings.accounts[0]
        return replace(first, projects={}) if first.system else first
    accounts = {account.name: account for account in settings.accounts}
    if name not in accounts:
        raise ValueError(f"Unknown account {name!r}. Known accounts: {', '.join(accounts)}.")
    return accounts[name]


def _name(account: Account, settings: Settings) -> str:
    return CLOUD if account is settings.accounts[0] else f"{CLOUD}-{account.name}"


def _keystone(url: str, account: Account) -> dict[str, Any]:
    auth: dict[str, Any] = {
        "auth_url": f"{url}/identity/v3",
        "username": account.name,
        "password": account.password,
        "user_domain_name": "Default",
    }
    project = next(iter(account.projects), None)
    if project is not None:
        auth |= {"project_name": project, "project_domain_name": "Default"}
    elif account.system:
        auth["system_scope"] = "all"
    return {"auth": auth, "region_name": REGION, "identity_api_version": "3"}


def _basic(url: str, account: Account) -> dict[str, Any]:
    auth: Mapping[str, str] = {
        "endpoint": url,
        "username": account.name,
        "password": account.password,
    }
    return {"auth_type": "http_basic", "auth": auth, "baremetal_endpoint_override": url}
