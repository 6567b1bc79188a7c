// SPDX-License-Identifier: Apache-2.0
// Makes the page an app that users can install, and that opens while the server is stopped.

import * as store from "./store.js";

let isRegistered = false;

/**
 * Registers the service worker after the first list, because loading the files must not delay the
 * list.
 */
function register() {
  if (isRegistered || !("serviceWorker" in navigator)) return;
  isRegistered = true;
  // Without the service worker, the page works too, but not while the server is stopped.
  navigator.serviceWorker.register("/worker.js").catch(() => {});
}

/** Shows the number of unread notifications on the icon of the installed app. */
export function setBadge(count) {
  if (count > 0) navigator.setAppBadge?.(count).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}

/** Registers after the first snapshot. */
export function start() {
  store.on("snapshot", register);
}
