"""Access to secrets, and the scrubber that removes them from all outputs."""

from __future__ import annotations

import os

from pydantic import SecretStr

from mendel.adapters.otel.collector import secrets_of
from mendel.contracts.scrub import Scrubber, passwords_in
from mendel.settings import Settings


def scrubber(settings: Settings) -> Scrubber:
    """Return a scrubber for the secrets in this process's environment and settings."""
    passwords = [password for address in settings.addresses() for password in passwords_in(address)]
    known = (*passwords, *settings.secrets(), *secrets_of(os.environ))  # the last: headers for telemetry
    return Scrubber.from_environment(os.environ, settings.secret_variables(), known)


def secret_of(variable: str) -> SecretStr | None:
    """Return the value of an environment variable; an empty one counts as not set."""
    value = os.environ.get(variable, "").strip()
    return SecretStr(value) if value else None


def plain(secret: SecretStr | None) -> str | None:
    """Return the plain secret, for opening a connection."""
    return secret.get_secret_value() if secret is not None else None
