"""Check a local API, after rpc-maas's plugins."""

# fake_server: {"auth": "keystone"}

import os

from _lab import NODE, credentials, show

from baremetalclient import client, exc

URL = os.environ["OS_AUTH_URL"].removesuffix("/identity/v3")


def check(endpoint, **options):
    given = {**credentials(), **options}
    try:
        ironic = client.get_client(
            1, endpoint=endpoint, auth_type="password", os_ironic_api_version="1.15", **given
        )
        nodes = ironic.node.list(limit=1)
    except exc.HttpError as error:
        return [type(error).__name__, error.http_status]
    except Exception as error:
        return ["down", isinstance(error, exc.ClientException)]
    return ["up", [node.uuid for node in nodes], ironic.http_client.session is not None]


ironic = client.get_client(1, auth_type="password", os_ironic_api_version="1.15", **credentials())
ironic.node.create(uuid=NODE, driver="fake-hardware")
endpoint = ironic.http_client.session.get_endpoint(service_type="baremetal")
answer = ironic.http_client.session.get(f"{endpoint}/v1/nodes")

show(
    up=check(URL),
    up_below=check(f"{URL}/baremetal/v1/"),
    wrong_path=check(f"{URL}/nope"),
    refused=check("http://127.0.0.1:9")[0],
    status=answer.status_code,
    same=endpoint.startswith(URL),
)
