# SPDX-License-Identifier: Apache-2.0
"""Fixtures: the program with a new library, an origin, and media for the whole session."""

import types

import pytest

# Failed assertions in the harness show their values, too.
pytest.register_assert_rewrite("harness")

from harness import media
from harness.browser import start_browser
from harness.firefox import start_firefox
from harness.origin import OriginProcess
from harness.program import Program


@pytest.fixture(scope="session")
def origins():
    process = OriginProcess()
    yield process
    process.close()


@pytest.fixture
def origin(origins):
    server = origins.another()
    yield server
    server.close()


@pytest.fixture
def program(tmp_path):
    program = Program(tmp_path)
    yield program
    program.close()


@pytest.fixture
def programs(tmp_path):
    """Creates programs with additional libraries."""
    made = []

    def make(name):
        made.append(Program(tmp_path / name))
        return made[-1]

    yield make
    for program in made:
        program.close()


@pytest.fixture(scope="session")
def samples(tmp_path_factory):
    """Paths of media: a stream of 48 segments, a film, and files of unknown kind."""
    folder = tmp_path_factory.mktemp("samples")
    return types.SimpleNamespace(
        folder=folder,
        stream=media.make_stream(folder / "stream"),
        film=media.make_film(folder / "film.mp4"),
        file=media.make_bytes(folder / "data.bin", 4_000_000, seed=1),
        other_file=media.make_bytes(folder / "other.bin", 4_000_000, seed=2),
    )


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    browser = start_browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture
def browser(chromium, program):
    """A cleared browser; its console must be clean at the end, before the program closes."""
    chromium.forget()
    chromium.expected = []
    yield chromium
    unexpected = [text for text in chromium.complaints()
                  if not any(words in text for words in chromium.expected)]
    assert not unexpected, unexpected


@pytest.fixture
def firefox(tmp_path):
    """Another browser, with a new profile."""
    profile = tmp_path / "firefox"
    profile.mkdir()
    browser = start_firefox(profile)
    yield browser
    browser.close()
