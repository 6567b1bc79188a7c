// SPDX-License-Identifier: Apache-2.0
// An offer from another page or from the browser extension, with a title, a referrer and, from the
// extension only, cookies. The offer belongs to the offered addresses and to no other text in the
// field.

import { adopt, byId, css, el, setText, show } from "../shared/dom.js";

/** The maximum time for the extension's answer, in milliseconds. */
const ANSWER_TIME = 10_000;

export const markup = el("div", { id: "offer", class: "offer", hidden: true },
  el("label", { id: "offer-title-row" },
    el("span", { text: "Title" }),
    el("input", { id: "offer-title", type: "text", maxlength: "120", autocomplete: "off" })),
  el("p", { id: "offer-page", class: "summary" }),
  el("label", { id: "offer-cookies-row", class: "check", hidden: true },
    el("input", { id: "offer-cookies", type: "checkbox" }),
    el("span", { id: "offer-cookies-text" })));

const style = css`
  .offer { display: grid; gap: 0.5rem; margin-top: 0.6rem; }
  #offer-title-row { display: flex; gap: 0.6rem; align-items: center; }
  #offer-title { flex: 1; min-width: 0; }
  #offer-page { overflow-wrap: anywhere; }
`;

let lines = new Set();
let referrer;
// The number of the cookies in the extension, and the extension's answer, which arrives only once.
let number;
let answer;

const linesOf = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

const belongs = (text) => linesOf(text).length > 0 && linesOf(text).every((line) => lines.has(line));

/** Shows the title and the page of offered addresses. Any page may have invented these values. */
export function present(addresses, { title, page }) {
  clear();
  lines = new Set(linesOf(addresses));
  const place = /** @type {any} */ (URL).parse(page ?? "");
  if (place && ["http:", "https:"].includes(place.protocol)) referrer = place.href;
  byId("offer-title").value = title ?? "";
  show(byId("offer-title-row"), lines.size === 1 && Boolean(title));
  setText(byId("offer-page"), referrer ? `From the page ${referrer}` : "");
  draw();
}

/** Forgets the offer, including the cookies. */
export function clear() {
  lines = new Set();
  referrer = number = answer = undefined;
  byId("offer-title").value = "";
  byId("offer-cookies").checked = false;
  show(byId("offer-cookies-row"), false);
  draw();
}

function draw() {
  show(byId("offer"), belongs(byId("address").value));
}

/** Returns the members that the offer adds to a request for the text. */
export async function optionsFor(text) {
  if (!belongs(text)) return {};
  const title = lines.size === 1 ? byId("offer-title").value.trim() : "";
  const cookies = byId("offer-cookies").checked ? await fetchCookies() : "";
  return { ...(title && { title }), ...(referrer && { referrer }), ...(cookies && { cookies }) };
}

/**
 * Requests the cookies from the extension. The cookies stay here until the downloads are queued.
 */
async function fetchCookies() {
  if (answer !== undefined) return answer;
  const { promise, resolve } = Promise.withResolvers();
  const receive = (event) => {
    const value = messageOf(event);
    if (value?.number === number && (value.isGone || typeof value.cookies === "string")) resolve(value.cookies);
  };
  addEventListener("message", receive);
  const timer = setTimeout(resolve, ANSWER_TIME);
  window.postMessage({ offline: { ask: "cookies", number } }, location.origin);
  const cookies = await promise;
  clearTimeout(timer);
  removeEventListener("message", receive);
  if (cookies === undefined) {
    byId("offer-cookies").checked = false;
    throw new Error("The browser extension did not hand over the cookies. "
      + "Hand the stream over again, or press Keep to go on without them.");
  }
  answer = cookies;
  return cookies;
}

/**
 * Returns the extension's message. A page that holds a reference to this window can also send
 * events.
 */
const messageOf = (event) =>
  (event.source === window && event.origin === location.origin ? event.data?.offline : undefined);

function receiveOffer(event) {
  const value = messageOf(event);
  if (typeof value?.site !== "string" || typeof value.number !== "string") return;
  // Another site may have opened this page again in the tab of an older offer.
  if (lines.size !== 1 || !lines.has(value.address)) return;
  // The extension repeats an offer when the tab changes. The user may have removed the tick since.
  if (value.number === number) return;
  number = value.number;
  setText(byId("offer-cookies-text"),
    `Send your cookies of ${value.site}, which the browser extension offers, with this download.`);
  byId("offer-cookies").checked = true;
  show(byId("offer-cookies-row"), true);
}

/** Connects the offer to the form. */
export function start() {
  adopt(style);
  byId("address").addEventListener("input", draw);
  addEventListener("message", receiveOffer);
}
