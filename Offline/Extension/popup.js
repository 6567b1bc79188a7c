// SPDX-License-Identifier: Apache-2.0
// The popup with the streams of the current tab. Strings from pages only become text nodes.

import { ALL_HOSTS, browser } from "./browser.js";
import { patternsOf } from "./cookies.js";
import { isPrivate, NOT_PRIVATE, program } from "./program.js";
import { grouped } from "./streams.js";
import { listOf } from "./watch.js";

const NAMES = { hls: "Stream (HLS)", dash: "Stream (DASH)", video: "Video", audio: "Audio", page: "This page" };

const byId = (id) => document.getElementById(id);

/** Returns the current tab, or the tab with the number after the `#` of the address. */
async function currentTab() {
  const number = Number.parseInt(location.hash.slice(1), 10);
  if (number >= 0) return browser.tabs.get(number);
  return (await browser.tabs.query({ active: true, currentWindow: true }))[0];
}

function size(bytes) {
  if (bytes === undefined) return "";
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

function element(tag, text, ...children) {
  const made = document.createElement(tag);
  made.textContent = text;
  made.append(...children);
  return made;
}

/** Returns the parts of an address that a user recognizes. */
function nameOf(address) {
  const place = new URL(address);
  return place.host + place.pathname;
}

function problem(text) {
  byId("problem").textContent = text;
  byId("problem").hidden = false;
}

const state = { tab: undefined, program: undefined };

/**
 * Hands a stream over. Requests the permission for the site's cookies only if the user has set the
 * tick.
 */
async function hand(stream) {
  const withCookies = byId("with-cookies").checked;
  byId("problem").hidden = true;
  if (withCookies && !isPrivate(state.program)) {
    problem(NOT_PRIVATE);
    return;
  }
  try {
    // This call comes first, because the browser asks the user only during the handling of a click.
    const isGranted = !withCookies || await browser.permissions.request({
      permissions: ["cookies"],
      origins: [...patternsOf(stream.address), `*://${new URL(state.program).hostname}/*`],
    });
    if (!isGranted) {
      problem("The browser did not allow the cookies. Take the tick away, or allow them.");
      return;
    }
    const answer = await browser.runtime.sendMessage({ ask: "hand over", withCookies, stream: request(stream) });
    if (answer?.problem) problem(answer.problem);
  } catch (error) {
    problem(`The stream was not handed over: ${error.message}`);
  }
}

/** The referrer of a stream in a frame is the frame's page. */
function request(stream) {
  const { tab } = state;
  const page = stream.frame === 0 ? tab.url : stream.document;
  return {
    address: stream.address,
    title: tab.title ?? "",
    referrer: stream.kind === "page" ? undefined : page,
    tab: tab.id,
  };
}

function row(stream, others) {
  const button = element("button", "", element("strong", NAMES[stream.kind]),
    element("span", nameOf(stream.address)), element("small", size(stream.bytes)));
  button.type = "button";
  button.title = stream.address;
  button.dataset.kind = stream.kind;
  button.addEventListener("click", () => hand(stream));
  const item = element("li", "", button);
  if (others.length > 0) {
    const list = element("ul", "", ...others.map((each) => row(each, [])));
    const count = others.length === 1 ? "1 more playlist" : `${others.length} more playlists`;
    item.append(element("details", "", element("summary", `${count}, most often its qualities`), list));
  }
  return item;
}

async function draw() {
  const { tab } = state;
  const place = URL.parse(tab?.url ?? "");
  const isWeb = place && ["http:", "https:"].includes(place.protocol);
  const isAllowed = await browser.permissions.contains(ALL_HOSTS);
  const list = await listOf(tab.id);
  const page = isWeb ? [row({ kind: "page", address: place.href, frame: 0 }, [])] : [];
  const rows = grouped(list).map(({ stream, others }) => row(stream, others));
  byId("title").textContent = tab.title || "Keep with offline";
  byId("streams").replaceChildren(...rows, ...page);
  byId("none").hidden = !isAllowed || rows.length > 0;
  byId("permission").hidden = isAllowed;
  byId("dropped").hidden = list.dropped === 0;
  byId("dropped").textContent = `${list.dropped} older files are not listed.`;
}

byId("allow").addEventListener("click", async () => {
  await browser.permissions.request(ALL_HOSTS);
  await draw();
});
browser.storage.session.onChanged.addListener(draw);
[state.tab, state.program] = await Promise.all([currentTab(), program()]);
byId("program").textContent = new URL(state.program).host;
await draw();
document.body.dataset.isDrawn = "true";
