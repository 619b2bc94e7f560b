"""What a real Neutron answers to requests about routers and what is around them.

The file beside this one has requests and answers; :mod:`.neutron` writes it anew.
"""

from __future__ import annotations

from fake_server.tests import asked
from fake_server.tests.networking.cloud import Cloud
from fake_server.tests.networking.neutron import RECORD, USERS, Asker


def test_answers_are_those_of_neutron():
    cloud = Cloud()
    projects = {project: cloud.project(who) for who, (project, _) in USERS.items()}
    for project in projects.values():
        quota = dict.fromkeys(("network", "subnet", "port", "rbac_policy", "router"), -1)
        cloud("admin", "PUT", f"/quotas/{project}", {"quota": quota})
    asker = Asker(cloud, {f"${name}": ident for name, ident in projects.items()})
    problems = asked.problems(RECORD, asker.answer)
    assert problems == [], "\n".join(problems)
