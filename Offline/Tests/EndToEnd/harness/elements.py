# SPDX-License-Identifier: Apache-2.0
"""Elements that take a user's input as soon as the page shows them."""

import functools

from selenium.common.exceptions import ElementNotInteractableException
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait


class PatientElement(WebElement):
    """An element whose input waits until the page shows the element.

    The page fills a part before showing the part, so a field can have a value and still be hidden.
    A user waits naturally, and so do the tests.
    """

    def click(self):
        self._when_shown(super().click, "click")

    def clear(self):
        self._when_shown(super().clear, "clear")

    def send_keys(self, *keys):
        self._when_shown(functools.partial(super().send_keys, *keys), "typing")

    def _when_shown(self, act, name):
        def acted():
            act()
            return True
        wait = WebDriverWait(self.parent, 120, poll_frequency=0.05,
                             ignored_exceptions=[ElementNotInteractableException])
        wait.until(lambda _: acted(), f"the element for a {name} was never shown")
