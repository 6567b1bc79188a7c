# SPDX-License-Identifier: Apache-2.0
"""Fixtures: the program with a new library, an origin, and media for the whole session."""

import contextlib
import types

import pytest

# Failed assertions in the harness also show their values.
pytest.register_assert_rewrite("harness")

from harness import media, seeds
from harness.chromium import start_chromium
from harness.firefox import start_firefox
from harness.origin import OriginProcess
from harness.program import Program

pytest_plugins = ["order"]


def pytest_report_header():
    return f"seed: {seeds.setting()}"


def pytest_configure(config):
    # The processes that this process starts use the folder, and do not remove it.
    if media.share():
        config.add_cleanup(media.end_sharing)


@pytest.fixture
def rng(request):
    """A generator for the draws of one test, which shows the seed if the test fails."""
    request.node.add_report_section("call", "seed", f"Repeat the draws with {seeds.setting()}.")
    return seeds.generator(request.node.nodeid)


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
def samples():
    """Paths of media: a stream of 48 segments, a film, and files of unknown kind."""
    return types.SimpleNamespace(
        stream=media.once("stream", media.make_stream),
        film=media.once("film.mp4", media.make_film),
        # This film does not end while a test looks at the page.
        lasting=media.once("lasting.mp4", lambda path: media.make_film(path, seconds=240, size="160x90")),
        file=media.once("data.bin", lambda path: media.make_bytes(path, 4_000_000, seed=1)),
        other_file=media.once("other.bin", lambda path: media.make_bytes(path, 4_000_000, seed=2)),
    )


@pytest.fixture(scope="session")
def chromium():
    """A browser with new contexts, because a new browser takes longer than most tests."""
    chromium = start_chromium()
    yield chromium
    chromium.close()


@pytest.fixture
def another_browser(chromium):
    """Opens contexts for tests that expect errors on the console and check the console."""
    with contextlib.ExitStack() as stack:
        def open_context(proxy=None):
            browser = chromium.context(proxy)
            stack.callback(browser.close)
            return browser
        yield open_context


@pytest.fixture
def browser(another_browser, program):
    """A new browser with a console that must be clean at the end, before the program closes."""
    browser = another_browser()
    yield browser
    # The console reports a page that is left before the icon has arrived. Another test checks the
    # icon.
    expected = [*browser.expected, "icon from the Manifest"]
    unexpected = [text for text in browser.complaints() if not any(words in text for words in expected)]
    assert not unexpected, unexpected


@pytest.fixture(scope="session")
def firefox_process(tmp_path_factory):
    browser = start_firefox(tmp_path_factory.mktemp("firefox"))
    yield browser
    browser.close()


@pytest.fixture
def firefox(firefox_process):
    """Another browser, without a trace of earlier tests."""
    yield firefox_process
    firefox_process.driver.forget()
