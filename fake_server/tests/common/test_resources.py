"""Resources that are declared: a new kind as the contributing guide adds it, and wrong ones."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fake_server.block_storage import schemas, tables
from fake_server.block_storage.resources.cinder_resource import CinderResource
from fake_server.common.resources.action import Action
from fake_server.common.resources.declaration import DeclarationError, Field, Level
from fake_server.common.resources.rows import Rows

PACKAGE = Path(__file__).parents[2]
EXAMPLE = PACKAGE.parent / "doc" / "source" / "contributing" / "examples" / "shelves.diff"
#: What a client does with the new kind, in another process: prints what is answered.
SESSION = """
import json, requests
from fake_server.server import FakeServer
from fake_server.settings import Settings

PROJECTS = {"project-member": "demo", "project-reader": "demo", "admin": "admin"}

def log_in(url, name, project):
    scope = {"project": {"name": project, "domain": {"id": "default"}}}
    user = {"name": name, "password": "secret", "domain": {"id": "default"}}
    identity = {"methods": ["password"], "password": {"user": user}}
    body = {"auth": {"identity": identity, "scope": scope}}
    answer = requests.post(f"{url}/identity/v3/auth/tokens", json=body, timeout=30)
    return answer.headers["X-Subject-Token"]

with FakeServer(Settings(auth="keystone")) as server:
    tokens = {who: log_in(server.url, who, project) for who, project in PROJECTS.items()}
    found, names = [], {}
    for who, version, method, path, body in json.loads(input()):
        headers = {"X-Auth-Token": tokens[who], "OpenStack-API-Version": f"volume {version}"}
        url = server.url + "/volume/v3" + path.format(**names)
        answer = requests.request(method, url, json=body, headers=headers, timeout=30)
        shown = answer.json() if answer.content else None
        if method == "POST" and answer.status_code == 202 and shown:
            names[shown["shelf"]["name"]] = shown["shelf"]["id"]
        found.append([answer.status_code, shown])
    print(json.dumps(found))
