"""Addresses with the policies that their handlers enforce: none is reachable without a rule."""

from __future__ import annotations

from functools import partial, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from fake_server.common.policies import UnknownPolicyError
from fake_server.common.rest import Routes

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.context import Context
    from fake_server.common.policies import Policies

HandlerT = TypeVar("HandlerT", bound="Callable[..., Any]")


class UnguardedError(Exception):
    """A handler that declares no policy, an unknown one, or has enforced none of its own."""


class _Offer(NamedTuple):
    """The versions that have an address: since one, until another one."""

    since: int = 0
    until: int | None = None

    def check(self, ctx: Context) -> None:
        """Raise NotFound in versions that don't have it."""
        ctx.since(self.since)
        if self.until is not None:
            ctx.until(self.until)


class GuardedRoutes(Routes[HandlerT]):
    """Handlers by method and path, each with the policies that it enforces.

    A handler that answers without having asked one of them is a fault of the server, which then
    doesn't send the answer.

    :param policies: those of the service.
    :param since: the version that added all of them that don't name another one.
    """

    def __init__(self, policies: Policies, since: int = 0) -> None:
        super().__init__()
        self._policies = policies
        self._since = since

    def add(
        self,
        methods: str,
        address: str,
        *policies: str,
        since: int | None = None,
        until: int | None = None,
        asks: bool = False,
    ) -> Callable[[HandlerT], HandlerT]:
        """Register the decorated handler.

        :param methods: such as ``GET`` or ``GET HEAD``.
        :param address: a path with placeholders: ``/v3/users/{user_id}``.
        :param policies: the names of those that it enforces, one of them each time.
        :param since: the version that added it.
        :param until: the version that dropped it, if one did.
        :param asks: whether the policy is asked before the handler, and knows of the placeholders
            of the address and of the client's own project and user.
        """

        def register(handler: HandlerT) -> HandlerT:
            plain: Any = handler
            while hasattr(plain, "func"):  # what partial() is of
                plain = plain.func
            called = f"{plain.__module__}.{plain.__qualname__}"
            if not policies:
                raise UnguardedError(f"{called} needs the name of the policy that it enforces.")
            try:
                names = frozenset(map(self._policies.name, policies))
            except UnknownPolicyError as exc:
                raise UnguardedError(f"{called} can't enforce a policy: {exc}") from None
            offer = _Offer(self._since if since is None else since, until)
            asked = policies[0] if asks else None
            self.put(methods, address, _guarded(handler, called, names, offer, asked))
            return handler

        return register

    def asking(
        self,
        methods: str,
        address: str,
        policy: str,
        since: int | None = None,
        until: int | None = None,
    ) -> Callable[[HandlerT], HandlerT]:
        """Register the decorated handler, which needn't ask its policy; see :meth:`add`."""
        return self.add(methods, address, policy, since=since, until=until, asks=True)

    @staticmethod
    def joined(*parts: GuardedRoutes[HandlerT]) -> GuardedRoutes[HandlerT]:
        """Return the routes of several modules of a service as one."""
        whole: GuardedRoutes[HandlerT] = GuardedRoutes(parts[0]._policies)
        for part in parts:
            for address, handlers in part._by_address.items():
                for method, handler in handlers.items():
                    whole.put(method, address, handler)
        return whole

    def public(
        self, methods: str, address: str, since: int | None = None
    ) -> Callable[[HandlerT], HandlerT]:
        """Register the decorated handler of what the real service has no policy for.

        It refuses by itself whom the real one refuses.

        :param since: the version that added it.
        """

        def register(handler: HandlerT) -> HandlerT:
            offer = _Offer(self._since if since is None else since)
            offered = cast("HandlerT", partial(_offered, handler, offer))
            self.put(methods, address, offered if offer.since else handler)
            return handler

        return register


def _offered(handler: Callable[..., Any], offer: _Offer, ctx: Context, **arguments: Any) -> Any:
    offer.check(ctx)
    return handler(ctx, **arguments)


def _guarded(
    handler: HandlerT, called: str, names: frozenset[str], offer: _Offer, asked: str | None
) -> HandlerT:
    @wraps(handler)
    def guarded(ctx: Context, **arguments: Any) -> Any:
        offer.check(ctx)
        if asked is not None:
            ctx.require(asked, {**ctx.own, **arguments})
        answer = handler(ctx, **arguments)
        if ctx.asked.isdisjoint(names):
            raise UnguardedError(f"{called} has enforced none of its policies.")
        return answer

    return cast("HandlerT", guarded)
