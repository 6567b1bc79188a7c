// SPDX-License-Identifier: Apache-2.0
// The browser's interface for extensions, which Chromium names differently.

export const browser = globalThis.browser ?? globalThis.chrome;

/** The hosts of any page; the person grants them in the popup. */
export const ALL_HOSTS = { origins: ["*://*/*"] };

let turn = Promise.resolve();

/**
 * Runs the work when all earlier work has ended, and returns its result. Each work reads and writes
 * the session's storage: the browser ends an idle background script, and its variables with it.
 */
export function inTurn(work) {
  const result = turn.then(work);
  turn = result.catch((error) => console.error(error));
  return result;
}
