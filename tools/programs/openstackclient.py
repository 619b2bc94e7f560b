"""OpenStackClient's commands, each with arguments, against all services of the fake server.

What a command did is ``works``, or the sentence with which it was refused.
"""

# packages: ["python-openstackclient==10.5.0", "osc-placement==4.9.1"]
# fake_server: {"auth": "keystone"}
# own_client: true

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import re
import shlex
import urllib.request
import warnings
from pathlib import Path

from openstackclient.shell import OpenStackShell

#: By what is made: what ``create`` needs, what ``set`` changes, and the name or id to use.
CREATED = {
    "aggregate": ("made", "--property a=b"),
    "consistency group": ("--volume-type multiattach made", "--name made"),
    "flavor": ("--ram 1 made", "--property a=b"),
    "keypair": ("--public-key key.pub made", None),
    "server group": ("made", None),
    "domain": ("made", "--description d"),
    "group": ("made", "--description d"),
    "project": ("made", "--description d"),
    "region": ("made", "--description d"),
    "role": ("made", "--description d"),
    "user": ("made", "--description d"),
    "identity provider": ("made", "--description d"),
    "application credential": ("made", None),
    "image": ("made", "--property a=b"),
    "image metadef namespace": ("made", "--display-name d"),
    "address group": ("made", "--description d"),
    "address scope": ("made", "--no-share"),
    "network": ("made", "--description d"),
    "network flavor": ("--service-type L3_ROUTER_NAT made", "--description d"),
    "network meter": ("made", None),
    "network qos policy": ("made", "--description d"),
    "network segment": ("--network net --network-type vxlan made", "--description d"),
    "port": ("--network net made", "--description d"),
    "router": ("made", "--description d"),
    "security group": ("made", "--description d"),
    "subnet": ("--network net --subnet-range 10.7.0.0/24 made", "--description d"),
    "subnet pool": ("--pool-prefix 10.8.0.0/16 made", "--description d"),
    "network trunk": ("--parent-port port made", "--description d"),
    "volume": ("--size 1 made", "--property a=b"),
    "volume backup": ("--name made vol", "--name made"),
    "volume group type": ("made", "--description d"),
    "volume qos": ("made", "--property a=b"),
    "volume snapshot": ("--volume vol made", "--property a=b"),
    "volume transfer request": ("--name made spare", None),
    "volume type": ("made", "--property a=b"),
    "trait": ("CUSTOM_MADE", None),
    "resource class": ("CUSTOM_MADE", ""),
}
#: What there is for the others.
PREPARED = """
    network create net
    subnet create --network net --subnet-range 10.9.0.0/24 sub
    network create --external outside
    subnet create --network outside --subnet-range 172.24.4.0/24 --no-dhcp out
    router create router
    port create --network net port
    volume create --size 1 vol
    volume create --size 1 spare
    flavor create --ram 1 --disk 1 --vcpus 1 --property resources:CUSTOM_GOLD=1 gold
    image create --disk-format raw --container-format bare --file key.pub img
    security group create sg
    image metadef namespace create ns
    project create tenants
    user create --project tenants --password p someone
    group create folk
    role create duty
    network qos policy create quality
    server group create bunch
    aggregate create heap
"""
OTHERS = """
    server create --flavor gold --image img --nic net-id=net one
    server list
    server list --all-projects
    server show one
    server set --property a=b one
    server unset --property a one
    server stop one
    server start one
    server reboot one
    server lock one
    server unlock one
    server pause one
    server unpause one
    server suspend one
    server resume one
    server shelve one
    server unshelve one
    server resize --flavor gold one
    server migrate one
    server evacuate one
    server rescue one
    server unrescue one
    server rebuild one
    server backup create one
    server image create one
    server dump create one
    server restore one
    server add volume one vol
    server volume list one
    server remove volume one vol
    server add security group one sg
    server remove security group one sg
    server add network one net
    server remove network one net
    server add port one port
    server remove port one port
    server add fixed ip one net
    server event list one
    server migration list
    server group list
    console log show one
    console url show one
    usage list
    usage show
    server delete one
    compute service list
    compute service set --disable HOST nova-compute
    compute service set --enable HOST nova-compute
    compute agent list
    host list
    host show HOST
    host set --disable HOST
    hypervisor list
    hypervisor stats show
    limits show --absolute
    quota show
    quota list --compute
    quota set --cores 5 tenants
    quota delete tenants
    availability zone list
    extension list --network
    extension list --volume
    extension list --compute
    versions show
    catalog list
    catalog show compute
    configuration show
    aggregate add host heap HOST
    aggregate remove host heap HOST
    aggregate unset --property a heap
    aggregate cache image heap img
    flavor set --project tenants gold
    flavor unset --property a gold
    access rule list
    consumer list
    consumer create
    credential create --type x admin blob
    credential list
    ec2 credentials create
    ec2 credentials list
    endpoint list
    endpoint create compute internal http://x
    endpoint group list
    endpoint add project x tenants
    federation project list
    federation domain list
    federation protocol list --identity-provider x
    group add user folk someone
    group contains user folk someone
    group remove user folk someone
    implied role create --implied-role duty member
    implied role list
    implied role delete --implied-role duty member
    limit list
    mapping list
    policy list
    registered limit list
    registered limit create --service compute --default-limit 5 cores
    role add --user someone --project tenants duty
    role assignment list --names
    role remove --user someone --project tenants duty
    service list
    service create --name x x
    service show compute
    service set --description d compute
    service provider list
    token issue
    trust list
    trust create --project tenants --role duty admin someone
    image save --file saved img
    image set --deactivate img
    image set --activate img
    image unset --property a img
    image add project img tenants
    image member list img
    image member get img tenants
    image remove project img tenants
    image stage --file key.pub img
    image import img
    image import info
    image task list
    image metadef object create --namespace ns thing
    image metadef object list ns
    image metadef object show ns thing
    image metadef object update ns thing --name other
    image metadef object delete ns other
    image metadef property create --name p --title P --type string --schema {} ns
    image metadef property list ns
    image metadef property show ns p
    image metadef property set --title Q ns p
    image metadef property delete ns p
    image metadef resource type list
    image metadef resource type association create ns OS::Nova::Flavor
    image metadef resource type association list ns
    image metadef resource type association delete ns OS::Nova::Flavor
    cached image list
    floating ip create outside
    floating ip list
    ip availability list
    ip availability show net
    network agent list
    network auto allocated topology create
    network flavor profile list
    network l3 conntrack helper list router
    network meter rule list
    network qos rule create --type bandwidth-limit --max-kbps 5 quality
    network qos rule list quality
    network qos rule type list
    network qos rule type show bandwidth_limit
    network rbac create --type network --action access_as_shared --target-project tenants net
    network rbac list
    network service provider list
    network subport list --trunk x
    network unset --all-tag net
    default security group rule list
    port unset --all-tag port
    router add subnet router sub
    router set --external-gateway outside router
    router unset --external-gateway router
    router add route --route destination=10.1.0.0/24,gateway=10.9.0.9 router
    router remove route --route destination=10.1.0.0/24,gateway=10.9.0.9 router
    router remove subnet router sub
    router add port router port
    router remove port router port
    security group rule create --protocol tcp --dst-port 80 sg
    security group rule list sg
    security group unset --all-tag sg
    subnet unset --all-tag sub
    consistency group snapshot list
    block storage cluster list
    block storage log level list
    block storage resource filter list
    block storage resource filter show volume
    block storage snapshot manageable list HOST
    block storage volume manageable list HOST
    volume attachment list
    volume attachment create vol one
    volume backend pool list
    volume backend capability show HOST
    volume backup restore x
    volume group list
    volume group create --volume-group-type x --volume-type multiattach
    volume group snapshot list
    volume host set --enable HOST
    volume message list
    volume migrate --host HOST vol
    volume qos associate x multiattach
    volume service list
    volume service set --enable HOST cinder-volume
    volume set --size 2 vol
    volume summary
    volume unset --property a vol
    volume revert x
    volume type unset --property a multiattach
    resource provider list
    resource provider create place
    allocation candidate list --resource CUSTOM_GOLD=1
    resource usage show x
"""


