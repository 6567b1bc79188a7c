// SPDX-License-Identifier: Apache-2.0
// The address of the user's `offline`, and the address of the program's page for one stream.

import { browser } from "./browser.js";

export const USUAL_PROGRAM = "http://127.0.0.1:8420";

/**
 * The maximum lengths of the title and the referrer in an address. Only the origin of a longer
 * referrer is sent.
 */
const LONGEST_TITLE = 300;
const LONGEST_REFERRER = 2000;

/** Returns the origin of an address of the program, or undefined for an unusable address. */
export function originOf(text) {
  const place = URL.parse(text.includes("://") ? text.trim() : `http://${text.trim()}`);
  // The browsers' patterns for hosts do not support numeric addresses in brackets.
  const isUsable = place && ["http:", "https:"].includes(place.protocol) && /^[a-z0-9.-]+$/.test(place.hostname)
    && !place.username && !place.password;
  return isUsable ? place.origin : undefined;
}

/** Whether no other machine can answer for the origin or read the sent data. */
export function isPrivate(origin) {
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" || ["127.0.0.1", "[::1]", "localhost"].includes(hostname)
    || hostname.endsWith(".localhost");
}

export const NOT_PRIVATE = "Cookies are handed over only to a program on this machine or with an https:// "
  + "address. Take the tick away, or change the address in the options.";

/** Returns the origin of the program. */
export async function program() {
  const { program: stored } = await browser.storage.local.get("program");
  return (typeof stored === "string" && originOf(stored)) || USUAL_PROGRAM;
}

/** Stores the origin of the program. */
export const setProgram = (origin) => browser.storage.local.set({ program: origin });

/** Returns the address that shows a stream on the program's page, where the user decides. */
export function addAddress(origin, { address, title, referrer }) {
  const place = new URL("/add", origin);
  place.searchParams.set("url", address);
  if (title) place.searchParams.set("title", title.slice(0, LONGEST_TITLE).toWellFormed());
  const isShort = (referrer ?? "").length <= LONGEST_REFERRER;
  if (referrer) place.searchParams.set("referrer", isShort ? referrer : `${new URL(referrer).origin}/`);
  return place.href;
}
