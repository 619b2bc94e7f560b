"""Endpoints of services, looked up in the service catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._http import transport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from keystoneauth1.session import Session

    from baremetalclient._http.retry import Deadline

SERVICE_TYPE = "baremetal"
NEEDED = """\
The Bare Metal service is not known. Name it in one of these ways:
  --os-cloud or OS_CLOUD: a cloud of clouds.yaml
  --os-auth-url or OS_AUTH_URL, with a user, a password and a project: Keystone
  --os-endpoint or OS_ENDPOINT: the URL, which is enough if there is no authentication"""


def find_endpoint(
    session: Session,
    service_type: str | None = None,
    interface: str | Sequence[str] | None = None,
    region_name: str | None = None,
    service_name: str | None = None,
    deadline: Deadline | None = None,
) -> str:
    """Return the endpoint of a service in the catalog.

    :param service_type: the type of the service or an alias of it, ``baremetal`` if not given.
    :param interface: the interfaces to look at, in this order.
    :param deadline: when it has to be found.
    :raises AmbiguousAuthSystem: if authentication fails, as a more specific class.
    :raises EndpointNotFound: if the catalog has no such endpoint.
    """
    from keystoneauth1 import exceptions as ksa

    from baremetalclient._http import exceptions

    kind = service_type or SERVICE_TYPE
    try:
        transport.get_token(session, deadline)
        endpoint = session.get_endpoint(
            service_type=kind,
            interface=interface,
            region_name=region_name,
            service_name=service_name,
        )
    except ksa.CatalogException:
        endpoint = None
    except ksa.MissingAuthPlugin as error:
        raise exceptions.NoCredentials(f"{error}\n{NEEDED}") from error
    except Exception as error:  # plugins raise all kinds
        from baremetalclient._http.library_errors import authentication_failure

        raise authentication_failure(error) from error
    if not endpoint:
        where = f" in region {region_name}" if region_name else ""
        raise exceptions.EndpointNotFound(
            f"The service catalog has no endpoint of type {kind!r}{where} for the interface "
            f"{interface or 'public'}. Name the endpoint itself, or another region or interface."
        )
    return str(endpoint)


def find_other_endpoint(
    session: Session,
    service_type: str,
    option: str,
    interface: str | Sequence[str] | None = None,
    region_name: str | None = None,
) -> str:
    """Return the endpoint of a service other than the Bare Metal service.

    :param service_type: the type of the service, or an alias of it.
    :param option: the name before ``-endpoint`` in the option of the command line, for the message.
    :param interface: the interfaces to look at, in this order.
    :raises EndpointNotFound: if the catalog has no such endpoint, or there is no catalog.
    """
    from keystoneauth1.plugin import FixedEndpointPlugin

    from baremetalclient._http.exceptions import EndpointNotFound

    if isinstance(session.auth, FixedEndpointPlugin):
        raise EndpointNotFound(
            f"There is no service catalog, so the endpoint of the {service_type} service is needed:"
            f" --{option}-endpoint or OS_{option.upper()}_ENDPOINT on the command line, endpoint "
            "in Python."
        )
    return find_endpoint(session, service_type, interface, region_name)
