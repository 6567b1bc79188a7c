// SPDX-License-Identifier: Apache-2.0
// The section Following with the followed podcasts, other feeds and playlists.

import { api } from "../shared/api.js";
import { ask, showError } from "../shared/dialog.js";
import { adopt, announce, button, byId, css, el, head, icon, mount, reconcile, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as places from "../shared/places.js";
import * as store from "../shared/store.js";

const markup = [
  head("following", "Following"),
  el("p", { class: "lead", text: "New entries of what you follow are kept by themselves." }),
  el("div", { id: "feeds", class: "feeds" },
    el("form", { id: "follow", class: "add", novalidate: true },
      el("label", { for: "feed-address", text: "Address of a podcast, another feed (RSS, Atom, JSON Feed) or a playlist (M3U, PLS, XSPF)" }),
      el("div", { class: "row" },
        el("input", {
          id: "feed-address", type: "url", inputmode: "url", spellcheck: "false", autocapitalize: "off",
          autocomplete: "off", placeholder: "https://…", "aria-describedby": "feed-error",
        }),
        el("label", { class: "entries" },
          el("span", { text: "Entries to keep" }),
          el("input", { id: "feed-keep", type: "number", min: "1", max: "1000", value: "10" })),
        el("button", { class: "primary", type: "submit", text: "Follow" })),
      el("label", { class: "check" },
        el("input", { id: "feed-pages", type: "checkbox" }),
        el("span", { text: "Also keep the media of pages to which entries lead." })),
      el("label", { id: "feed-private-row", class: "check", hidden: true },
        el("input", { id: "feed-private", type: "checkbox" }),
        el("span", { text: "This feed is in a private network. Follow it anyway." })),
      el("p", { id: "feed-error", class: "error", role: "alert" })),
    el("div", { id: "feeds-none", class: "empty", hidden: true },
      icon("following", "big"),
      el("h2", { text: "You follow nothing yet" }),
      el("p", { text: "Paste the address of a podcast, a feed or a playlist above, and choose how many entries to keep." })),
    el("ul", { id: "feed-rows", role: "list", class: "rows", "aria-label": "Followed feeds" })),
];

const style = css`
  .feeds { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
  .feeds .add { margin-bottom: 0; }
  .feeds .row { flex-wrap: wrap; }
  .feeds .row input[type="url"] { flex: 1 1 14rem; }
  .feeds .entries { display: flex; align-items: center; gap: 0.6rem; font-size: 0.9375rem; margin-right: auto; }
  .feeds input[type="number"] { flex: 0 0 5.5rem; width: 5.5rem; }
  .feeds .acts .entries { margin-right: 0.5rem; }
  .feed-items { grid-column: 1 / -1; font-size: 0.9375rem; }
  .feed-items li { display: flex; gap: 0.6rem; justify-content: space-between; align-items: center; padding-block: 0.25rem; }
  @media (max-width: 600px), (pointer: coarse) { .feed-items :is(summary, li > a) { padding-block: 0.7rem; } }
  .feed-items li > :is(a, span) { overflow-wrap: anywhere; min-width: 0; }
`;

/** The number of newest entries that a card shows by default. */
const shownEntries = 3;
const views = new Map();
let feeds = [];
let requestCount = 0;
let knowsFeeds = false;

/** Loads the list again. Only the newest response counts. */
async function load() {
  requestCount += 1;
  const number = requestCount;
  try {
    const list = await api.feeds();
    if (number === requestCount) feeds = list.feeds;
    knowsFeeds = true;
  } catch {
    // The next event or the next connection starts another load.
  }
  draw();
  // Other parts show which feeds are followed.
  store.changed();
}

function draw() {
  reconcile(byId("feed-rows"), views, feeds, (feed) => feed.id, makeRow);
  show(byId("feeds-none"), knowsFeeds && feeds.length === 0);
}

function makeRow(feed) {
  const title = el("h2");
  const address = el("p", { class: "address" });
  const facts = el("p", { class: "line fine" });
  const error = el("p", { class: "error", role: "status" });
  const newest = el("ul", { role: "list", class: "feed-items", "aria-label": "Newest entries" });
  const list = el("ul", { role: "list" });
  const summary = el("summary");
  const items = el("details", { class: "feed-items" }, summary, list);
  const check = button("Check now", { onclick: () => attempt("The feed could not be checked", () => api.checkFeed(feed.id)) });
  const stop = button("Stop following…", { class: "danger", onclick: () => unfollow(feed.id) });
  const keep = el("input", {
    type: "number", min: "1", max: "1000", onchange: async () => {
      const { address, pages } = last;
      const wanted = keep.value;
      await attempt("The number of entries was not changed", async () => {
        last = await api.follow({ address, pages, keep: Number(wanted) });
      });
      // The user may have typed another number already.
      if (document.activeElement === keep && ![wanted, String(last.keep)].includes(keep.value)) return;
      keep.value = last.keep;
      // Chromium gives the field the focus without a caret when the sheet closes, and ignores keys.
      if (document.activeElement === keep) keep.select();
    },
  });
  const [newestRows, rows] = [new Map(), new Map()];
  let last = feed;
  const element = el("li", { class: "row-item" },
    el("div", {}, title, address),
    el("div", { class: "acts" }, el("label", { class: "entries" }, el("span", { text: "Keep the newest" }), keep), check, stop),
    facts, error, newest, items);
  const update = (value) => {
    last = value;
    if (document.activeElement !== keep) keep.value = value.keep;
    keep.setAttribute("aria-label", `Number of entries of ${value.title} to keep`);
    setText(title, value.title);
    setText(address, value.address.split("?")[0]);
    setText(facts, describe(value));
    setText(error, value.error?.message);
    check.setAttribute("aria-label", `Check ${value.title} now`);
    stop.setAttribute("aria-label", `Stop following ${value.title}…`);
    const older = value.items.slice(shownEntries);
    setText(summary, older.length === 1 ? "1 older item in the library" : `${older.length} older items in the library`);
    show(items, older.length > 0);
    reconcile(newest, newestRows, value.items.slice(0, shownEntries), (each) => each.id, makeItem);
    reconcile(list, rows, older, (each) => each.id, makeItem);
  };
  return { element, update };
}

function makeItem(each) {
  const title = el("a", { href: `#item-${each.id}` });
  const state = el("span", { class: "fine" });
  const keep = button("Keep", { onclick: () => attempt("The item is not kept", () => api.keep(each.id)) });
  const update = (value) => {
    const name = store.item(value.id)?.title ?? value.title;
    setText(title, name);
    keep.setAttribute("aria-label", `Keep ${name}, also when newer entries arrive`);
    show(keep, !value.isKept);
    setText(state, value.isKept ? "Kept" : "");
  };
  return { element: el("li", {}, title, state, keep), update };
}

function describe(feed) {
  const parts = [
    feed.entries === 1 ? "1 entry" : `${format.whole(feed.entries)} entries`,
  ];
  if (feed.withoutMedia > 0 && !feed.pages) parts.push(`${format.whole(feed.withoutMedia)} without media`);
  parts.push(feed.checkedAt ? `checked ${format.moment(feed.checkedAt)}` : "not checked yet");
  parts.push(feed.hasEnded ? "ended, not checked again" : `next check ${format.moment(feed.nextCheckAt)}`);
  return parts.join(" · ");
}

async function attempt(title, work) {
  try {
    await work();
  } catch (error) {
    await showError(title, error);
  }
}

async function follow(event) {
  event.preventDefault();
  const field = byId("feed-address");
  const address = field.value.trim();
  setText(byId("feed-error"), address ? "" : "The address is missing. Paste the address of a feed.");
  if (!address) {
    field.focus();
    return;
  }
  try {
    const feed = await api.follow({
      address, keep: Number(byId("feed-keep").value), pages: byId("feed-pages").checked,
      allowPrivate: byId("feed-private").checked,
    });
    field.value = "";
    show(byId("feed-private-row"), false);
    byId("feed-private").checked = false;
    announce(`${feed.title} is followed.`);
  } catch (error) {
    setText(byId("feed-error"), error.message);
    show(byId("feed-private-row"), error.code === "privateAddress");
    field.focus();
  }
}

async function unfollow(id) {
  const feed = feeds.find((each) => each.id === id);
  const answer = await ask({
    title: `Stop following ${feed?.title ?? "this feed"}?`,
    body: ["New entries are no longer downloaded. The files in your library stay."],
    buttons: [{ label: "Cancel" }, { label: "Stop following", value: true, kind: "danger" }],
  });
  if (answer) await attempt("The feed is still followed", () => api.unfollow(id));
}

/** Whether a feed with this address is followed. */
export const isFollowed = (address) => feeds.some((feed) => feed.address === address);

/**
 * Follows the feed of a failed download and removes the download. If the entries have no media, the
 * feed is followed through the pages of the entries.
 */
export async function followInstead({ id, address, allowsPrivateAddresses: allowPrivate }) {
  const request = { address, keep: 10, allowPrivate };
  const feed = await api.follow(request);
  if (feed.entries > 0 && feed.withoutMedia === feed.entries) await api.follow({ ...request, pages: true });
  await api.remove(id, true);
  places.go("following");
  announce(`${feed.title} is followed.`);
}

/** Connects the place to the page. */
export function start() {
  adopt(style);
  mount("following-section", markup);
  byId("follow").addEventListener("submit", follow);
  store.on("feeds", load);
  store.on("hello", load);
  store.on("items", draw);
}
