"""The same examples in every run, so that what a run shows does not depend on chance, nor on who started it."""

from __future__ import annotations

import signal

from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile("same")

# A run in the background of a shell ignores the interrupt key, and its children inherit that; one that is caught they
# do not, so a command can be interrupted in a test however the tests were started.
signal.signal(signal.SIGINT, signal.default_int_handler)