#: The compute service of the fake Nova.
HOST = "localhost-ironic"


def ran(line: str) -> str:
    """Return what a command did."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = OpenStackShell().run(shlex.split(line))
        except SystemExit as exc:
            status = exc.code
    for handler in list(logging.getLogger("").handlers):
        logging.getLogger("").removeHandler(handler)
    if not status:
        return "works"
    # The program prints its usage before it says what is wrong with the arguments.
    said = " ".join(err.getvalue().rpartition("openstack: error: ")[2].split())
    said = re.sub(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}", "ID", said)
    return re.sub(r"https?://[\w.:]+", "URL", said) or "nothing was said"


warnings.simplefilter("ignore")
# One node, which a server can be built on.
node = {
    "name": "node-1",
    "provision_state": "available",
    "network_interface": "noop",
    "resource_class": "gold",
}
seed = json.dumps({"nodes": [node]}).encode()
address, kind = f"{os.environ['FAKE_URL']}/_fake/seed", {"Content-Type": "application/json"}
urllib.request.urlopen(urllib.request.Request(address, seed, kind))
os.environ.pop("OS_SYSTEM_SCOPE", None)
os.environ |= {"OS_PROJECT_NAME": "admin", "OS_PROJECT_DOMAIN_NAME": "Default"}
Path("key.pub").write_text("ssh-rsa AAAAB3NzaC1yc2E= someone")
for name, newest in {
    "OS_COMPUTE_API_VERSION": "2.104",
    "OS_VOLUME_API_VERSION": "3.71",
    "OS_PLACEMENT_API_VERSION": "1.39",
}.items():
    os.environ[name] = newest
seen = {}
for line in filter(None, map(str.strip, PREPARED.splitlines())):
    seen[line] = ran(line)
for kind, (needed, changed) in CREATED.items():
    name = needed.split()[-1] if "made" not in needed else "made"
    lines = [f"{kind} create {needed}", f"{kind} list", f"{kind} show {name}"]
    if changed is not None:
        lines.append(f"{kind} set {changed} {name}")
    for line in (*lines, f"{kind} delete {name}"):
        seen[line] = ran(line)
for line in filter(None, map(str.strip, OTHERS.replace("HOST", HOST).splitlines())):
    seen[line] = ran(line)
print(json.dumps(seen))
