# SPDX-License-Identifier: Apache-2.0
"""Runs the steps of `make test`, prints the running steps every minute, and ends with a table.

    python3 Scripts/run-steps.py [--list] [STEP...]

Without names all steps run. The lanes of a stage run side by side, and the next stage starts after
all lanes have ended. Each step is a process of Scripts/step.sh with a log in .build/test-logs. The
first failure ends the run. The last line is the number of tests that passed and failed.
"""

import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import time

# One core is often idle while the build links and plans, so the quick checks run at that time. The
# end-to-end tests wait for browsers and servers, and the optimizer uses only one core.
STAGES = [
    [["build"], ["format", "tree", "scripts", "c-warnings"]],
    [
        ["end-to-end"],
        ["thread-sanitizer", "address-sanitizer"],
        ["circles", "uses", "test", "programs", "examples", "api", "docs", "install", "optimized"],
    ],
]
LOGS = pathlib.Path(".build/test-logs")
STEP_LIMIT = 3_600
SECONDS_BETWEEN_SIGNS = 60
SLOWEST = 15

COLOR = re.compile(r"\x1b\[[0-9;]*m")
SWIFT_RUN = re.compile(r"Test run with (\d+) tests? in \d+ suites? passed")
SWIFT_TEST = re.compile(r"^\W*Test (?!run with).+ (passed|failed) after [\d.]+ seconds")
# The tests of a module start together, so only the total time is meaningful.
SWIFT_MODULE = re.compile(r"^tests of (.+)")
SWIFT_MODULE_END = re.compile(r"Test run with .* after ([\d.]+) seconds")
PYTEST_RUN = re.compile(r"^=+ (?:.*?(\d+) failed, )?(\d+) passed")
PYTEST_TEST = re.compile(r"^\[gw\d+\] \[ *\d+%\] (PASSED|FAILED|ERROR) ")
PYTEST_DURATION = re.compile(r"^([\d.]+)s call +(\S+)")
FAILURE = re.compile(r"✘ Test .*recorded an issue|Sanitizer:|: error:|^(FAILED|ERROR) |^error: ")


def say(text):
    print(text, flush=True)


