// SPDX-License-Identifier: Apache-2.0
// Opens the program's page for one stream. Cookies are in no address: they are read and handed over
// when the page asks for them, once. The program's page does so when the person presses *Keep*
// or *Look first*; another program with its port could ask at once, so that the person agrees with
// the tick in the popup, which no page can press.

import { browser, inTurn } from "./browser.js";
import { canReach, cookiesText } from "./cookies.js";
import { addAddress, isPrivate, NOT_PRIVATE, program } from "./program.js";

/** The time in which the page may ask. */
const LIFETIME = 15 * 60 * 1000;

const keyOf = (tab) => `handover-${tab}`;

/** Opens the program's page; with `withCookies` the page may ask once for the cookies of the stream. */
export async function handOver(stream, withCookies) {
  const tab = await inTurn(() => open(stream, withCookies));
  // The page may have been there before its offer.
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

/** Returns the store of cookies that a tab uses: a private window or a container has its own. */
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
 * Runs the bridge in a tab that was opened with an offer, when it shows the program's page; ends the
 * offer when the tab shows another site.
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
  // A new tab is empty at first, and the addresses of some sites are hidden from the extension.
  const isWeb = ["http:", "https:"].includes(place?.protocol);
  if (offer.wasShown || isWeb) await browser.storage.session.remove(keyOf(tab));
  return false;
}

/** Removes the offer of a closed tab. */
export const forget = (tab) => inTurn(() => browser.storage.session.remove(keyOf(tab)));

/**
 * Answers the bridge: what is offered, or the cookies, once. The page must be the program's, in the
 * tab that was opened for this offer.
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

/** Reads the cookies of the address's host, also those for other paths, such as of segments. */
async function cookiesFor({ address, storeId }) {
  const store = storeId === undefined ? {} : { storeId };
  const found = await Promise.all([
    browser.cookies.getAll({ url: address, ...store }),
    browser.cookies.getAll({ domain: new URL(address).hostname, ...store }),
  ]);
  // The browser adds those of the hosts below it.
  return cookiesText(found.flat().filter((cookie) => canReach(address, cookie)));
}
