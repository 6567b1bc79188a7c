# SPDX-License-Identifier: Apache-2.0
"""The accessibility checks of axe-core on the open page."""

import functools
import importlib.resources

# The first rules depend on colors, and the second rules on the sizes of windows and letters. All
# further rules judge the document, and depend on the layout only through hidden elements.
COLORS, SIZES = ["color-contrast"], ["scrollable-region-focusable"]
RUN = """
const [only, without, done] = arguments;
const chosen = only ? { runOnly: { type: "rule", values: only } }
  : { rules: Object.fromEntries(without.map((name) => [name, { enabled: false }])) };
axe.run(document, { resultTypes: ["violations"], ...chosen }).then(({ violations }) => done(violations.flatMap(
  (each) => each.nodes.map((node) => `${each.id}: ${node.target.join(" ")}: ${node.failureSummary}`))));
"""


@functools.cache
def source():
    return importlib.resources.files("axe_core_python").joinpath("axe.min.js").read_text()


def violations(browser, only=None, without=()):
    """Returns a line for each violation of these rules, or of all rules except `without`."""
    if not browser.script("return typeof axe === 'object'"):
        browser.script(source())
    return browser.driver.execute_async_script(RUN, only, list(without))
