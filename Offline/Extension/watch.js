// SPDX-License-Identifier: Apache-2.0
// Keeps the lists of the tabs in the session's storage, which is only in memory.

import { browser, inTurn } from "./browser.js";
import { added, emptyList, isNewPage, streamOf } from "./streams.js";

/** The maximum number of tabs with a list. The oldest lists are removed first. */
const TABS = 40;

const keyOf = (tab) => `tab-${tab}`;

/** Returns the list of a tab. */
export async function listOf(tab) {
  const key = keyOf(tab);
  return (await browser.storage.session.get(key))[key]?.list ?? emptyList();
}

/** Adds the stream of a response to the list of the tab. */
export function receive(details) {
  const tab = details.tabId;
  const stream = streamOf(details);
  const isNew = isNewPage(details);
  if (tab < 0 || (!stream && !isNew)) return;
  inTurn(async () => {
    const before = isNew ? emptyList() : await listOf(tab);
    const after = stream ? added(before, stream) : before;
    if (after === before && !isNew) return;
    if (after.streams.length === 0) await browser.storage.session.remove(keyOf(tab));
    else await store(tab, after);
    // The tab may no longer exist.
    await browser.action.setBadgeText({ tabId: tab, text: String(after.streams.length || "") }).catch(() => {});
  });
}

async function store(tab, list) {
  const all = Object.entries(await browser.storage.session.get(null))
    .filter(([key]) => key.startsWith("tab-") && key !== keyOf(tab));
  const excess = all.sort(([, one], [, other]) => one.time - other.time).slice(0, Math.max(0, all.length + 1 - TABS));
  await browser.storage.session.remove(excess.map(([key]) => key));
  await browser.storage.session.set({ [keyOf(tab)]: { list, time: Date.now() } });
}

/** Removes the list of a closed tab. */
export const forget = (tab) => inTurn(() => browser.storage.session.remove(keyOf(tab)));