class Step:
    """A running step, or a finished step with the used time."""

    def __init__(self, name):
        self.name = name
        self.log = LOGS / f"{name}.log"
        self.begin = time.monotonic()
        self.seconds = self.processor = 0.0
        self.status = None
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                ["timeout", "-k", "10", str(STEP_LIMIT), "Scripts/step.sh", name],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        self.end = os.pidfd_open(self.process.pid)

    def finish(self):
        _, status, usage = os.wait4(self.process.pid, 0)
        self.status = self.process.returncode = os.waitstatus_to_exitcode(status)
        os.close(self.end)
        self.seconds = time.monotonic() - self.begin
        # The time includes all processes that the step has waited for.
        self.processor = usage.ru_utime + usage.ru_stime

    def kill(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        self.finish()

    def lines(self):
        return COLOR.sub("", self.log.read_text(errors="replace")).splitlines()

    def ended_tests(self):
        """Returns the number of tests that have ended so far."""
        return sum(bool(SWIFT_TEST.match(line) or PYTEST_TEST.match(line)) for line in self.lines())

    def passed(self):
        """Returns the number of passed tests that the runners in this step have reported."""
        lines = self.lines()
        swift = sum(int(found[1]) for line in lines if (found := SWIFT_RUN.search(line)))
        return swift + sum(int(found[2]) for line in lines if (found := PYTEST_RUN.match(line)))

    def failed(self):
        names = {line for line in self.lines() if re.match(r"^\W*Test .* failed after|^FAILED ", line)}
        return max(1, len(names))

    def durations(self):
        """Yields pairs of seconds and name, for modules in Swift and for tests in Python."""
        module = ""
        for line in self.lines():
            if found := SWIFT_MODULE.match(line):
                module = found[1]
            elif found := SWIFT_MODULE_END.search(line):
                yield float(found[1]), f"{self.name}: {module or 'tests'}"
            elif found := PYTEST_DURATION.match(line):
                yield float(found[1]), found[2]

    def show_failure(self):
        lines = self.lines()
        say("\n".join(lines[-400:]))
        say("\n".join([line for line in lines if FAILURE.search(line)][:60]))


class Leftovers:
    """The files outside TMPDIR that only this project's tests and tools make."""

    NAMES = re.compile(r"tidings(?!\.\w{6}$)|offline|.*-reports$|diagnostics-benchmarks-")

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.before = self.found()

    def found(self):
        files = {path for path in self.folder.iterdir() if self.NAMES.match(path.name)}
        # An ended display server leaves only a lock.
        return files | {lock for lock in pathlib.Path("/tmp").glob(".X*-lock") if not is_held(lock)}

    def new(self):
        return sorted(map(str, self.found() - self.before))


def is_held(lock):
    try:
        os.kill(int(lock.read_text()), 0)
    except (ProcessLookupError, ValueError, FileNotFoundError):
        return False
    except PermissionError:
        pass
    return True


class Run:
    """All steps of one call."""

    def __init__(self, leftovers):
        self.leftovers = leftovers
        self.begin = time.monotonic()
        self.running = {}
        self.done = []

    def stage(self, lanes):
        """Runs the steps of each lane in order, and the lanes side by side."""
        waiting = [list(lane) for lane in lanes]
        poller = select.poll()
        for lane in waiting:
            self.start(lane, poller)
        sign = time.monotonic() + SECONDS_BETWEEN_SIGNS
        while self.running:
            for end, _ in poller.poll(max(0, sign - time.monotonic()) * 1_000):
                step, lane = self.running.pop(end)
                poller.unregister(end)
                step.finish()
                self.judge(step)
                self.start(lane, poller)
            if time.monotonic() >= sign:
                self.show_sign()
                sign = time.monotonic() + SECONDS_BETWEEN_SIGNS

    def start(self, lane, poller):
        if lane:
            step = Step(lane.pop(0))
            self.running[step.end] = step, lane
            poller.register(step.end, select.POLLIN)

    def judge(self, step):
        left = self.leftovers.new()
        if step.status or left:
            self.end_children()
            step.show_failure()
            if left:
                say(f"tests left files in {self.leftovers.folder}: {' '.join(left)}")
            say(f"\nFAILED: {step.name} after {step.seconds:.0f} s. To repeat it: Scripts/test.sh {step.name}")
            passed = sum(each.passed() for each in [*self.done, step])
            say(f"Tests: {passed} passed, {step.failed()} failed")
            sys.exit(1)
        self.done.append(step)
        tests = step.passed()
        say(f"ok  {step.name:17} {step.seconds:5.0f} s {step.processor:6.0f} s of processor time"
            + (f", {tests} tests" if tests else ""))

    def show_sign(self):
        parts = []
        for step, _ in self.running.values():
            tests = step.ended_tests()
            parts.append(f"{step.name} {time.monotonic() - step.begin:.0f} s"
                         + (f" ({tests} tests)" if tests else ""))
        say(f"... {(time.monotonic() - self.begin) / 60:.0f} min: {', '.join(parts)}")

    def end_children(self):
        for step, _ in self.running.values():
            step.kill()
        self.running = {}

    def show_table(self):
        say("\nseconds  processor  tests  step")
        for step in self.done:
            say(f"{step.seconds:7.0f}  {step.processor:9.0f}  {step.passed() or '':>5}  {step.name}")
        total = time.monotonic() - self.begin
        passed = sum(step.passed() for step in self.done)
        say(f"{total:7.0f}  {sum(step.processor for step in self.done):9.0f}  {passed:>5}  in all")
        slow = sorted((pair for step in self.done for pair in step.durations()), reverse=True)[:SLOWEST]
        if slow:
            say("\nseconds  the slowest tests, and modules of tests")
            for seconds, name in slow:
                say(f"{seconds:7.1f}  {name}")
        say(f"\nAll {len(self.done)} steps passed after {total / 60:.0f} minutes.")
        if passed:
            say(f"Tests: {passed} passed, 0 failed")


def main():
    names = sys.argv[1:]
    known = [name for lanes in STAGES for lane in lanes for name in lane]
    if names == ["--list"]:
        return say("\n".join(known))
    LOGS.mkdir(parents=True, exist_ok=True)
    run = Run(Leftovers(os.environ["TIDINGS_SYSTEM_TMPDIR"]))
    # A terminal sends signals only to this process, because each step has a separate session.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: (run.end_children(), sys.exit(128 + number)))
    for lanes in [[names]] if names else STAGES:
        run.stage(lanes)
    run.show_table()


if __name__ == "__main__":
    main()
