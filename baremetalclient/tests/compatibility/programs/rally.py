"""Create, list and delete nodes and wait for each, after rally-openstack's scenarios."""

# fake_server: {"auth": "keystone"}

from _lab import NODE, credentials, make_session, show

from baremetalclient import client


def from_manager(resource):
    """Return the resource as it is now, None if it is gone."""
    try:
        return resource.manager.get(resource.uuid)
    except Exception as error:
        if getattr(error, "code", getattr(error, "http_status", 400)) == 404:
            return None
        raise


ironic = client.get_client("1", session=make_session(), os_ironic_api_version="1.9")
same = client.get_client(1, auth_type="password", os_ironic_api_version="1.9", **credentials())
node = ironic.node.create(driver="fake-hardware", properties={"capabilities": "a:b"}, uuid=NODE)
ready = from_manager(node)
lists = [
    [found.uuid for found in same.node.list(**arguments)]
    for arguments in (
        {"associated": None, "maintenance": None, "detail": False, "sort_dir": None},
        {"associated": "False", "maintenance": "False", "detail": True, "sort_dir": "desc"},
        {"associated": True, "maintenance": True, "detail": False, "sort_dir": "asc"},
    )
]
ironic.node.delete(node.uuid)

show(
    created=[node.uuid, node.properties, node.human_id],
    ready=ready.provision_state.upper(),
    same=ready == node,
    lists=lists,
    gone=from_manager(node),
    keys=len(node.to_dict()),
)
