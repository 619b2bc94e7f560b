"""Ask an Identity API who may do what ``rights_of_keystone.txt`` lists, and note what it answers.

``python -m fake_server.tests.identity.rights URL`` prints the file anew, with the answers of a
real Keystone (``tools/real-service keystone``), in which it creates a cloud of two domains first.

In the file a request is a line, and each line below it is an answer with the people who get it. In
an answer stands which of the things that are known by name it shows. A line may end with what an
administrator does after a request that succeeded: ``~> METHOD PATH``.
"""

from __future__ import annotations

import itertools
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from fake_server.tests import asked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

RECORD = Path(__file__).with_name("rights_of_keystone.txt")
#: People by what the file calls them: what each one's token is for, with the role there.
PEOPLE: dict[str, tuple[str, str] | None] = {
    "nobody": None,
    "unscoped": ("", ""),
    "custom": ("project", "CUSTOM"),
    "reader": ("project", "READER"),
    "member": ("project", "MEMBER"),
    "manager": ("project", "MANAGER"),
    "lead": ("project", "ADMIN"),
    "service": ("project", "SERVICE"),
    "restricted": ("project", "MEMBER"),
    "unrestricted": ("project", "MEMBER"),
    "ruled": ("project", "MEMBER"),
    "robot": ("project", "ADMIN"),
    "domain-custom": ("domain", "CUSTOM"),
    "domain-reader": ("domain", "READER"),
    "domain-member": ("domain", "MEMBER"),
    "domain-manager": ("domain", "MANAGER"),
    "domain-admin": ("domain", "ADMIN"),
    "system-custom": ("system", "CUSTOM"),
    "system-reader": ("system", "READER"),
    "system-member": ("system", "MEMBER"),
    "system-manager": ("system", "MANAGER"),
    "system-admin": ("system", "ADMIN"),
}
#: What those who use an application credential say of it when they make it.
_CREDENTIALS: dict[str, dict[str, Any]] = {
    "restricted": {},
    "unrestricted": {"unrestricted": True},
    "robot": {"unrestricted": True},
    "ruled": {
        "access_rules": [
            {"service": "identity", "method": method, "path": path}
            for method, path in (
                ("GET", "/v3/projects/*"),
                ("GET", "/v3/users/{user_id}"),
                ("GET", "/v3/users/**"),
                ("PATCH", "/v3/projects/**"),
            )
        ]
    },
}
_PASSWORD = "secret"


@dataclass(frozen=True)
class Row:
    """A request of the file.

    :param line: the number of its line.
    :param answers: what it is answered, with the people who get that.
    """

    line: int
    request: str
    answers: dict[str, list[str]]


def rows() -> Iterator[Row]:
    """Return the requests of the file."""
    found: Row | None = None
    for number, line in enumerate(RECORD.read_text("utf-8").splitlines(), 1):
        if line.startswith("    "):
            answer, _, people = line.strip().partition(": ")
            assert found is not None, f"line {number} answers nothing"
            found.answers[answer] = people.split()
        elif line and not line.startswith("#"):
            if found is not None:
                yield found
            found = Row(number, line, {})
    if found is not None:
        yield found


