// SPDX-License-Identifier: Apache-2.0
// Reports to the server whether this page is in front. A page in front shows the notifications
// itself.

import { api } from "../shared/api.js";
import * as store from "../shared/store.js";

let client;
let reported = false;
let isReporting = false;

const isInFront = () => document.visibilityState === "visible" && document.hasFocus();

/**
 * Reports the state with one request after the other, so that the last request has the present
 * state.
 */
async function report() {
  if (isReporting) return;
  isReporting = true;
  while (client !== undefined && isInFront() !== reported) {
    reported = isInFront();
    try {
      await api.presence(client, reported);
    } catch {
      // The connection is lost. The next connection assigns a new number.
      client = undefined;
    }
  }
  isReporting = false;
}

/** Connects the page's window to the server. */
export function start() {
  store.on("hello", (value) => {
    client = value.client;
    reported = false;
    report();
  });
  for (const event of ["visibilitychange", "focus", "blur", "pageshow", "pagehide"]) {
    addEventListener(event, report, true);
  }
}
