// SPDX-License-Identifier: Apache-2.0
// Tells the server whether a person looks at this page, who then needs no bubble on the desktop.

import { api } from "/api.js";
import * as store from "/store.js";

let client;
let told = false;
let isTelling = false;

const isInFront = () => document.visibilityState === "visible" && document.hasFocus();

/** One request after the other, so that the last one told is how it is. */
async function tell() {
  if (isTelling) return;
  isTelling = true;
  while (client !== undefined && isInFront() !== told) {
    told = isInFront();
    try {
      await api.presence(client, told);
    } catch {
      // The line is lost; the next one begins with a new number.
      client = undefined;
    }
  }
  isTelling = false;
}

/** Connects the page's window to the server. */
export function start() {
  store.on("hello", (value) => {
    client = value.client;
    told = false;
    tell();
  });
  for (const event of ["visibilitychange", "focus", "blur", "pageshow", "pagehide"]) {
    addEventListener(event, tell, true);
  }
}
