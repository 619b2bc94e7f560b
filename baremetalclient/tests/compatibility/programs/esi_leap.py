"""Act for a user with the service's own token beside the user's, after ESI-Leap."""

# fake_server: {"auth": "keystone"}

from _lab import NODE, make_session, show
from keystoneauth1 import adapter, service_token, session, token_endpoint

from baremetalclient import client as ironic_client

service = make_session()
endpoint = adapter.Adapter(service, service_type="baremetal").get_endpoint()
user = service_token.ServiceTokenAuthWrapper(
    user_auth=token_endpoint.Token(endpoint, service.get_token()), service_auth=service.auth
)
ironic = ironic_client.get_client(
    1, session=session.Session(auth=user), os_ironic_api_version="1.65"
)
created = ironic.node.create(uuid=NODE, driver="fake-hardware", name="n", lessee="l")
nodes = ironic.node.list(detail=True)

show(
    created=[created.name, created.lessee],
    nodes=[[node.uuid, node.owner == created.owner, node.lessee] for node in nodes],
    found=next((node.name for node in nodes if node.uuid == NODE), None),
)
