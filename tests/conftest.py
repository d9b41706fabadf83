"""The same examples in every run, so that what a run shows does not depend on chance, nor on who started it."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.helpers.running.lanes import Lanes

settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile("same")

# A run in the background of a shell ignores the interrupt key, and its children inherit that; one that is caught they
# do not, so a command can be interrupted in a test however the tests were started.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Lanes | None:
    """Files are handed to workers as `lanes` says; other ways to distribute tests are left as they are."""
    from tests.helpers.running.lanes import Lanes

    return Lanes(config, log) if config.getvalue("dist") == "loadfile" else None
