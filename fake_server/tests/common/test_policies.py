"""The language of policies, as oslo.policy understands it, and the files of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oslo_config import cfg
from oslo_policy import policy as oslo

from fake_server.common.context import Context
from fake_server.common.guarded_routes import GuardedRoutes, UnguardedError
from fake_server.common.policies import Policies, PolicyError, read, table
from fake_server.tests.wsgi import request

BASIC = Policies(
    table("""
role:admin
    admin
[project] rule:admin or (role:reader and project_id:%(project_id)s)
    thing:get thing:list
[system domain] role:member
    thing:create
"""),
    renamed={"thing:list": "thing:index"},
)
_LEAVES = st.sampled_from(
    [
        *("role:admin", "role:Reader", "role:%(role)s", "project_id:%(project_id)s", "@", "!"),
        *("user_id:%(user_id)s", "user_id:u", "None:%(project_id)s", "'public':%(visibility)s"),
        *("True:%(flag)s", "token.user.id:%(user_id)s", "token.groups.id:g2", "rule:admin"),
        *("rule:missing", "system_scope:all", "project_id:p%(project_id)s", "a.b.c:d"),
        "service_roles:service",
    ]
)
_CHECKS = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.builds("({} or {})".format, inner, inner),
        st.builds("({} and {})".format, inner, inner),
        st.builds("{} or {} and {}".format, inner, inner, inner).map("({})".format),
        st.builds("not ({})".format, inner).map("({})".format),
    ),
    max_leaves=6,
)
_CREDENTIALS = st.fixed_dictionaries(
    {"roles": st.lists(st.sampled_from(["admin", "reader", "member"]))},
    optional={
        "project_id": st.sampled_from([None, "p", "q"]),
        "user_id": st.sampled_from(["u", "v"]),
        "domain_id": st.sampled_from([None, "d"]),
        "system_scope": st.sampled_from([None, "all"]),
        "service_roles": st.lists(st.sampled_from(["service", "other"])),
        "token": st.just({"user": {"id": "u"}, "groups": [{"id": "g1"}, {"id": "g2"}]}),
    },
)
_TARGETS = st.fixed_dictionaries(
    {},
    optional={
        "project_id": st.sampled_from([None, "p", "q"]),
        "user_id": st.sampled_from(["u", "v"]),
        "role": st.just("Member"),
        "visibility": st.sampled_from(["public", "private"]),
        "flag": st.booleans(),
    },
)
_SCOPES = st.lists(st.sampled_from(["project", "domain", "system"]), unique=True)


@given(check=_CHECKS, scopes=_SCOPES, credentials=_CREDENTIALS, target=_TARGETS)
def test_policies_allow_what_oslo_policy_allows(check, scopes, credentials, target):
    conf = cfg.ConfigOpts()
    conf([])
    real = oslo.Enforcer(conf, policy_file="none")
    real.register_defaults(
        [oslo.RuleDefault("admin", "role:admin"), oslo.RuleDefault("x", check, scope_types=scopes)]
    )
    expected = bool(real.authorize("x", target, dict(credentials)))
    found = Policies(table(f"role:admin\n admin\n[{' '.join(scopes)}] {check}\n x"))
    lowered = {**credentials, "roles": frozenset(credentials["roles"])}
    assert found.allows("x", lowered, target) is expected


def test_a_check_without_a_word_allows_all():
    assert Policies(table("-\n x")).allows("x", {"roles": ()}, {})


def test_policies_of_a_table_have_one_rule_each():
    with pytest.raises(PolicyError, match="two rules for a"):
        table("role:x\n a b\nrole:y\n a")


FILES = {
    "thing:gone: role:x\n": ", line 1: There is no policy thing:gone, and no other refers to it.",
    "\nthing:get: 'role:x or'\n": (
        ", line 2: The policy thing:get, 'role:x or': a check is missing before 'the end'."
    ),
    "thing:get: 'role:x role:y'": (
        ", line 1: The policy thing:get, 'role:x role:y': there is no 'and' or 'or' before 'role:y'"
    ),
    "thing:get: '(role:x'": ", line 1: The policy thing:get, '(role:x': a ')' is missing.",
    "thing:get: admin": ", line 1: The policy thing:get, 'admin': 'admin' is no check",
    "thing:get: '@'\nthing:get: '!'": ", line 2: the key 'thing:get' is there twice, first in line",
    "thing:list: '@'\n\nthing:index: '!'": ", line 3: There are two rules for thing:list.",
    "thing:get: 1": ", line 1: the policy 'thing:get' needs a check that is text.",
    "thing:get: rule:other": (
        ", line 1: The policy thing:get refers to rule:other, which does not exist."
    ),
    "admin: '@'\nthing:get: rule:thing:create\nthing:create: rule:thing:get": (
        ", line 2: The policies refer to each other: thing:get -> thing:create -> thing:get."
    ),
    "- a": " needs to be an object",
    "a: [": ", line 2: did not find expected node content.",
}


@pytest.mark.parametrize("content", FILES)
def test_a_bad_policy_file_is_refused_with_line_and_name(tmp_path, content):
    file = tmp_path / "policy.yaml"
    file.write_text(content)
    with pytest.raises(PolicyError) as raised:
        read(str(file), BASIC)
    assert str(raised.value).startswith(f"{file}{FILES[content]}")


def test_a_policy_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(PolicyError, match=r"policy.yaml can't be read: No such file"):
        read(str(tmp_path / "policy.yaml"), BASIC)


def test_a_policy_file_replaces_checks_and_keeps_scopes(tmp_path):
    file = tmp_path / "policy.yaml"
    file.write_text("thing:index: rule:mine\nmine: role:custom\nthing:create: '@'\n")
    found = read(str(file), BASIC)
    custom = {"roles": frozenset({"custom"})}
    assert found.allows("thing:list", custom, {})
    assert not found.allows("thing:list", {**custom, "system_scope": "all"}, {})
    assert not found.allows("thing:get", custom, {})
    assert not found.allows("thing:create", custom, {})


class _Context(Context):
    policies = BASIC


@pytest.mark.parametrize("policies", [(), ("thing:gone",)])
def test_a_handler_without_a_published_policy_is_an_error_at_import(policies):
    with pytest.raises(UnguardedError, match=r"test_policies\..*show"):

        @GuardedRoutes(BASIC).add("GET", "/things", *policies)
        def show(ctx):
            """Never used."""


def test_a_handler_that_asks_none_of_its_policies_does_not_answer():
    routes = GuardedRoutes(BASIC)

    @routes.add("GET", "/things", "thing:get")
    def show(ctx):
        return "shown"

    @routes.add("GET", "/guarded", "thing:get")
    def show_guarded(ctx):
        ctx.require("thing:get")
        return "shown"

    ctx = _Context(request("GET", "/things"))
    with pytest.raises(UnguardedError, match="show has enforced none"):
        routes.resolve("GET", "/things")[0](ctx)
    assert routes.resolve("GET", "/guarded")[0](ctx) == "shown"
