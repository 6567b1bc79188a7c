# SPDX-License-Identifier: Apache-2.0
"""A pytest plugin for the order of the tests.

TIDINGS_ORDER=NUMBER, decimal or 0x…, shuffles the files and the tests of each file. The tests of
a file stay together, so that they share the fixtures of a module.
"""

import os
import random

VARIABLE = "TIDINGS_ORDER"


def order():
    """Returns the number of the order, or None for the written order."""
    text = os.environ.get(VARIABLE)
    try:
        return int(text, 0) if text else None
    except ValueError:
        raise ValueError(f"{VARIABLE}={text} is not a number. Use decimal digits or 0x….") from None


def shuffled(names, number):
    """Returns names of tests, which are pairs of a file and a test, in the order of this number.

    The order of a file's tests does not depend on further files, so a run of one file repeats the
    order.
    """
    files = {}
    for file, name in names:
        files.setdefault(file, []).append((file, name))
    found = []
    for file in sorted(files, key=lambda file: random.Random(f"{number} {file}").random()):
        found += random.Random(f"{number} tests of {file}").sample(sorted(files[file]), len(files[file]))
    return found


def pytest_report_header():
    number = order()
    return None if number is None else f"order: {VARIABLE}={number:#x}"


def pytest_collection_modifyitems(items):
    number = order()
    if number is None:
        return
    known = {(item.path.name, item.nodeid.partition("::")[2]): item for item in items}
    assert len(known) == len(items), "two tests have one name"
    items[:] = [known[name] for name in shuffled(known, number)]
