"""Addresses with the policies that their handlers enforce: none is reachable without a rule."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from fake_server.common.policies import UnknownPolicyError
from fake_server.common.rest import Routes

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.context import Context
    from fake_server.common.policies import Policies

HandlerT = TypeVar("HandlerT", bound="Callable[..., Any]")


class UnguardedError(Exception):
    """A handler that declares no policy, an unknown one, or has enforced none of its own."""


class GuardedRoutes(Routes[HandlerT]):
    """Handlers by method and path, each with the policies that it enforces.

    A handler that answers without having asked one of them is a fault of the server, which then
    doesn't send the answer.

    :param policies: those of the service.
    """

    def __init__(self, policies: Policies) -> None:
        super().__init__()
        self._policies = policies

    def add(self, methods: str, address: str, *policies: str) -> Callable[[HandlerT], HandlerT]:
        """Register the decorated handler.

        :param methods: such as ``GET`` or ``GET HEAD``.
        :param address: a path with placeholders: ``/v3/users/{user_id}``.
        :param policies: the names of those that it enforces, one of them each time.
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
            self.put(methods, address, _guarded(handler, called, names))
            return handler

        return register

    @staticmethod
    def joined(*parts: GuardedRoutes[HandlerT]) -> GuardedRoutes[HandlerT]:
        """Return the routes of several modules of a service as one."""
        whole: GuardedRoutes[HandlerT] = GuardedRoutes(parts[0]._policies)
        for part in parts:
            for address, handlers in part._by_address.items():
                for method, handler in handlers.items():
                    whole.put(method, address, handler)
        return whole

    def public(self, methods: str, address: str) -> Callable[[HandlerT], HandlerT]:
        """Register the decorated handler of what the real service has no policy for.

        It refuses by itself whom the real one refuses.
        """
        return super().add(methods, address)


def _guarded(handler: HandlerT, called: str, names: frozenset[str]) -> HandlerT:
    @wraps(handler)
    def guarded(ctx: Context, **arguments: Any) -> Any:
        answer = handler(ctx, **arguments)
        if ctx.asked.isdisjoint(names):
            raise UnguardedError(f"{called} has enforced none of its policies.")
        return answer

    return cast("HandlerT", guarded)
