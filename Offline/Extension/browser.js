// SPDX-License-Identifier: Apache-2.0
// The browser's interface for extensions, which has a different name in Chromium.

export const browser = globalThis.browser ?? globalThis.chrome;

/** The hosts of any page. The user grants this permission in the popup. */
export const ALL_HOSTS = { origins: ["*://*/*"] };

let turn = Promise.resolve();

/**
 * Runs the work after all earlier work has ended, and returns the result. All work reads and writes
 * the session's storage, because the browser ends an idle background script and loses the
 * variables.
 */
export function inTurn(work) {
  const result = turn.then(work);
  turn = result.catch((error) => console.error(error));
  return result;
}
