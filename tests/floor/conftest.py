"""A real PostgreSQL for the tests of a module that ask for one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.prove.books.instruments import servers as postgres


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a server of its own; where there is none, what is not tested is said aloud."""
    try:
        with postgres.postgresql() as url:
            yield url
    except postgres.NoPostgresql as error:
        pytest.skip(f"NO POSTGRESQL, {request.module.__name__.upper()} IS NOT TESTED ON IT: {error}")
