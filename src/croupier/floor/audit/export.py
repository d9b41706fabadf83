"""A signed export: the journal of one table in a file that proves itself, without the database and without this house.

Theory of operation.  The file is lines of JSON.  The first names the table, the law it plays under, whether it is a
practice table, who asked for it and when.  Then come the lines of the journal with their hashes, then the signed heads
of the chain, and at the end the SHA-256 of all bytes before and an Ed25519 signature over it.  So whoever changes,
drops or adds anything breaks the last line; whoever signs the whole anew does it with another key; and whoever has the
key still contradicts the heads that others hold.

The export of one round alone (`Header.round`) has the lines of that round only.  A line that does not follow on another
one of them says the hash before it.  It is written into a page that can be printed, and read out of it again (`PROOF`);
the words of that page are hashed into its header (`Header.page`), so that they cannot be changed around it.  Its
settlements are not decided anew, because that takes the whole journal.

`verify_export` asks what `verify` asks of a store: does every line follow from the one before, do the heads agree, is
every settlement what the rules make of the round.  It reads the file and nothing else.  Which key is trusted is the
reader's business: `--key` names it, as 64 hexadecimal digits or as the key's file; without it the key is only told.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any, Final

import msgspec

from croupier.floor.audit.verify import KINDS, Verified, kind_of, readable, redecided, verify
from croupier.floor.places import key_for
from croupier.floor.store.chain import StoredLine, genesis, link
from croupier.floor.store.heads import Head, Key, is_genuine, is_signed, open_key
from croupier.journal.entries import BadJournal
from croupier.table.events import TableOpened, decode

FORMAT: Final = "croupier export 1"
HEX_KEY: Final = 64
PROOF: Final = ('<pre id="proof">', "</pre>")
"""What an export of one round stands between in its page."""
PAGE: Final = b"<!doctype html>"


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The first line: what the file is; `round` where it is the export of one round alone."""

    format: str
    table: str
    practice: bool
    lines: int
    heads: int
    at_ms: int
    by: str
    keys: tuple[str, ...]
    law: dict[str, Any] = {}
    round: int = 0
    page: str = ""


class JournalLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of the journal; `base64` where its bytes are no text, which they never should be.  `before` is the hash of
    the line before it where that is no part of the export.
    """

    number: int
    hash: str
    body: str = ""
    base64: str = ""
    before: str = ""


class SignedHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    head: Head


class Seal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: the hash of everything before it, the key, and the signature over the hash."""

    sha256: str
    key: str
    signature: str


class Exported(msgspec.Struct, frozen=True):
    """An export taken apart; `digest` is the hash of what stands before the seal."""

    header: Header
    lines: tuple[StoredLine, ...]
    heads: tuple[Head, ...]
    seal: Seal
    digest: bytes
    before: Mapping[int, bytes] = {}
    page: str = ""


class BadExport(ValueError):
    """A file that is no export, in one line."""


@dataclass(frozen=True, slots=True)
class VerifiedExport:
    """What was found, and what the file says of itself."""

    found: Verified
    table: str
    practice: bool
    key: str
    trusted: bool


def seal_text(digest: bytes) -> bytes:
    """What is signed."""
    return f"{FORMAT}\n{digest.hex()}".encode()


# ---------------------------------------------------------------- writing


def written(
    header: Header,
    lines: Iterable[StoredLine],
    heads: Iterable[Head],
    key: Key,
    *,
    before: Mapping[int, bytes] | None = None,
) -> Iterator[bytes]:
    """The file, a line at a time; `before` are hashes before lines that follow on none of these."""
    digest, gaps = sha256(), before or {}
    rows = (_journal(line, gaps.get(line.number, b"")) for line in lines)
    for part in (header, *rows, *(SignedHead(head) for head in heads)):
        text = msgspec.json.encode(part) + b"\n"
        digest.update(text)
        yield text
    signature = key.private.sign(seal_text(digest.digest()))
    yield msgspec.json.encode(Seal(digest.hexdigest(), key.public.hex(), signature.hex())) + b"\n"


