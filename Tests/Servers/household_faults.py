#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills and halts the processes of Examples/Household and the server at random moments, and checks the ledgers.

    household_faults.py --program .build/debug/debug/Examples/Household [--faults 200] [--seed NUMBER]

Each order that the desk has taken must be cooked and served, once in each ledger and in the order of the table. The
seed is printed, and the same seed gives the same faults at the same orders. Without --seed, the seed is TIDINGS_SEED,
decimal or 0x…, and without that variable the seed is a fixed number.
"""

import argparse
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROLES = ["desk", "kitchen", "screen"]
TABLES = ["A", "B", "C"]
LIMIT = 120


class Household:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.processes = {}
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        server = shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin")
        settings = folder / "server.conf"
        settings.write_text(f'listen: 127.0.0.1:{self.port}\njetstream {{ store_dir: "{folder}/store" }}\n')
        self.commands = {"server": [server, "-c", settings]} | {
            role: [program, role, f"nats://127.0.0.1:{self.port}", folder] for role in ROLES}

    def start(self, name):
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(self.commands[name], stdin=subprocess.PIPE, stdout=log, stderr=log)

    def kill(self, name):
        process = self.processes[name]
        process.send_signal(signal.SIGCONT)
        process.kill()
        process.wait()

    def lines(self, role):
        path = self.folder / f"{role}.ledger"
        return path.read_text().splitlines() if path.exists() else []

    def order(self, table, number):
        """Places an order, and again if the desk was killed before writing the order down."""
        taken = f"table {table} took order {number}"
        end = time.monotonic() + LIMIT
        sent = None
        while taken not in self.lines("desk"):
            if time.monotonic() > end:
                sys.exit(f"error: the desk does not take order {number}")
            desk = self.processes["desk"]
            if desk is not sent:
                sent = desk
                self.send(table, number)
            time.sleep(0.002)

    def send(self, table, number):
        desk = self.processes["desk"]
        desk.stdin.write(f"order {table} {number} dish\n".encode())
        desk.stdin.flush()

    def stop(self):
        for process in self.processes.values():
            process.kill()
            process.wait()


def inject(random, home):
    """Causes one fault and returns the fault's name."""
    victim = random.choice(["desk", "kitchen", "screen", "server", "server halted", "kitchen halted"])
    name, _, is_halted = victim.partition(" ")
    if is_halted:
        home.processes[name].send_signal(signal.SIGSTOP)
        time.sleep(random.uniform(0, 1.5))
        home.processes[name].send_signal(signal.SIGCONT)
    else:
        home.kill(name)
        if name == "server":
            time.sleep(random.uniform(0, 1))
        home.start(name)
    return victim


def numbers(lines, table, words):
    place = len(f"table {table} {words} ".split())
    return [int(line.split()[place].rstrip(":")) for line in lines if line.startswith(f"table {table} {words} ")]


def check(home, orders):
    """Waits until all orders are served, and compares the ledgers with the model."""
    end = time.monotonic() + LIMIT
    while True:
        served = home.lines("screen")
        if sum(" gets order " in line for line in served) >= sum(orders.values()) or time.monotonic() > end:
            break
        time.sleep(0.1)
    for role, words in (("desk", "took order"), ("kitchen", "cooked order"), ("screen", "gets order")):
        lines = home.lines(role)
        for table in TABLES:
            found = numbers(lines, table, words)
            if found != list(range(1, orders[table] + 1)):
                wrong = next((n for n, (a, b) in enumerate(zip(found, range(1, orders[table] + 1))) if a != b), len(found))
                sys.exit(f"error: {role}, table {table}: {found[max(0, wrong - 3):wrong + 5]} after {wrong} right orders "
                         f"of {orders[table]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--faults", type=int, default=200)
    usual = os.environ.get("TIDINGS_SEED") or "0x71d1465"
    parser.add_argument("--seed", type=lambda text: int(text, 0), default=usual)
    arguments = parser.parse_args()
    print(f"seed {arguments.seed:#x}", flush=True)
    chance = random.Random(arguments.seed)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="tidings-household-") as name:
        home = Household(arguments.program.resolve(), pathlib.Path(name))
        orders = dict.fromkeys(TABLES, 0)
        counts = {}
        try:
            for process in ["server", *ROLES]:
                home.start(process)
            for _ in range(arguments.faults):
                for _ in range(chance.randint(1, 12)):
                    table = chance.choice(TABLES)
                    orders[table] += 1
                    home.order(table, orders[table])
                if chance.random() < 0.5:
                    # The fault comes while the next order is on the way.
                    home.send(table, orders[table] + 1)
                    time.sleep(chance.uniform(0, 0.003))
                    orders[table] += 1
                victim = inject(chance, home)
                home.order(table, orders[table])
                counts[victim] = counts.get(victim, 0) + 1
            check(home, orders)
        finally:
            home.stop()
    print(f"{sum(orders.values())} orders, {arguments.faults} faults {counts}: nothing lost, nothing out of order")


main()
