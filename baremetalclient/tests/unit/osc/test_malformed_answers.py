"""What commands print when a server answers something else than the API promises."""

from __future__ import annotations

import pytest

from baremetalclient import exc
from baremetalclient.osc.app import BaremetalApp
from baremetalclient.osc.command_table import COMMANDS
from baremetalclient.tests.unit.osc.everything import Everything, run_here, words_of
from baremetalclient.tests.unit.osc.test_requests import ELSEWHERE
from baremetalclient.tests.unit.scripted import Reply
from tools.rows import some


def _replaced(value, new):
    """Return JSON with the values of some keys replaced, however deep they are."""
    if isinstance(value, list):
        return [_replaced(item, new) for item in value]
    if isinstance(value, dict):
        return {key: new[key] if key in new else _replaced(value[key], new) for key in value}
    return value


def _without(value, *names):
    """Return JSON without some keys, however deep they are."""
    if isinstance(value, list):
        return [_without(item, *names) for item in value]
    if isinstance(value, dict):
        return {key: _without(value[key], *names) for key in value if key not in names}
    return value


class Malformed(Everything):
    """Answers every request with something else than it should."""

    def __init__(self, change):
        super().__init__()
        self.change = change

    def reply_to(self, request):
        return Reply(self.change(super().reply_to(request).body))


#: What stands in place of the right answer, and whether the default run has it, too.
CHANGES = {
    "text": (lambda _: "text", True),
    "other keys": (lambda _: {"a": 1}, False),
    "ids of another type": (lambda body: _replaced(body, {"uuid": 5, "version": []}), False),
    "references of another type": (
        lambda body: _replaced(body, {"id": None, "boot": True, "volume_id": {}}),
        False,
    ),
    "no UUID": (lambda body: _without(body, "uuid"), False),
    "no states": (
        lambda body: _without(body, "provision_state", "node_uuid", "traits", "power_state"),
        True,
    ),
    "no names": (
        lambda body: _without(body, "name", "driver", "address", "portgroup_uuid", "steps"),
        False,
    ),
    "reasons of another type": (
        lambda body: _replaced(body, {"reason": 5, "http_methods": 5, "provision_state": None}),
        True,
    ),
}
SLOW = pytest.mark.night("all commands again, after three changes of other kinds")


@pytest.mark.parametrize(
    ("turn", "change"),
    [
        pytest.param(turn, change, id=name, marks=() if is_quick else SLOW)
        for turn, (name, (change, is_quick)) in enumerate(CHANGES.items())
    ],
)
def test_no_command_prints_an_error_of_python(monkeypatch, capsys, tmp_path, turn, change):
    errors = {}
    monkeypatch.setattr(
        BaremetalApp,
        "clean_up",
        lambda _self, cmd, _result, err: errors.update({cmd.cmd_name: err}),
    )
    monkeypatch.chdir(tmp_path)
    told = ""
    with Malformed(change) as server:
        for variable in ("OS_ENDPOINT", "OS_VOLUME_ENDPOINT", "OS_COMPUTE_ENDPOINT"):
            monkeypatch.setenv(variable, server.url)
        for name in some([name for name in COMMANDS if name not in ELSEWHERE], turn):
            told += run_here(words_of(name), capsys)[2]
    assert {
        name: error
        for name, error in errors.items()
        if error is not None and not isinstance(error, exc.ClientException)
    } == {}
    assert "Traceback" not in told
    assert len(errors) > 30
