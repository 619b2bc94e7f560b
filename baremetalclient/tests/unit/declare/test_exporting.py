"""What an export leaves out, and says so."""

from baremetalclient.declare.exporting import export


def test_allocations_that_cannot_be_made_again_are_left_out(lab):
    node = {"name": "n", "resource_class": "gold", "provision_state": "available"}
    lab.server.seed({"nodes": [node]})
    lab.client.allocation.create(resource_class="gold", name="taken")
    for name in (None, "failed"):
        lab.client.allocation.create(resource_class="none", name=name)
    (nameless,) = (one.uuid for one in lab.client.allocation.list() if one.name is None)
    told = []
    found = export(lab.client, tell=told.append)
    assert [one["name"] for one in found["allocations"]] == ["taken"]
    assert sorted(told) == sorted(
        [
            f"allocation {nameless}: it is left out, because it has no name.",
            "allocation failed: it is left out, because its allocation failed.",
        ]
    )


def test_a_wanted_raid_configuration_is_exported(lab):
    wanted = {"logical_disks": [{"size_gb": 10, "raid_level": "1"}]}
    lab.server.seed({"nodes": [{"name": "n"}, {"name": "other"}]})
    lab.client.node.set_target_raid_config("n", wanted)
    found = {one["name"]: one.get("target_raid_config") for one in export(lab.client)["nodes"]}
    assert found == {"n": wanted, "other": None}
