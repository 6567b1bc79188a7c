# SPDX-License-Identifier: Apache-2.0
"""The accessibility checks of axe-core on the open page."""

import functools
import importlib.resources

RUN = """
const done = arguments[0];
axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => done(violations.flatMap(
  (each) => each.nodes.map((node) => `${each.id}: ${node.target.join(" ")}: ${node.failureSummary}`))));
"""


@functools.cache
def source():
    return importlib.resources.files("axe_core_python").joinpath("axe.min.js").read_text()


def violations(browser):
    """Returns a line for each element that violates a rule."""
    if not browser.script("return typeof axe === 'object'"):
        browser.script(source())
    return browser.driver.execute_async_script(RUN)
