"""Certificates: one that a house makes for its first day, and what can be wrong with any.

A certificate that a house signs itself proves nothing to a browser that was not told to trust it; it is there so that
the first day is encrypted, and until an authority that the terminals know has signed another one.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, Literal

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Level = Literal["good", "mind", "bad"]
DAYS: Final = 397
"""The longest that browsers take."""
SOON_DAYS: Final = 30


def self_signed(folder: Path, *names: str) -> tuple[Path, Path]:
    """A certificate for names, and for this machine itself, with its key; both are written into the folder."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=DAYS))
        .add_extension(
            x509.SubjectAlternativeName([*map(_named, dict.fromkeys((*names, "localhost", "127.0.0.1")))]), False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), True)
        .sign(key, hashes.SHA256())
    )
    files = folder / "certificate.pem", folder / "certificate.key"
    pem = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    _write(files[0], made.public_bytes(serialization.Encoding.PEM), 0o644)
    _write(files[1], key.private_bytes(*pem), 0o600)
    return files


def _named(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _write(path: Path, content: bytes, mode: int) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)


def faults(certificate: Path, key: Path, names: frozenset[str]) -> Iterator[tuple[Level, str, str]]:
    """What is wrong with a certificate, each with what to do; `names` are those that the house is asked under."""
    renew = f"put a new certificate into {certificate} (and its key into {key}), and start the house again"
    try:
        made = x509.load_pem_x509_certificate(certificate.read_bytes())
        private = serialization.load_pem_private_key(key.read_bytes(), None)
    except OSError as error:
        yield "bad", f"{error.filename}: {error.strerror}", "name files that are there: certificate and certificate_key"
        return
    except (ValueError, TypeError) as error:
        yield "bad", f"{certificate} or {key} is not PEM without a password: {error}", renew
        return
    left = made.not_valid_after_utc - datetime.now(UTC)
    if left < timedelta(days=SOON_DAYS):
        ends = made.not_valid_after_utc.date().isoformat()
        over = left < timedelta()
        yield "bad" if over else "mind", f"{certificate} {'ended' if over else 'ends'} on {ends}", renew
    spelled = serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    if made.public_key().public_bytes(*spelled) != private.public_key().public_bytes(*spelled):
        yield "bad", f"{key} is not the key of {certificate}", renew
    for name in sorted(names - _names(made)):
        yield (
            "bad",
            f"{certificate} is not for {name}",
            f"have a certificate made that names {name}, or ask under another name",
        )


def _names(made: x509.Certificate) -> set[str]:
    try:
        found = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return set()
    return {*found.get_values_for_type(x509.DNSName), *map(str, found.get_values_for_type(x509.IPAddress))}
