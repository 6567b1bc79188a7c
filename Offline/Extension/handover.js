// SPDX-License-Identifier: Apache-2.0
// Opens the program's page for one stream. No address contains cookies. The extension reads and
// hands over the cookies once, when the page asks. The program's page asks when the user presses
// *Keep* or *Look first*. Another program on the same port could ask immediately, so the user
// agrees with the tick in the popup, which no page can set.

import { browser, inTurn } from "./browser.js";
import { canReach, cookiesText } from "./cookies.js";
import { addAddress, isPrivate, NOT_PRIVATE, program } from "./program.js";

/** The time in which the page may ask. */
const LIFETIME = 15 * 60 * 1000;

const keyOf = (tab) => `handover-${tab}`;

/**
 * Opens the program's page. With `withCookies`, the page may ask once for the cookies of the
 * stream.
 */
export async function handOver(stream, withCookies) {
  const tab = await inTurn(() => open(stream, withCookies));
  // The page may have loaded before the offer was stored.
  if (withCookies) await pageChanged(tab);
}

async function open(stream, withCookies) {
  const origin = await program();
  if (withCookies && !isPrivate(origin)) throw new Error(NOT_PRIVATE);
  const storeId = withCookies ? await storeOf(stream.tab) : undefined;
  const tab = await browser.tabs.create({ url: addAddress(origin, stream) });
  if (withCookies) {
    const offer = {
      number: crypto.randomUUID(), origin, address: stream.address, storeId, end: Date.now() + LIFETIME,
    };
    await browser.storage.session.set({ [keyOf(tab.id)]: offer });
  }
  return tab.id;
}

/**
 * Returns the cookie store of a tab, because a private window or a container has a separate store.
 */
async function storeOf(tab) {
  const stores = await browser.cookies.getAllCookieStores();
  return stores.find((each) => each.tabIds.includes(tab))?.id;
}

async function offerFor(tab) {
  const key = keyOf(tab);
  const offer = (await browser.storage.session.get(key))[key];
  if (!offer || offer.end > Date.now()) return offer;
  await browser.storage.session.remove(key);
  return undefined;
}

/**
 * Runs the bridge in a tab that was opened with an offer, when the tab shows the program's page.
 * Ends the offer when the tab shows another site.
 */
export async function pageChanged(tab) {
  if (!await inTurn(() => isShown(tab))) return;
  await browser.scripting.executeScript({ target: { tabId: tab }, files: ["bridge.js"] });
}

async function isShown(tab) {
  const offer = await offerFor(tab);
  if (!offer) return false;
  const { url, status } = await browser.tabs.get(tab);
  const place = URL.parse(url ?? "");
  if (place?.origin === offer.origin) {
    await browser.storage.session.set({ [keyOf(tab)]: { ...offer, wasShown: true } });
    return status === "complete";
  }
  // A new tab is empty at first, and the browser hides the addresses of some sites from the
  // extension.
  const isWeb = ["http:", "https:"].includes(place?.protocol);
  if (offer.wasShown || isWeb) await browser.storage.session.remove(keyOf(tab));
  return false;
}

/** Removes the offer of a closed tab. */
export const forget = (tab) => inTurn(() => browser.storage.session.remove(keyOf(tab)));

/**
 * Answers the bridge with the offer, or once with the cookies. The page must be the program's page,
 * in the tab that was opened for this offer.
 */
export function answer(message, sender) {
  return inTurn(async () => {
    const offer = sender.tab && sender.frameId === 0 ? await offerFor(sender.tab.id) : undefined;
    if (!offer || URL.parse(sender.url ?? "")?.origin !== offer.origin) return undefined;
    const { number, address } = offer;
    if (message.ask === "offer") return { number, address, site: new URL(address).hostname };
    if (message.number !== number) return undefined;
    await browser.storage.session.remove(keyOf(sender.tab.id));
    return { number, cookies: await cookiesFor(offer) };
  });
}

/**
 * Reads the cookies of the address's host, including cookies for other paths, such as the paths of
 * segments.
 */
async function cookiesFor({ address, storeId }) {
  const store = storeId === undefined ? {} : { storeId };
  const found = await Promise.all([
    browser.cookies.getAll({ url: address, ...store }),
    browser.cookies.getAll({ domain: new URL(address).hostname, ...store }),
  ]);
  // The browser also returns the cookies of subdomains.
  return cookiesText(found.flat().filter((cookie) => canReach(address, cookie)));
}
