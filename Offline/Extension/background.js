// SPDX-License-Identifier: Apache-2.0
// Receives the browser's events. The script adds all listeners during the start, so that an event
// can start the script again.

import { ALL_HOSTS, browser } from "./browser.js";
import * as handover from "./handover.js";
import * as watch from "./watch.js";

const TYPES = ["main_frame", "media", "object", "other", "sub_frame", "xmlhttprequest"];

function listen() {
  browser.webRequest.onResponseStarted.removeListener(watch.receive);
  browser.webRequest.onResponseStarted.addListener(
    watch.receive, { urls: ALL_HOSTS.origins, types: TYPES }, ["responseHeaders"]);
}

listen();

// Chromium refuses a listener while the extension has no permission for any host.
browser.permissions.onAdded.addListener(listen);

browser.tabs.onUpdated.addListener((tab, change) => {
  if (change.status) handover.pageChanged(tab).catch((error) => console.error(error));
});

browser.tabs.onRemoved.addListener((tab) => {
  watch.forget(tab);
  handover.forget(tab);
});

browser.runtime.onMessage.addListener((message, sender, respond) => {
  const isOwnPage = sender.url?.startsWith(browser.runtime.getURL(""));
  const work = message.ask === "hand over"
    ? isOwnPage && handover.handOver(message.stream, message.withCookies).then(() => ({ isOpen: true }))
    : handover.answer(message, sender);
  if (!work) return false;
  work.then(respond, (error) => respond({ problem: String(error?.message ?? error) }));
  // Returning true keeps the channel open for the response.
  return true;
});