class Asker:
    """Sends the requests of the file.

    :param send: takes method, path below ``/v3``, body or None, and headers; returns the status,
        the headers by their lowercase names, and the decoded body.
    """

    def __init__(self, send: Callable[..., Any]) -> None:
        self.send = send
        self.ids: dict[str, str] = {}
        self.tokens: dict[str, str] = {}
        self.users: dict[str, str] = {}
        self._numbers = itertools.count(1)
        self._admin = self._token({"name": "admin", "domain": {"id": "default"}}, "system")
        self._prepare()

    def answers(self, request: str, people: Sequence[str]) -> dict[str, list[str]]:
        """Return what a request is answered, with the people who get that."""
        found: dict[str, list[str]] = {}
        for who in people:
            found.setdefault(self._answer(who, request), []).append(who)
        return found

    def _answer(self, who: str, request: str) -> str:
        asked_for, _, undo = request.partition(" ~> ")
        status, body = self._sent(who, asked_for)
        if status < 300 and undo:
            after, _ = self._sent(who, undo, self._admin)
            assert after < 300, (who, request, after)
        names = {ident: name for name, ident in self._named(who).items()}
        shown = sorted({names[one] for one in _idents(body) if one in names})
        return " ".join([str(status), *shown]) if status == 200 else str(status)

    def _sent(self, who: str, request: str, token: str = "") -> tuple[int, Any]:
        """Send a request; make what it names as new first.

        :param token: that of who sends it, if it isn't that of the one it is about.
        """
        for name in {*re.findall(r"\$NEW_\w+", request)} - {*self.ids}:
            self._make_new(name)
        method, path, *rest = asked.with_ids(request, self._named(who)).split(" ", 2)
        body = (
            yaml.safe_load(rest[0].replace("$UNIQUE", f"n{next(self._numbers)}")) if rest else None
        )
        token = token or self.tokens.get(who, "")
        headers = {"X-Auth-Token": token} if token else {}
        path, about_token, other = path.partition("$SUBJECT")
        if about_token:
            other = other.removeprefix("=")
            headers["X-Subject-Token"] = self.tokens.get(other, other) or token or self._admin
        status, _, found = self.send(method, path, body, headers)
        if method == "DELETE" and status < 300:
            for name in re.findall(r"\$NEW_\w+", request):
                del self.ids[name]
        return status, found

    def _named(self, who: str) -> dict[str, str]:
        user = self.users.get(who, "nobody")
        return {**self.ids, "$SELF": user, "$TOKEN": self.tokens.get(who, "nothing")}

    # What there is

    def _make(self, path: str, /, **values: Any) -> str:
        kind = path.split("?")[0].rstrip("s")
        body = {kind: values}
        status, _, found = self.send("POST", f"/{path}", body, {"X-Auth-Token": self._admin})
        assert status == 201, (path, values, found)
        return str(found[kind]["id"])

    def _put(self, path: str) -> None:
        named = asked.with_ids(path, self.ids)
        status, _, found = self.send("PUT", named, None, {"X-Auth-Token": self._admin})
        assert status < 300, (path, status, found)

    def _prepare(self) -> None:
        ids = self.ids
        found = self.send("GET", "/roles", None, {"X-Auth-Token": self._admin})[2]["roles"]
        ids.update({f"${one['name'].upper()}": one["id"] for one in found})
        if "$SERVICE" not in ids:
            ids["$SERVICE"] = self._make("roles", name="service")
        ids["$CUSTOM"] = self._make("roles", name="custom")
        ids["$CHIEF"] = self._make("roles", name="chief")
        self._put("/roles/$CHIEF/implies/$MANAGER")
        for number in (1, 2):
            domain = ids[f"$DOMAIN{number}"] = self._make("domains", name=f"domain{number}")
            within = {"domain_id": domain}
            ids[f"$USER{number}"] = self._make("users", name="u", password=_PASSWORD, **within)
            ids[f"$GROUP{number}"] = self._make("groups", name="g", **within)
            ids[f"$PROJECT{number}"] = self._make("projects", name="p", tags=["blue"], **within)
            ids[f"$ROLE{number}"] = self._make("roles", name="r", **within)
            self._put(f"/groups/$GROUP{number}/users/$USER{number}")
            for place in (f"projects/$PROJECT{number}", f"domains/$DOMAIN{number}"):
                for one in (f"users/$USER{number}", f"groups/$GROUP{number}"):
                    self._put(f"/{place}/{one}/roles/$READER")
                    self._put(f"/OS-INHERIT/{place}/{one}/roles/$READER/inherited_to_projects")
        self._put("/system/users/$USER1/roles/$READER")
        self._put("/system/groups/$GROUP1/roles/$READER")
        ids["$OWN_PROJECT"] = self._make("projects", name="own", domain_id=ids["$DOMAIN1"])
        ids["$REGION"] = self._make("regions", description="")
        ids["$SERVICE_"] = self._make("services", type="matrix")
        ids["$ENDPOINT"] = self._make(
            "endpoints", service_id=ids["$SERVICE_"], interface="public", url="http://x"
        )
        self._limit("registered_limits", "$REGISTERED", default_limit=5)
        for name, scope in (("1", "PROJECT1"), ("2", "PROJECT2"), ("_OWN", "OWN_PROJECT")):
            self._limit("limits", f"$LIMIT{name}", resource_limit=4, project_id=ids[f"${scope}"])
        for number in (1, 2):
            domain = ids[f"$DOMAIN{number}"]
            self._limit("limits", f"$DLIMIT{number}", resource_limit=4, domain_id=domain)
            owner = ids[f"$USER{number}"]
            values = {"type": "x", "blob": "b", "user_id": owner}
            ids[f"$CREDENTIAL{number}"] = self._make("credentials", **values)
            token = self._token({"id": owner}, "project", ids[f"$PROJECT{number}"])
            made = self._application_credential(token, owner, _CREDENTIALS["ruled"])
            ids[f"$APPLICATION{number}"] = made["id"]
            ids[f"$RULE{number}"] = made["access_rules"][0]["id"]
        for number in ("1", "2"):
            ids[f"$TRUST{number}"] = self._trust(number)
        for who, place in PEOPLE.items():
            if place is not None:
                self._add(who, *place)

    def _limit(self, kind: str, name: str, **values: Any) -> None:
        body = {kind: [{"service_id": self.ids["$SERVICE_"], "resource_name": "x", **values}]}
        found = self.send("POST", f"/{kind}", body, {"X-Auth-Token": self._admin})[2]
        self.ids[name] = found[kind][-1]["id"]

    def _add(self, who: str, scope: str, role: str) -> None:
        """Make somebody, with a credential of the own."""
        user = self._make("users", name=who, password=_PASSWORD, domain_id=self.ids["$DOMAIN1"])
        self.users[who] = user
        target = {"project": "OWN_PROJECT", "domain": "DOMAIN1"}.get(scope, "")
        place = f"{scope}s/${target}" if target else scope
        if scope:
            self._put(f"/{place}/users/{user}/roles/${role}")
        token = self._token({"id": user}, scope, self.ids.get(f"${target}", ""))
        if who in _CREDENTIALS:
            made = self._application_credential(token, user, _CREDENTIALS[who])
            proof = {"id": made["id"], "secret": made["secret"]}
            method = "application_credential"
            identity = {"methods": [method], method: proof}
            status, headers, _ = self.send(
                "POST", "/auth/tokens", {"auth": {"identity": identity}}, {}
            )
            assert status == 201, who
            token = headers["x-subject-token"]
        self.tokens[who] = token

    def _application_credential(self, token: str, user: str, values: dict[str, Any]) -> Any:
        body = {"application_credential": {"name": f"n{next(self._numbers)}", **values}}
        path = f"/users/{user}/application_credentials"
        status, _, found = self.send("POST", path, body, {"X-Auth-Token": token})
        assert status == 201, found
        return found["application_credential"]

    def _trust(self, number: str) -> str:
        """Make a trust between the users of both domains, for the project of one of them."""
        giver, place = self.ids[f"$USER{number}"], self.ids[f"$PROJECT{number}"]
        trust = {
            "trustor_user_id": giver,
            "trustee_user_id": self.ids[f"$USER{'21'[int(number) - 1]}"],
            "impersonation": False,
            "project_id": place,
            "roles": [{"id": self.ids["$READER"]}],
        }
        headers = {"X-Auth-Token": self._token({"id": giver}, "project", place)}
        status, _, found = self.send("POST", "/OS-TRUST/trusts", {"trust": trust}, headers)
        assert status == 201, found
        return str(found["trust"]["id"])

    def _make_new(self, name: str) -> None:
        """Make something that a request may remove: ``$NEW_USER1`` is a user of domain 1."""
        kind, number = re.fullmatch(r"\$NEW_([A-Z_]+?)(\d?)", name).groups()  # type: ignore[union-attr]
        values: dict[str, Any] = {"name": f"n{next(self._numbers)}"}
        if number:
            values["domain_id"] = self.ids[f"$DOMAIN{number}"]
        match kind:
            case "CREDENTIAL":
                values = {"type": "x", "blob": "b", "user_id": self.ids[f"$USER{number}"]}
            case "REGION":
                values = {}
            case "SERVICE":
                values = {"type": "x"}
            case "ENDPOINT":
                values = {"interface": "public", "url": "http://x"}
                values["service_id"] = self.ids["$SERVICE_"]
            case "DOMAIN":
                values["enabled"] = False
            case "TOKEN":
                owner = {"id": self.ids[f"$USER{number}"]}
                self.ids[name] = self._token(owner, "project", self.ids[f"$PROJECT{number}"])
                return
            case "TRUST":
                self.ids[name] = self._trust(number)
                return
            case "APPLICATION":
                owner = self.ids[f"$USER{number}"]
                token = self._token({"id": owner}, "project", self.ids[f"$PROJECT{number}"])
                rule = {"service": "identity", "method": "GET", "path": f"/{values['name']}"}
                made = self._application_credential(token, owner, {"access_rules": [rule]})
                self.ids[name] = made["id"]
                return
            case "LIMIT" | "REGISTERED":
                values = {"resource_name": values["name"], "default_limit": 5}
                self._limit("registered_limits", "$_", **values)
                if kind == "LIMIT":
                    values = {"resource_name": values["resource_name"], "resource_limit": 1}
                    self._limit("limits", "$_", **values, project_id=self.ids[f"$PROJECT{number}"])
                self.ids[name] = self.ids.pop("$_")
                return
        self.ids[name] = self._make(f"{kind.lower()}s", **values)

    def _token(self, user: dict[str, Any], scope: str, ident: str = "") -> str:
        where: Any = {scope: {"id": ident}} if ident else {"system": {"all": True}}
        identity = {"methods": ["password"], "password": {"user": {**user, "password": _PASSWORD}}}
        body = {"auth": {"identity": identity, "scope": where if scope else "unscoped"}}
        status, headers, found = self.send("POST", "/auth/tokens", body, {})
        assert status == 201, found
        return str(headers["x-subject-token"])


def _idents(found: Any) -> Iterator[str]:
    """Return the identifiers of what an answer lists or shows."""
    for kind, value in found.items() if isinstance(found, dict) else ():
        if kind == "role_assignments":
            for one in value:
                for part in (one.get("user"), one.get("group"), *one["scope"].values()):
                    if isinstance(part, dict) and "id" in part:
                        yield part["id"]
        elif isinstance(value, list):
            yield from (one["id"] for one in value if isinstance(one, dict) and "id" in one)


def main() -> None:
    import requests as http

    base = f"{sys.argv[1].rstrip('/')}/v3"
    session = http.Session()

    def send(method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
        found = session.request(method, base + path, json=body, headers=headers, timeout=60)
        try:
            decoded = found.json()
        except ValueError:
            decoded = None
        return found.status_code, {n.lower(): value for n, value in found.headers.items()}, decoded

    asker = Asker(send)
    for line in RECORD.read_text("utf-8").splitlines():
        if line.startswith("    "):
            continue
        print(line)
        if line and not line.startswith("#"):
            for answer, people in asker.answers(line, tuple(PEOPLE)).items():
                print(f"    {answer}: {' '.join(people)}")


if __name__ == "__main__":
    main()
