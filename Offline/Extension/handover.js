// SPDX-License-Identifier: Apache-2.0
// Opens the program's page for one stream. Cookies are in no address: the page asks for them when
// the person presses *Download* there, and only then they are read and handed over, once.

import { browser, inTurn } from "./browser.js";
import { cookiesText } from "./cookies.js";
import { addAddress, program } from "./program.js";

/** The time in which the person may press *Download*. */
const LIFETIME = 15 * 60 * 1000;

const keyOf = (tab) => `handover-${tab}`;

/** Opens the program's page; with `withCookies` the page may ask once for the cookies of the stream. */
export async function handOver(stream, withCookies) {
  const tab = await inTurn(() => open(stream, withCookies));
  // The page may have been there before its offer.
  if (withCookies) await pageLoaded(tab);
}

async function open(stream, withCookies) {
  const origin = await program();
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

/** Runs the bridge in a tab that was opened with an offer, while it shows the program's page. */
export async function pageLoaded(tab) {
  const offer = await inTurn(() => offerFor(tab));
  if (!offer) return;
  const { url, status } = await browser.tabs.get(tab);
  if (status !== "complete" || URL.parse(url ?? "")?.origin !== offer.origin) return;
  await browser.scripting.executeScript({ target: { tabId: tab }, files: ["bridge.js"] });
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
    if (message.ask === "offer") return { number: offer.number, site: new URL(offer.address).hostname };
    if (message.number !== offer.number) return undefined;
    await browser.storage.session.remove(keyOf(sender.tab.id));
    return { number: offer.number, cookies: await cookiesFor(offer) };
  });
}

/** Reads the cookies for the address, and those of its host for other paths, such as of segments. */
async function cookiesFor({ address, storeId }) {
  const store = storeId === undefined ? {} : { storeId };
  const found = await Promise.all([
    browser.cookies.getAll({ url: address, ...store }),
    browser.cookies.getAll({ domain: new URL(address).hostname, ...store }),
  ]);
  return cookiesText(found.flat());
}
