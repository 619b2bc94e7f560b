"""Horizon's panel of Ironic: a login, and then what its pages ask of Horizon."""

# packages: ["horizon==27.0.0", "ironic-ui==6.9.0"]
# fake_server: {"auth": "keystone", "hardware_types": ["fake-hardware"]}

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
import requests

SETTINGS = f"""
from openstack_dashboard.settings import *
ALLOWED_HOSTS = ["*"]
CACHES = {{"default": {{"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}}}
COMPRESS_ENABLED = False
LOGGING = {{"version": 1}}
OPENSTACK_KEYSTONE_URL = {os.environ["OS_AUTH_URL"]!r}
SECRET_KEY = "as good as any"
"""
NODE = {"name": "node-1", "driver": "fake-hardware", "properties": {"cpus": 4}}
CHANGE = [{"op": "replace", "path": "/extra", "value": {"rack": "a"}}]
MAC = "52:54:00:00:00:01"
RAID = {"logical_disks": [{"size_gb": 100, "raid_level": "1"}]}
# What differs from run to run.
VARIES = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=127.0.0.1:)\d+|\d{4}-\d\d-\d\dT[\d:.+]+"

Path("panel_settings.py").write_text(SETTINGS, "utf-8")
sys.path.insert(0, os.getcwd())
os.environ["DJANGO_SETTINGS_MODULE"] = "panel_settings"
django.setup()

import ironic_ui.api.ironic_rest_api  # noqa: E402, F401
from django.core.wsgi import get_wsgi_application  # noqa: E402

seen: list[Any] = []


class Handler(WSGIRequestHandler):
    """Answers requests, and says nothing of them."""

    def log_message(self, *_arguments: object) -> None:
        """Leave a request out of the log."""


horizon = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Handler)
Thread(target=horizon.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{horizon.server_port}"
browser = requests.Session()


def ask(method: str, path: str, data: Any = None) -> Any:
    """Ask Horizon's API as the panel does, and note what it answers."""
    headers = {
        "X-Requested-With": "XMLHttpRequest",
        "X-CSRFToken": browser.cookies["csrftoken"],
    }
    answer = browser.request(method, f"{url}/api/ironic/{path}", json=data, headers=headers)
    content = answer.json() if answer.content else None
    seen.append([f"{method} {path}", answer.status_code, content])
    return content


browser.get(f"{url}/auth/login/")
login = {
    "username": os.environ["OS_USERNAME"],
    "password": os.environ["OS_PASSWORD"],
    "region": "default",
    "auth_type": "credentials",
    "csrfmiddlewaretoken": browser.cookies["csrftoken"],
}
answer = browser.post(f"{url}/auth/login/", login, allow_redirects=False)
seen.append(["login", answer.status_code, answer.headers.get("Location")])
ask("POST", "nodes/", {"node": NODE})
node = ask("GET", "nodes/node-1")
ask("GET", "nodes/")
ask("GET", "nodes/nowhere")
ask("PATCH", "nodes/node-1", {"patch": CHANGE})
ask("GET", "nodes/node-1/validate")
for verb in ("manage", "inspect", "provide", "active", "rebuild", "deleted"):
    ask("PUT", "nodes/node-1/states/provision", {"verb": verb})
ask("GET", "nodes/node-1")
port = ask("POST", "ports/", {"port": {"address": MAC, "node_uuid": node["uuid"]}})
ask("POST", "ports/", {"port": {"address": MAC, "node_uuid": node["uuid"]}})
ask("PATCH", f"ports/{port['uuid']}", {"patch": CHANGE})
group = ask("POST", "portgroups", {"node_uuid": node["uuid"], "name": "bond-1"})
ask("PATCH", f"portgroups/{group['uuid']}", {"patch": CHANGE})
move = [{"op": "add", "path": "/portgroup_uuid", "value": group["uuid"]}]
ask("PATCH", f"ports/{port['uuid']}", {"patch": move})
ask("GET", f"nodes/{node['uuid']}/ports/detail")
ask("GET", f"nodes/{node['uuid']}/portgroups")
ask("GET", f"portgroups/{group['uuid']}/ports")
ask("DELETE", f"portgroups/{group['uuid']}")
ask("DELETE", f"ports/{port['uuid']}")
ask("DELETE", f"portgroups/{group['uuid']}")
for state, soft in (("on", False), ("reboot", False), ("off", True), ("sideways", False)):
    ask("PATCH", "nodes/node-1/states/power", {"state": state, "soft": soft})
ask("GET", "nodes/node-1/states/console")
ask("PUT", "nodes/node-1/states/console", {"enabled": True})
ask("PATCH", "nodes/node-1/maintenance", {"maint_reason": "a fan"})
ask("DELETE", "nodes/node-1/maintenance")
ask("GET", "nodes/node-1/boot_device")
ask("PUT", "nodes/node-1/boot_device", {"boot_device": "pxe", "persistent": True})
ask("GET", "nodes/node-1/boot_device/supported")
ask("PUT", "nodes/node-1/management/inject_nmi", {})
ask("PUT", "nodes/node-1/states/raid", {"target_raid_config": RAID})
ask("GET", "drivers/")
ask("GET", "drivers/fake-hardware")
ask("GET", "drivers/fake-hardware/properties")
ask("PUT", "nodes/node-1/states/provision", {"verb": "manage"})
steps = [{"interface": "deploy", "step": "erase_devices"}]
ask("PUT", "nodes/node-1/states/provision", {"verb": "clean", "clean_steps": json.dumps(steps)})
ask("DELETE", "nodes/node-1")
ask("GET", "nodes/")
print(re.sub(VARIES, "VARIES", json.dumps(seen)))
