from __future__ import annotations

from baremetalclient.tests.unit.scripted import Reply

OK = Reply(status=204)


def test_traits_to_list_by(run):
    words = ("node", "list", "--trait", "CUSTOM_A", "--trait", "CUSTOM_B", "--not-trait")
    more = ("CUSTOM_C", "--trait-any", "CUSTOM_D", "CUSTOM_E", "--not-trait-any", "CUSTOM_F")
    done = run(*words, *more, script=(Reply({"nodes": []}),))
    assert done.requests[0].query == {
        "traits": "CUSTOM_A,CUSTOM_B",
        "not-traits": "CUSTOM_C",
        "traits-any": "CUSTOM_D,CUSTOM_E",
        "not-traits-any": "CUSTOM_F",
    }


def test_the_raid_configuration_is_set_before_the_name_changes(run):
    words = ("node", "set", "a", "--name", "b", "--target-raid-config", '{"logical_disks": []}')
    done = run(*words, script=(OK, Reply({})))
    assert [request.path for request in done.requests] == [
        "/v1/nodes/a/states/raid",
        "/v1/nodes/a",
    ]


def test_words_after_two_dashes_are_names(run):
    done = run("node", "power", "on", "--", "--all")
    assert [request.path for request in done.requests] == ["/v1/nodes/--all/states/power"]


def test_the_network_provider_of_the_specification(run):
    done = run("node", "set", "a", "--network-provider", "neutron", script=(Reply({}),))
    assert done.requests[0].json == [{"op": "add", "path": "/network_provider", "value": "neutron"}]
    done = run("node", "unset", "a", "--network-provider", script=(Reply({}),))
    assert done.requests[0].json == [{"op": "remove", "path": "/network_provider"}]
