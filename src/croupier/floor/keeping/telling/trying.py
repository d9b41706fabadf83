"""Work of the house's own that goes on, whatever stops it for a while."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from dataclasses import dataclass

from croupier.floor.store.appends import BadAppend, Stopped
from croupier.floor.store.engines import BadStore

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Trying:
    """Work of the house's own that is tried again and again, whatever stops it: `what` it is, and why it waits.

    A journal that another process keeps, a database that is away, a request that no journal can hold, a line that was
    tampered with: none of these ends the work.  Each reason is told once, and that the work goes on.
    """

    what: str
    reason: str = ""

    async def once(self, work: Awaitable[object]) -> bool:
        """Whether it was done."""
        try:
            await work
        except (Stopped, BadAppend, BadStore) as error:
            if str(error) != self.reason:
                self.reason = str(error)
                log.warning("%s waits: %s", self.what, error)
            return False
        if self.reason:
            log.warning("%s goes on", self.what)
            self.reason = ""
        return True
