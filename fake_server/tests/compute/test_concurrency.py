"""Many who ask Nova at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from fake_server.tests.compute.test_attach_modes import IMAGE

MANY = 8


def test_servers_are_built_while_others_look(cloud):
    for number in range(MANY):
        cloud.node(f"n{number}")
    flavor, volume = cloud.flavor(), cloud.volume(multiattach=True)
    with ThreadPoolExecutor(MANY) as pool:
        made = [
            pool.submit(cloud.boot, flavor, volume, mode="ro", name=f"s{number}")
            for number in range(MANY)
        ]
        looks = [pool.submit(cloud, "GET", "/servers/detail") for _ in range(3 * MANY)]
        assert {future.result()[0] for future in made} == {202}
        assert {future.result()[0] for future in looks} == {200}
    found = cloud.servers()
    assert {server["status"] for server in found} == {"ACTIVE"}
    hosts = {server["OS-EXT-SRV-ATTR:hypervisor_hostname"] for server in found}
    assert len(hosts) == MANY
    with ThreadPoolExecutor(MANY) as pool:
        # Each of them twice.
        ids = [server["id"] for server in found] * 2
        gone = list(pool.map(lambda ident: cloud("DELETE", f"/servers/{ident}")[0], ids))
    assert set(gone) <= {204, 404}
    cloud.assert_nothing_left()


def test_one_node_goes_to_one_of_many(cloud):
    cloud.node()
    flavor = cloud.flavor()
    with ThreadPoolExecutor(MANY) as pool:
        answers = list(
            pool.map(lambda number: cloud.boot(flavor, imageRef=IMAGE, name=f"s{number}"), range(4))
        )
    assert {status for status, _ in answers} == {202}
    assert sorted(server["status"] for server in cloud.servers()) == ["ACTIVE", *["ERROR"] * 3]
