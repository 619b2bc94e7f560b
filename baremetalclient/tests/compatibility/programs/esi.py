"""Create a node from an action's arguments, after the ESI project's Mistral actions."""

# fake_server: {"auth": "keystone"}

from _lab import NODE, caught, credentials, show

from baremetalclient import client as ironicclient

options = credentials()
ironic = ironicclient.get_client(
    1,
    tenant_name=options.pop("project_name"),
    insecure="true",
    max_retries=12,
    retry_interval=5,
    os_ironic_api_version="1.52",
    **options,
)
created = ironic.node.create(uuid=NODE, driver="fake-hardware", name="n")
ironic.node.set_provision_state(NODE, "manage")
ironic.node.set_traits(NODE, ["CUSTOM_GPU", "HW_CPU_X86_VMX"])
allocation = ironic.allocation.create(resource_class="gold", name="a", candidate_nodes=[NODE])

show(
    created=created.name,
    traits=sorted(ironic.node.get_traits(NODE)),
    allocation=[allocation.name, allocation.state, allocation.candidate_nodes],
    failed=caught(ironic.allocation.wait, "a", timeout=5, poll_interval=0.1)[0],
    deleted=[ironic.allocation.delete("a"), ironic.node.delete(NODE)],
)
