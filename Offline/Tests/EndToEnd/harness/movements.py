# SPDX-License-Identifier: Apache-2.0
"""Controls that move under the pointer, or are replaced, while a page is still filled.

A click then hits another control than intended, or none. The page's sources of late content answer
one after another, so that each late part is drawn in a separate frame.
"""

# This script delays the answers and records for each frame which visible controls have moved.
RECORD = """
(() => {
  let [turn, pending, lastAnswer] = [0, 0, 0];
  // Each answer waits for another time, so that their order differs from that of the questions.
  const late = async (value) => {
    pending += 1;
    turn += 1;
    await new Promise((resolve) => setTimeout(resolve, 60 + turn * 5 % 7 * 60));
    pending -= 1;
    lastAnswer = performance.now();
    return value;
  };
  // A question is pending from its start, because a busy server may answer after any time.
  const pend = async (question) => {
    pending += 1;
    try {
      return await question.then(late);
    } finally {
      pending -= 1;
    }
  };
  const delay = (type, name) => {
    const method = type.prototype[name];
    type.prototype[name] = function (...values) { return pend(method.apply(this, values)); };
  };
  // A blank page has none.
  if (window.StorageManager) ["estimate", "persisted"].forEach((name) => delay(StorageManager, name));
  const ask = window.fetch;
  window.fetch = (...values) => pend(ask(...values));
  // The page waits a second for its content, and then draws without the late content. On a busy
  // machine, this content would then move controls.
  const wait = window.setTimeout;
  window.setTimeout = (body, time, ...values) => wait(body, time === 1000 ? 100_000 : time, ...values);
  const listen = EventSource.prototype.addEventListener;
  let events = Promise.resolve();
  EventSource.prototype.addEventListener = function (kind, listener) {
    listen.call(this, kind, (event) => { events = events.then(() => late()).then(() => listener.call(this, event)); });
  };

  const name = (element) => (element.id ? `#${element.id}` : element.getAttribute("aria-label") || element.textContent.trim());
  const places = () => {
    const found = new Map();
    for (const each of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
      if (!each.checkVisibility({ visibilityProperty: true })) continue;
      const { left, top, right, bottom, width, height } = each.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      if (width > 0 && height > 0 && x > 0 && y > 0 && x < innerWidth && y < innerHeight) found.set(each, { left, top, right, bottom, x, y });
    }
    return found;
  };
  const movements = new Set();
  let before = new Map();
  // A control that moves a little in many frames has moved, too.
  let first = new Map();
  let route;
  const compare = () => {
    const after = places();
    for (const [element, now] of route === location.hash ? after : []) {
      const then = first.get(element) ?? now;
      // A pointer at the first middle of the control would now miss it.
      if ((then.x < now.left || then.x > now.right || then.y < now.top || then.y > now.bottom)) {
        movements.add(`${name(element)}: ${Math.round(then.x)}, ${Math.round(then.y)} to ${Math.round(now.x)}, ${Math.round(now.y)}`);
      }
    }
    // A press on a control that another one has replaced before the release is no click.
    const fresh = [...after].filter(([element]) => !before.has(element));
    for (const [element, then] of route === location.hash ? before : []) {
      if (element.isConnected) continue;
      const isReplaced = ([other, now]) => other.tagName === element.tagName && name(other) === name(element)
        && then.x > now.left && then.x < now.right && then.y > now.top && then.y < now.bottom;
      if (fresh.some(isReplaced)) movements.add(`${name(element)}: replaced at ${Math.round(then.x)}, ${Math.round(then.y)}`);
    }
    if (route !== location.hash) first = new Map();
    first = new Map([...after].map(([element, now]) => [element, first.get(element) ?? now]));
    before = after;
    route = location.hash;
    requestAnimationFrame(compare);
  };
  requestAnimationFrame(compare);
  window.movements = () => [...movements];
  window.isFilled = () => pending === 0 && performance.now() - lastAnswer > 700;
})();
"""


def record(browser):
    """Starts the recording with the next page."""
    browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": RECORD})


def assert_still(browser):
    """Waits for all answers, and expects no moved control and a clean console."""
    browser.until(lambda: browser.script("return window.isFilled()"), "answers are still missing")
    found = browser.script("return window.movements()")
    assert not found, "\n".join(found)
    assert browser.complaints() == []
