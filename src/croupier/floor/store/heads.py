"""Signed heads: what the inspector holds, so that nobody can shorten or rewrite the journal unseen.

Theory of operation.  A hash chain alone catches a changed line, not a chain that was computed again from the change on,
nor one that was cut short.  So the head of the chain (table, line number, hash, time) is signed with an Ed25519 key
that is kept in a file outside the database.  Heads of a table are numbered without gaps (`ordinal`, which is signed
too), so that a missing one shows.  Whoever can delete lines can delete the last heads with them; therefore each head is
also written to a file beside the key, the witness, and goes out with exports and vouchers: any copy outside will do.
"""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from io import FileIO
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

KEY_BYTES = 32


class BadKey(ValueError):
    """A key file that cannot be used, in one line."""


class Head(msgspec.Struct, frozen=True):
    """The chain of `table` stood at line `number` with `hash` when `key` signed it."""

    table: str
    ordinal: int
    number: int
    hash: bytes
    at_ms: int
    key: bytes
    signature: bytes = b""


@dataclass(frozen=True, slots=True)
class Key:
    """The signing key of this process, and the file that witnesses what it signed."""

    private: Ed25519PrivateKey
    path: Path

    @property
    def public(self) -> bytes:
        return self.private.public_key().public_bytes_raw()

    @property
    def witness(self) -> Path:
        return self.path.with_name(self.path.name + ".heads")

    @property
    def earlier(self) -> tuple[bytes, ...]:
        """The public halves of the keys that this one replaced; what they signed stays good."""
        path = trusted_beside(self.path)
        try:
            return tuple(map(bytes.fromhex, path.read_text("ascii").split())) if path.exists() else ()
        except (OSError, ValueError) as error:
            raise BadKey(f"{path}: public keys in hexadecimal digits, one a line: {error}") from None


def trusted_beside(key: Path) -> Path:
    """The file beside a key that names those which it replaced."""
    return key.with_name(f"{key.name}.trusted")


def closed_mark(key: Path) -> Path:
    """The file beside a key that says that its house was closed for ever."""
    return key.with_name(f"{key.name}.closed")


def open_key(path: Path, *, make: bool = True) -> Key:
    """The key in the file; made on the first start unless `make` is off, readable by its owner alone."""
    try:
        raw = path.read_bytes() if path.exists() or not make else _new_key(path)
    except OSError as error:
        raise BadKey(f"{path}: the signing key cannot be read or made: {error.strerror}") from None
    if len(raw) != KEY_BYTES:
        raise BadKey(f"{path}: a signing key has {KEY_BYTES} bytes, this file {len(raw)}")
    if path.stat().st_mode & 0o077:
        raise BadKey(f"{path}: the signing key can be read by others; chmod 600 it")
    return Key(Ed25519PrivateKey.from_private_bytes(raw), path)


def _new_key(path: Path) -> bytes:
    return written_once(path, Ed25519PrivateKey.generate().private_bytes_raw())


def written_once(path: Path, raw: bytes) -> bytes:
    """A new secret, written beside its place and linked into it, so that a file with half a secret is never seen."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}.draft")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        # Another process made the file first: what it wrote counts.
        raw = path.read_bytes()
    finally:
        draft.unlink()
    sync_folder(path.parent)
    return raw


def add_durably(file: FileIO, path: Path, text: bytes) -> None:
    """Put a text at the end of a file that stays open: on return all of it is durable, under the name of the file."""
    try:
        rest = memoryview(text)
        while rest:
            # A disk that is nearly full takes a part, and says so only by its length.
            rest = rest[file.write(rest) :]
        os.fsync(file.fileno())
        if not os.path.samestat(os.stat(path), os.fstat(file.fileno())):
            raise OSError(errno.ENOENT, "another file has its name now")
    except OSError as error:
        # Several files are written; whoever reads why the process ended must know which disk it is.
        raise OSError(error.errno, error.strerror, str(path)) from None


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def head_text(head: Head) -> bytes:
    """What is signed.  A table's name has no line break, so no two heads have one text."""
    fields = ("croupier head 1", head.table, head.ordinal, head.number, head.hash.hex(), head.at_ms)
    return "\n".join(map(str, fields)).encode()


def snapshot_text(table: str, number: int, *, chain: bytes, body: bytes) -> bytes:
    """What is signed of a snapshot: the state, and the line it belongs to."""
    fields = ("croupier snapshot 1", table, number, chain.hex(), sha256(body).hexdigest())
    return "\n".join(map(str, fields)).encode()


def signed(key: Key, head: Head) -> Head:
    return msgspec.structs.replace(head, signature=key.private.sign(head_text(head)))


def is_signed(text: bytes, *, key: bytes, signature: bytes, trusted: Iterable[bytes]) -> bool:
    """Whether the text was signed by a key that is trusted."""
    if key not in set(trusted):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, text)
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


def is_genuine(head: Head, trusted: Iterable[bytes]) -> bool:
    return is_signed(head_text(head), key=head.key, signature=head.signature, trusted=trusted)
