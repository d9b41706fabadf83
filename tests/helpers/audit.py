"""`make audit`: the known faults of what runs, as far as anybody can be asked about them here.

The pinned requirements are looked up by pip-audit, first in the index of packages and then at OSV.  A network that
reaches neither is no proof of anything, so that is said, and is no failure; a fault that was found is one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

SERVICES = ("pypi", "osv")


def main(tool: str, requirements: str) -> int:
    found = [(service, _asked(tool, service, requirements)) for service in SERVICES]
    text, ends = summary(found)
    print(text)
    return ends


def summary(found: Iterable[tuple[str, list[dict[str, Any]] | None]]) -> tuple[str, int]:
    """What was found, in words, and how the command ends."""
    said = []
    for service, rows in found:
        looked_up = [row for row in rows or () if "vulns" in row]
        bad = [row for row in looked_up if row["vulns"]]
        if bad:
            lines = (
                f"  {row['name']} {row['version']}: {', '.join(each['id'] for each in row['vulns'])}" for row in bad
            )
            return "\n".join((f"make audit: faults are known ({service}):", *lines)), 1
        if looked_up and len(looked_up) == len(rows or ()):
            return f"make audit: no fault is known of {len(looked_up)} requirements ({service}).", 0
        said.append(f"{service} told of {len(looked_up)}")
    return f"make audit: NOT AUDITED, the data cannot be had here ({'; '.join(said)}).", 0


def _asked(tool: str, service: str, requirements: str) -> list[dict[str, Any]] | None:
    command = [tool, "-r", requirements, "-s", service, "-f", "json"]
    command += ["--disable-pip", "--require-hashes", "--progress-spinner", "off"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        rows: list[dict[str, Any]] = json.loads(ran.stdout)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return None
    return rows


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
