"""What the agent needs to deploy a node, as ``GET /v1/nodes/{node}/validate`` says.

These run on a real Ironic, too, if it has the deploy interface ``direct``.
"""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.refused_requests import RealIronic

IMAGE = {"image_source": "http://192.0.2.1/i.raw", "image_checksum": "a" * 32}
SOURCE = {"image_source": "http://192.0.2.1/i.raw"}
NO_CHECKSUM = (
    'image_source\'s "image_checksum", or "image_os_hash_algo" and "image_os_hash_value" must be '
    "provided in instance_info for node {node}"
)


@pytest.fixture(scope="module")
def ironic(request):
    """The server under test."""
    url = request.config.getoption("--real-ironic")
    return RealIronic(url) if url else Api()


def validated(ironic, **fields):
    """Return what is said of a node's deploy interface; its UUID is replaced by its name."""
    body = {"driver": "fake-hardware", "deploy_interface": "direct", **fields}
    status, node = ironic("POST", "/v1/nodes", body)
    assert status == 201, node
    try:
        status, found = ironic("GET", f"/v1/nodes/{node['uuid']}/validate")
        assert status == 200, found
    finally:
        ironic("DELETE", f"/v1/nodes/{node['uuid']}")
    return found["deploy"]["result"], found["deploy"].get("reason", "").replace(
        node["uuid"], "{node}"
    )


def info(**values):
    """Return the field instance_info with an image and other values."""
    return {"instance_info": {**IMAGE, **values}}


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"instance_info": SOURCE}, NO_CHECKSUM),
        ({"instance_info": {**SOURCE, "image_os_hash_algo": "sha256"}}, NO_CHECKSUM),
        ({"instance_info": {**SOURCE, "image_os_hash_value": "ab"}}, NO_CHECKSUM),
        (info(image_os_hash_algo="sha256"), NO_CHECKSUM),
        (
            info(image_download_source="ftp"),
            'Invalid value for image_download_source: "ftp". Valid values are swift, http or '
            "local.",
        ),
        (
            info() | {"driver_info": {"image_http_proxy": "ftp://192.0.2.1"}},
            "Proxy URL should either have HTTP(S) scheme or no scheme at all, the following URLs "
            "are invalid: {{'image_http_proxy': 'ftp://192.0.2.1'}}.",
        ),
        (
            info()
            | {
                "driver_info": {
                    "image_http_proxy": "ftp://192.0.2.1",
                    "image_https_proxy": "ssh://192.0.2.2",
                    "image_no_proxy": "*.example.com",
                }
            },
            "Proxy URL should either have HTTP(S) scheme or no scheme at all, the following URLs "
            "are invalid: {{'image_http_proxy': 'ftp://192.0.2.1', 'image_https_proxy': "
            "'ssh://192.0.2.2'}}.image_no_proxy should be a list of host names, IP addresses or "
            "domain names to exclude from proxying, the specified list *.example.com is incorrect. "
            "To denote a domain name, prefix it with a dot (instead of e.g. '.*').",
        ),
        *(
            (
                info() | {"driver_info": {"image_no_proxy": hosts}},
                "image_no_proxy should be a list of host names, IP addresses or domain names to "
                f"exclude from proxying, the specified list {hosts} is incorrect. To denote a "
                "domain name, prefix it with a dot (instead of e.g. '.*').",
            )
            for hosts in ("-a", "a-", "a..b", "a" * 64, "a_b", "ä", 5)
        ),
        (
            info(capabilities="x"),
            "Error parsing capabilities from Node {node} instance_info field. A dictionary or a "
            '"jsonified" dictionary is expected.',
        ),
    ],
)
def test_refused(ironic, fields, reason):
    assert validated(ironic, **fields) == (False, reason.replace("{{", "{").replace("}}", "}"))


@pytest.mark.parametrize(
    "fields",
    [
        info(),
        {"instance_info": {**SOURCE, "image_os_hash_algo": "sha256", "image_os_hash_value": "ab"}},
        # Any other type than a partition is one of a whole disk by the time that it is checked.
        info(image_type="partial"),
        info(image_download_source="http"),
        info(image_download_source="swift"),
        *(
            info() | {"driver_info": {name: url}}
            for name in ("image_http_proxy", "image_https_proxy")
            for url in ("http://192.0.2.1", "https://192.0.2.1:1", "192.0.2.1", "")
        ),
        *(
            info() | {"driver_info": {"image_no_proxy": hosts}}
            for hosts in ("", ".example.com", "a, b.c:80 ,192.0.2.1", "a" * 63)
        ),
        info() | {"properties": {"capabilities": "boot_mode:uefi,x:"}},
        info() | {"properties": {"capabilities": "boot_option"}},
        info(capabilities={"boot_option": "other"}),
    ],
)
def test_taken(ironic, fields):
    assert validated(ironic, **fields) == (True, "")


def test_a_ramdisk_needs_a_boot_interface_for_it():
    """The fake server alone: a real one for these tests need not have the interface."""
    fields = info(boot_iso="http://192.0.2.1/i.iso") | {"deploy_interface": "ramdisk"}
    assert validated(Api(), **fields) == (
        False,
        "Invalid configuration: The boot interface must have the `ramdisk_boot` capability. "
        "You are using an incompatible boot interface.",
    )
