"""What the programs share: a session, and how they print what they saw."""

import json
import os

from keystoneauth1 import loading, session

NODE = "7a1e7ad1-7c2e-4b6d-9d53-0b2f1b8a5e01"
OTHER = "7a1e7ad1-7c2e-4b6d-9d53-0b2f1b8a5e02"
PORT = "7a1e7ad1-7c2e-4b6d-9d53-0b2f1b8a5e03"
GROUP = "7a1e7ad1-7c2e-4b6d-9d53-0b2f1b8a5e04"
INSTANCE = "7a1e7ad1-7c2e-4b6d-9d53-0b2f1b8a5e05"
CHANGING = ("created_at", "updated_at", "provision_updated_at", "links")


def credentials():
    """Return the options of the password plugin, from the environment."""
    names = ("auth_url", "username", "password", "user_domain_name")
    names += ("project_name", "project_domain_name")
    return {name: os.environ[f"OS_{name.upper()}"] for name in names}


def make_session():
    return session.Session(
        auth=loading.get_plugin_loader("password").load_from_options(**credentials())
    )


def stable(fields):
    """Return fields without those that differ from run to run."""
    return {name: value for name, value in fields.items() if name not in CHANGING}


def caught(call, *arguments, **options):
    """Return the name of the class of the exception that a call raises, and its status."""
    try:
        call(*arguments, **options)
    except Exception as error:
        return [type(error).__name__, getattr(error, "http_status", None)]
    return None


def show(**seen):
    print(json.dumps(seen))