def law_of(lines: Sequence[StoredLine]) -> dict[str, Any]:
    """The law that the first line of a table's journal names."""
    first = decode(lines[0].body).event if lines else None
    return dict(first.law) if isinstance(first, TableOpened) else {}


def _journal(line: StoredLine, before: bytes) -> JournalLine:
    row = JournalLine(line.number, line.hash.hex(), before=before.hex())
    try:
        return msgspec.structs.replace(row, body=line.body.decode())
    except UnicodeDecodeError:
        return msgspec.structs.replace(row, base64=b64encode(line.body).decode())


# ---------------------------------------------------------------- reading


def read_export(path: Path) -> Exported:
    """An export as it is in the file; nothing is believed yet."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise BadExport(f"{path}: cannot be read: {error.strerror}") from None
    return export_of(raw, str(path))


def export_of(raw: bytes, path: str) -> Exported:
    """An export from its bytes; `path` is where they come from, for whoever must look there."""
    proof, page = _taken_out(raw)
    rows = proof.splitlines(keepends=True)
    if len(rows) < 2:
        raise BadExport(f"{path}: no export: it has {len(rows)} lines")
    try:
        header, seal = msgspec.json.decode(rows[0], type=Header), msgspec.json.decode(rows[-1], type=Seal)
        first_head = 1 + header.lines
        parts = [msgspec.json.decode(row, type=JournalLine) for row in rows[1:first_head]]
        lines, before = tuple(map(_line, parts)), {row.number: bytes.fromhex(row.before) for row in parts if row.before}
        heads = tuple(msgspec.json.decode(row, type=SignedHead).head for row in rows[first_head:-1])
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadExport(f"{path}: no export, or a changed one: {error}") from None
    return Exported(header, lines, heads, seal, sha256(b"".join(rows[:-1])).digest(), before, page)


def _taken_out(raw: bytes) -> tuple[bytes, str]:
    """The export itself: the file, or what stands in the page of a round, and then the hash of the page around it."""
    start, end = (mark.encode() for mark in PROOF)
    head, found, rest = raw.partition(start)
    if not found or not raw.startswith(PAGE):
        return raw, ""
    proof, _, tail = rest.partition(end)
    return unescape(proof.decode(errors="replace")).encode(), page_hash(head, tail)


def page_hash(head: bytes, tail: bytes) -> str:
    """The hash of a page around its proof."""
    return sha256(head + b"\0" + tail).hexdigest()


def _line(row: JournalLine) -> StoredLine:
    return StoredLine(row.number, b64decode(row.base64) if row.base64 else row.body.encode(), bytes.fromhex(row.hash))


# ---------------------------------------------------------------- verifying


def verify_export(path: Path, key: str = "") -> VerifiedExport:
    """The first fault of an export, or how much of it is sound; `key` is the one that is trusted."""
    exported = read_export(path)
    trusted = trusted_key(key)
    header = exported.header
    verified = Verified(1, len(exported.lines), len(exported.heads), 0)
    fault = _unsealed(exported, trusted) or _unlinked(exported) or _headless(exported)
    if fault:
        found = replace(verified, fault=fault)
    else:
        settlements = _settlements(exported)
        found = (
            replace(verified, fault=settlements)
            if isinstance(settlements, str)
            else replace(verified, settlements=settlements)
        )
    return VerifiedExport(found, header.table, header.practice, exported.seal.key, bool(trusted))


def trusted_key(text: str) -> bytes:
    """A public key: its digits, or the file of the key; nothing if none is named."""
    if len(text) == HEX_KEY:
        try:
            return bytes.fromhex(text)
        except ValueError:
            raise ValueError(f"--key: not 64 hexadecimal digits: {text!r:.80}") from None
    return open_key(Path(text), make=False).public if text else b""


def _unsealed(exported: Exported, trusted: bytes) -> str:
    """Why the seal does not hold."""
    seal, header = exported.seal, exported.header
    if header.format != FORMAT:
        return f"the file says it is {header.format!r:.60}, not {FORMAT!r}"
    if exported.digest.hex() != seal.sha256:
        return "the seal: the bytes are not those that were signed"
    if header.page != exported.page:
        return "the page: its words are not those that were signed"
    try:
        key, signature = bytes.fromhex(seal.key), bytes.fromhex(seal.signature)
    except ValueError:
        return "the seal: key and signature are hexadecimal digits"
    if not is_signed(seal_text(exported.digest), key=key, signature=signature, trusted=(key,)):
        return "the seal: the signature does not fit"
    if trusted and key != trusted:
        return f"the seal: signed by the key {seal.key}, not by the one that is trusted"
    counts = (len(exported.lines), len(exported.heads))
    return "" if counts == (header.lines, header.heads) else f"it has {counts}, not the lines and heads it names"


def _unlinked(exported: Exported) -> str:
    """The first line that does not follow from the one before; in the export of a round, from the hash it says."""
    before, expected = genesis(exported.header.table), 1
    for line in exported.lines:
        if exported.header.round and line.number >= expected and line.number in exported.before:
            before, expected = exported.before[line.number], line.number
        if line.number != expected:
            return f"line {expected} is missing: line {line.number} stands in its place"
        before, expected = link(before, line.body), line.number + 1
        if line.hash != before:
            return f"line {line.number}: the hash does not follow from the line and the one before"
    return ""


def _headless(exported: Exported) -> str:
    """The first head that is not genuine, does not agree with its line, or is missing."""
    known = [bytes.fromhex(key) for key in exported.header.keys]
    alone = exported.header.round > 0
    for ordinal, head in enumerate(exported.heads, 1):
        if (head.ordinal != ordinal and not alone) or head.table != exported.header.table:
            return f"head {ordinal} is missing, or of another table"
        if not is_genuine(head, known):
            return f"head {ordinal}: the signature does not fit"
        if not _agrees(head, exported.lines):
            return f"head {ordinal}: line {head.number} was signed with another hash, or is cut off"
    return ""


def _agrees(head: Head, lines: Sequence[StoredLine]) -> bool:
    return head.number == 0 or any(line.number == head.number and line.hash == head.hash for line in lines)


@dataclass(frozen=True, slots=True)
class _Journal:
    """As much of a store as the rules need to decide a journal again."""

    lines: tuple[StoredLine, ...]

    def each_line(self, table: str) -> Iterator[StoredLine]:  # noqa: ARG002
        yield from self.lines


def _settlements(exported: Exported) -> int | str:
    """How many settlements are what the rules make of the rounds; the journals of the house itself have none."""
    name = exported.header.table
    if name in KINDS or exported.header.round:
        return 0
    journal: Any = _Journal(exported.lines)
    if kind_of(name):
        read = readable(journal, name)
        return read if isinstance(read, str) else 0
    try:
        return redecided(journal, name)
    except (BadJournal, msgspec.MsgspecError, ValueError) as error:
        return str(error)


def known_key(db: str, named: str) -> Path:
    """The key that vouches for a database, which must be there: one that was made now could have signed nothing."""
    path = key_for(db, named)
    if not path.exists():
        raise ValueError(f"no key in {path}: name the file of the key that signed this journal (--key)")
    return path


def verify_either(db: str, key: str, export: str, witness: str = "", second: str = "") -> dict[str, Any]:
    """A store or an export checked, as the command line tells it."""
    if bool(db) == bool(export):
        raise ValueError("name what is to be verified: a database (--db) or an export (--export)")
    if db:
        return asdict(verify(db, known_key(db, key), witness, Path(second) if second else None))
    done = verify_export(Path(export), key)
    more = {"table": done.table, "practice": done.practice, "key": done.key, "trusted": done.trusted}
    return asdict(done.found) | more
