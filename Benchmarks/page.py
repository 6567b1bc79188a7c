#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the page in a real browser: its first list, its work and its memory, with 20,000 items.

    page.py --binary .build/release/offline --json .build/bench/page.json [--only WORD]
"""

import argparse
import contextlib
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

from downloads import MIB, Benchmark, make_file
from library import Server, fill

from harness.chromium import start_chromium
from harness.slow_line import SlowLine

ITEMS, FEW = 20_000, 23
LOADS, SLOW_LOADS = 9, 3
# The number of running downloads, the bytes per second of each, and the seconds of the observation.
DOWNLOADS, RATE, SECONDS = 3, 500_000, 15
LATENCY, LINE = 0.4, 50_000

# Records the time at which the first list is on the screen.
WATCH = """
const seen = new MutationObserver(() => {
  if (![...document.querySelectorAll("#cards .card")].some((each) => each.checkVisibility())) return;
  seen.disconnect();
  requestAnimationFrame(() => { window.firstList = performance.now(); });
});
seen.observe(document, { childList: true, subtree: true, attributes: true });
"""


@contextlib.contextmanager
def page(bench, proxy=None):
    """Opens a browser that records the time of the first list."""
    with contextlib.closing(start_chromium()) as chromium:
        browser = chromium.context(proxy)
        browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        # The time of the thread does not grow because of other programs on the machine.
        browser.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        yield browser


def first_list(browser, address):
    """Loads the library and returns the milliseconds until the first list."""
    # Without this step, another fragment would load nothing.
    browser.driver.get("about:blank")
    browser.open(address)
    shown = browser.until(lambda: browser.script("return window.firstList"), "there is no list")
    # A later visit finds the files that this visit keeps.
    browser.driver.execute_async_script("navigator.serviceWorker.ready.then(arguments[0])")
    return shown


def figure(browser, name):
    metrics = browser.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(each["value"] for each in metrics if each["name"] == name)


@contextlib.contextmanager
def filled(bench, count):
    library = bench.memory / f"page-{count}"
    fill(bench.binary, library, count)
    with Server(bench.binary, library):
        pass  # The first start indexes the inserted rows.
    with Server(bench.binary, library) as server:
        yield server


def download(bench, server):
    """Starts downloads that run during the observation of the page."""
    make_file(bench.content / "film", 64 * MIB)
    addresses = [bench.origin.url(f"film?rate={RATE}&{number}") for number in range(DOWNLOADS)]
    subprocess.run([bench.binary, "get", "--allow-private", "--library", server.library, *addresses],
                   check=True, capture_output=True)


def measure_large(bench):
    with filled(bench, ITEMS) as server, page(bench) as browser:
        times = [first_list(browser, f"{server.entry}#library" if load == 0 else f"http://127.0.0.1:{server.port}/#library")
                 for load in range(LOADS)]
        bench.add("page, 20,000 items: first list", statistics.median(times[1:]), "ms", 300)
        browser.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        bench.add("page, 20,000 items: memory of its scripts",
                  figure(browser, "JSHeapUsedSize") / MIB, "MiB", 30)
        download(bench, server)
        for place, rows in {"library": "#cards .card", "downloads": '#rows [data-state="fetching"]'}.items():
            browser.script(f"location.hash = '{place}'")
            browser.until(lambda rows=rows: len(browser.all(rows)) >= DOWNLOADS, f"{place} shows no rows")
            before, begin = figure(browser, "TaskDuration"), time.monotonic()
            time.sleep(SECONDS)
            share = (figure(browser, "TaskDuration") - before) / (time.monotonic() - begin)
            bench.add(f"page, 20,000 items: main thread with three downloads, {place}", share * 100, "%", 5)


def measure_slow_line(bench):
    with filled(bench, FEW) as server, SlowLine(LATENCY, LINE) as line:
        with page(bench, line.port) as browser:
            times = [first_list(browser, f"{server.entry}#library" if load == 0 else f"http://127.0.0.1:{server.port}/#library") / 1000
                     for load in range(SLOW_LOADS + 1)]
    bench.add("page, 400 ms and 50 kB/s: first list of the first visit", times[0], "s")
    bench.add("page, 400 ms and 50 kB/s: first list", statistics.median(times[1:]), "s", 1.5)


def main():
    measures = {"large": measure_large, "slow": measure_slow_line}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=pathlib.Path, required=True)
    parser.add_argument("--json", type=pathlib.Path, required=True)
    parser.add_argument("--only", choices=list(measures))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="offline-bench-") as memory:
        memory = pathlib.Path(memory)
        bench = Benchmark(arguments.binary.resolve(), memory, memory)
        for name, measure in measures.items():
            if arguments.only in (None, name):
                measure(bench)
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    arguments.json.write_text(json.dumps(bench.rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
