"""Who uses a page, and whose a thread is."""

from __future__ import annotations

from dataclasses import dataclass

from reflex_agentkit.errors import ConfigurationError
from reflex_agentkit.records.principal import LOCAL_USER, Principal


@dataclass(frozen=True, slots=True)
class Owner:
    """The person behind a page. `user` is the name that their threads are kept under."""

    principal: Principal

    @property
    def user(self) -> str:
        # The one local user shares the threads that programs made without naming anybody.
        return "" if self.principal == LOCAL_USER else self.principal.id

    def owns(self, user: str) -> bool:
        """Whether a thread that is kept under this name is theirs."""
        return user == self.user


def owner(named: object, state_name: str) -> Owner | None:
    """What a state's `get_user` gave, as an owner. `None` or an empty text is nobody, who may see nothing.

    Raises:
        ConfigurationError: `get_user` gave something else.
    """
    if named is None or named == "":
        return None
    if isinstance(named, Principal):
        return Owner(named) if named.id else None
    if isinstance(named, str):
        return Owner(Principal(named))
    raise ConfigurationError(
        f"{state_name}.get_user gave {named!r}; it must give a text, a Principal, or None for nobody"
    )