"""


@pytest.mark.night("loads the server anew")
def test_a_new_kind_takes_less_than_60_lines(tmp_path):
    added = [line for line in EXAMPLE.read_text().splitlines() if line.startswith("+")]
    assert len([line for line in added if not line.startswith("+++")]) < 60
    ask = with_shelves(tmp_path)
    member = "project-member"
    answers = ask(
        (member, "3.59", "POST", "/shelves", {"shelf": {"name": "a"}}),
        (member, "3.59", "POST", "/shelves", {"shelf": {"name": "b", "height": 2}}),
        (member, "3.71", "POST", "/shelves", {"shelf": {"name": "b", "height": "2"}}),
        (member, "3.71", "POST", "/shelves", {"shelf": {"name": "b"}}),
        (member, "3.71", "POST", "/shelves", {"shelf": {"name": "c"}}),
        (member, "3.71", "POST", "/shelves", {"shelf": {"name": "d"}}),
        ("project-reader", "3.71", "POST", "/shelves", {"shelf": {"name": "e"}}),
        (member, "3.71", "GET", "/shelves?sort=name:desc&limit=1", None),
        (member, "3.71", "GET", "/shelves/detail?name=b", None),
        (member, "3.71", "PUT", "/shelves/{a}", {"shelf": {"height": 9}}),
        (member, "3.71", "PUT", "/shelves/{a}/tags/x", None),
        (member, "3.71", "PUT", "/shelves/{a}/tags/x", None),
        (member, "3.71", "GET", "/shelves/{a}/tags/y", None),
        (member, "3.71", "POST", "/shelves/{a}/action", {"seal": None}),
        ("admin", "3.71", "POST", "/shelves/{a}/action", {"seal": None}),
        ("admin", "3.71", "POST", "/shelves/{a}/action", {"seal": None}),
        ("project-reader", "3.71", "GET", "/shelves/{a}", None),
        (member, "3.71", "DELETE", "/shelves/{a}", None),
        (member, "3.71", "GET", "/shelves/{a}", None),
        (member, "3.49", "GET", "/shelves", None),
    )
    statuses = [status for status, _ in answers]
    assert statuses[:10] == [202, 400, 202, 409, 202, 413, 403, 200, 200, 200]
    assert statuses[10:] == [201, 204, 404, 403, 202, 400, 200, 202, 404, 404]
    first, listed, detailed = (answers[at][1] for at in (0, 7, 8))
    assert "height" not in first["shelf"]
    assert [one["name"] for one in listed["shelves"]] == ["c"]
    assert "marker=" in listed["shelves_links"][0]["href"]
    assert [one["height"] for one in detailed["shelves"]] == [2]
    assert answers[15][1]["badRequest"]["message"] == "Invalid shelf: Shelf status must be open"
    shown = answers[16][1]["shelf"]
    assert (shown["height"], shown["tags"], shown["status"]) == (9, ["x"], "sealed")


def with_shelves(folder):
    """Return what asks a fake server that has the new kind, which is added to a copy of it."""
    ignored = shutil.ignore_patterns("tests", "__pycache__")
    shutil.copytree(PACKAGE, folder / "fake_server", ignore=ignored)
    subprocess.run(["git", "apply", EXAMPLE], cwd=folder, check=True)

    def ask(*requests):
        done = subprocess.run(
            [sys.executable, "-c", SESSION],
            input=json.dumps(requests),
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder)},
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return ask


def declare(**body):
    """Declare a kind of resources whose class body has some things otherwise."""
    rows = Rows(tables.transfers, "Thing {} could not be found.")
    usual = {"name": "thing", "rows": rows, "fields": {}, "policies": {"list": "group:get_all"}}
    return type("Things", (CinderResource,), {**usual, **body})


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"rows": None}, "Things.rows has to be Rows, not None."),
        (
            {"policies": {"lsit": "group:get_all"}},
            "Things.policies['lsit']: the operations are list, create, show, update, delete.",
        ),
        (
            {"policies": {"list": "group:get_al"}},
            "Things.policies['list']: There is no policy group:get_al.",
        ),
        ({"reading": "group:red"}, "Things.reading: There is no policy group:red."),
        ({"added": {"update": 3}}, "Things.added['update']: there is no such operation."),
        ({"fields": {"size": "int"}}, "Things.fields['size'] has to be a Field, not 'int'."),
        (
            {"fields": {"size": Field()}},
            "Things.fields['size'] is shown, but block_storage_transfers has no such column: give "
            "it one, or say by of what is shown.",
        ),
        (
            {"fields": {"id": Field(required=True)}},
            "Things.fields['id'] is required, but no body may have it: create is missing.",
        ),
        (
            {"fields": {"id": Field(create=str)}},
            "Things.fields['id'], create needs a JSON schema, not <class 'str'>.",
        ),
        (
            {"fields": {"size": Field(Level.HIDDEN, update={"type": "int"})}},
            "Things.fields['size'], update: JSON has no type 'int', only array, boolean, integer, "
            "null, number, object, string.",
        ),
        (
            {"fields": {"id": Field(sees="group:see")}},
            "Things.fields['id']: There is no policy group:see.",
        ),
        (
            {"actions": {"go": Action("group:go", print)}},
            "Things.actions['go']: There is no policy group:go.",
        ),
        (
            {"actions": {"go": Action("group:delete", print, states=("open",))}},
            "Things.actions['go'] has states, but block_storage_transfers has no column status.",
        ),
    ],
)
def test_what_is_declared_wrongly_is_told_at_once(body, message):
    with pytest.raises(DeclarationError) as failure:
        declare(**body)
    assert str(failure.value) == message


def test_what_is_declared_rightly_is_taken():
    kind = declare(fields={"name": Field(create=schemas.NAME)})
    assert kind().routes().addresses() == {"/things": frozenset({"GET"})}
