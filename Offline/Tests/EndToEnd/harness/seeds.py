# SPDX-License-Identifier: Apache-2.0
"""The seed of all random values in the tests.

TIDINGS_SEED=NUMBER, decimal or 0x…, replaces the usual seed. The same seed gives each test the
same values, independently of further tests.
"""

import os
import random

VARIABLE = "TIDINGS_SEED"
USUAL = 0x71D1465


def seed():
    """Returns the seed of this run."""
    text = os.environ.get(VARIABLE) or hex(USUAL)
    try:
        return int(text, 0)
    except ValueError:
        raise ValueError(f"{VARIABLE}={text} is not a number. Use decimal digits or 0x….") from None


def generator(name):
    """Returns a generator that depends only on the seed and on this name."""
    return random.Random(f"{seed()} {name}")


def setting():
    """Returns the assignment that repeats the draws of this run."""
    return f"{VARIABLE}={seed():#x}"
