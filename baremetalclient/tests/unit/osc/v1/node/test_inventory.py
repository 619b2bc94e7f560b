from __future__ import annotations

import json

from baremetalclient.tests.unit.scripted import Reply


def test_an_inventory_is_saved(run, tmp_path):
    inventory = {"inventory": {"cpu": {"count": 1}}, "plugin_data": {}}
    path = tmp_path / "inventory.json"
    words = ("node", "inventory", "save", "a")
    assert json.loads(run(*words, script=(Reply(inventory),)).out) == inventory
    assert run(*words, "--file", str(path), script=(Reply(inventory),)).code == 0
    assert json.loads(path.read_text()) == inventory
    assert run(*words, "--file", str(tmp_path), script=(Reply(inventory),)).code == 1
