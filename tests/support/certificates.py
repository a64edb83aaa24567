"""A certificate that nobody vouches for, made by openssl where it is installed."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.support import skip_or_fail


def self_signed(folder: Path, alternative: str) -> tuple[str, str]:
    """The files of a certificate for ``alternative`` (as ``DNS:peas.example``) and of its key."""
    made, key = str(folder / "certificate.pem"), str(folder / "key.pem")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    command += ["-days", "2", "-subj", "/CN=peas", "-addext", f"subjectAltName={alternative}"]
    try:
        subprocess.run([*command, "-keyout", key, "-out", made], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        skip_or_fail(f"openssl makes no certificate here: {error}")
    return made, key
