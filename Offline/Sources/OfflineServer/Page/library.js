// SPDX-License-Identifier: Apache-2.0
// The Library: the finished items, which play without a network.

import { api, pictureAddress, saveAddress } from "/api.js";
import { ask, showError } from "/dialog.js";
import {
  adopt, announce, button, byId, css, el, head, icon, mount, reconcile, searchField, setText, show,
} from "/dom.js";
import * as format from "/format.js";
import { isWatched, share } from "/playback.js";
import { play, read } from "/player.js";
import { refreshMenu } from "/refresh.js";
import * as store from "/store.js";
import { rename } from "/titles.js";

const markup = [
  head("library", "Library",
    searchField("search", "Search the library", { placeholder: "Search" }),
    refreshMenu("Library")),
  el("div", { id: "library-empty", class: "empty", hidden: true },
    icon("mark", "big"),
    el("h2", { text: "Nothing here yet" }),
    el("p", {
      text: "Give Offline the address of a page, a file or a stream (HLS, DASH). It saves a complete copy that plays without a network.",
    }),
    el("div", { class: "buttons" },
      el("a", { class: "button primary", href: "#downloads", id: "empty-add", text: "Paste an address" }),
      button("Try the sample stream", { id: "sample" })),
    el("p", {
      class: "fine",
      text: "The sample is 24 seconds long. It is part of the program and needs no network.",
    })),
  el("section", { id: "continue", hidden: true }),
  el("div", { id: "chips", class: "chips", role: "group", "aria-label": "Show only", hidden: true },
    button("Unwatched", { id: "unwatched", class: "chip", "aria-pressed": "false" })),
  el("p", { id: "library-none", class: "none", role: "status", hidden: true }),
  el("ul", { id: "cards", role: "list", class: "cards", "aria-label": "Media" }),
  el("div", { class: "buttons center" },
    button("Show more", { id: "show-more", hidden: true })),
  el("div", { id: "missing", class: "missing", hidden: true },
    el("h2", { text: "Missing" }),
    el("p", { text: "Their files are no longer in the library’s folder." }),
    el("ul", { id: "missing-list", role: "list" }),
    button("Show more", { id: "missing-more", hidden: true }),
    button("Remove these entries…", { id: "missing-remove" })),
];

const style = css`
  .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(15.5rem, 1fr)); gap: 1.5rem 1.25rem; margin-bottom: 1.5rem; }
  .card { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.65rem 0.25rem; align-content: start; }
  .card .open {
    grid-column: 1 / -1; position: relative; display: block; width: 100%; padding: 0; aspect-ratio: 16 / 9; overflow: hidden;
    border-radius: var(--radius); border: 0; background: var(--sunken); color: var(--soft); box-shadow: 0 0 0 1px var(--line);
  }
  .card .open:disabled { opacity: 1; }
  .card .open:focus-visible { outline-offset: 3px; }
  .picture, .picture img { display: block; width: 100%; height: 100%; object-fit: cover; }
  .picture { display: grid; place-items: center; }
  .picture > svg { width: 2.75rem; height: 2.75rem; opacity: 0.6; }
  .picture img { transition: scale 0.3s; }
  .open:hover:enabled .picture img { scale: 1.03; }
  .disc {
    position: absolute; inset: 0; margin: auto; width: 3.25rem; height: 3.25rem; border-radius: 50%; display: grid; place-items: center;
    background: rgb(0 0 0 / 58%); color: #fff; opacity: 0; transition: opacity 0.15s;
  }
  .open:hover:enabled .disc, .open:focus-visible .disc { opacity: 1; }
  .picture:not(:has(img)) ~ .disc { display: none; }
  .length {
    position: absolute; right: 0.5rem; bottom: 0.5rem; padding: 0.05rem 0.4rem; border-radius: 6px; font-size: 0.8125rem;
    font-weight: 560; font-variant-numeric: tabular-nums; background: rgb(0 0 0 / 72%); color: #fff;
  }
  .watched { position: absolute; left: 0.5rem; top: 0.5rem; padding: 0.15rem; border-radius: 50%; background: rgb(0 0 0 / 72%); color: #6ad7cb; }
  .open:has(.seen:not([hidden])) .length { bottom: 0.8rem; }
  .card h2 a { color: inherit; text-decoration: none; }
  .card h2 a:hover { text-decoration: underline; }
  .card h2 { font-size: 1rem; display: -webkit-box; -webkit-line-clamp: 2; line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; overflow-wrap: anywhere; }
  .card .facts { color: var(--soft); font-size: 0.8125rem; margin-top: 0.15rem; }
  .card .acts { display: flex; margin-top: -0.3rem; }
  .chips { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: -0.5rem 0 1.25rem; }
  .chip { border-radius: 2rem; min-height: 2.25rem; border-color: var(--soft); }
  .chip[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
  @media (hover: none) { .chip { min-height: 2.75rem; } }
  @media (forced-colors: active) { .chip[aria-pressed="true"] { background: Highlight; color: HighlightText; forced-color-adjust: none; } }
  .missing { margin-top: 2.5rem; padding: 1.15rem; border: 1px dashed var(--line); border-radius: var(--radius); display: grid; gap: 0.5rem; justify-items: start; }
  .missing p { color: var(--soft); font-size: 0.9375rem; }
  .missing ul { list-style: disc; padding-left: 1.2rem; overflow-wrap: anywhere; }
  @media (max-width: 46rem) {
    #library-section .tools { flex: 1 1 100%; }
    #library-section .search { flex: 1; }
    .cards { grid-template-columns: minmax(0, 1fr); }
    .disc { opacity: 1; }
  }
  @media (hover: none) { .disc { opacity: 1; } }
`;

const step = 120;
const views = new Map();
const missingViews = new Map();
let limit = step;
let knowsItems = false;
const allItems = { words: "", isUnwatched: false, ids: [], total: 0, next: undefined };
/** The search: its words, whether it leaves out watched items, the found items in order, the number of all, and the cursor of the rest. */
let search = allItems;
let searches = 0;

/** Whether the page can play the item. */
export const isPlayable = (item) => /^(video|audio)\//.test(item.mediaType ?? "");

/** Whether the page can show the item as text. */
export const isReadable = (item) => /^text\/(plain|vtt)\b/.test(item.mediaType ?? "");

const isSearch = () => search.words !== "" || search.isUnwatched;

/** Draws the section. */
export function draw() {
  const ready = store.list(["ready"]);
  const missing = store.list(["missing"]);
  const total = store.count(["ready"]);
  const found = isSearch()
    ? search.ids.map(store.item).filter((item) => item?.state === "ready" && !(search.isUnwatched && isWatched(item))) : ready;
  const hasMore = isSearch() ? search.next !== undefined : store.hasMore(["ready"]);
  reconcile(byId("cards"), views, found.slice(0, limit), (item) => item.id, makeCard);
  show(byId("show-more"), found.length > limit || hasMore);
  show(byId("library-empty"), knowsItems && ready.length === 0 && missing.length === 0);
  show(byId("search").closest("label"), ready.length > 0);
  show(byId("library-none"), ready.length > 0 && found.length === 0);
  setText(byId("library-none"), search.words
    ? `Nothing in the library matches “${search.words}”.` : "Everything in the library is watched.");
  show(byId("chips"), ready.length > 0);
  setText(byId("library-count"), format.whole(total));
  show(byId("library-count"), total > 0);
  show(byId("missing"), missing.length > 0);
  show(byId("missing-more"), store.hasMore(["missing"]));
  reconcile(byId("missing-list"), missingViews, missing, (item) => item.id, makeMissing);
}

function makeCard(first) {
  let item = first;
  const picture = el("span", { class: "picture" });
  const length = el("span", { class: "length" });
  const bar = el("span");
  const seen = el("span", { class: "seen", "aria-hidden": "true" }, bar);
  const watched = el("span", { class: "watched", title: "Watched" }, icon("check"), el("span", { class: "quiet", text: "Watched" }));
  const link = el("a", { href: `#item-${item.id}` });
  const title = el("h2", { id: `title-${item.id}` }, link);
  const facts = el("p", { class: "facts" });
  const start = el("button", {
    type: "button", class: "open", onclick: () => (isPlayable(item) ? play(item) : read(item)),
  }, picture, el("span", { class: "disc" }, icon("play")), length, watched, seen);
  const save = el("a", { class: "button icon", download: true, title: "Save a copy" }, icon("save"));
  const edit = el("button", {
    type: "button", class: "icon", title: "Rename", onclick: () => rename(item),
  }, icon("edit"));
  const remove = el("button", {
    type: "button", class: "icon", title: "Remove", onclick: () => askToRemove(item),
  }, icon("trash"));
  const element = el("li", { class: "card" }, start,
    el("div", { class: "text" }, title, facts), el("div", { class: "acts" }, edit, save, remove));
  return { element, update };

  function update(next) {
    item = next;
    element.dataset.id = item.id;
    setText(link, item.title);
    show(seen, share(item) > 0);
    bar.style.scale = `${share(item)} 1`;
    show(watched, isWatched(item));
    setText(length, format.clock(item.duration));
    show(length, Number.isFinite(item.duration));
    setText(facts, [
      format.bytes(item.size), item.height ? `${item.width} × ${item.height}` : "",
      format.day(item.readyAt),
    ].filter(Boolean).map((fact) => fact.replaceAll(" ", "\u00a0")).join(" · "));
    start.disabled = !isPlayable(item) && !isReadable(item);
    start.setAttribute("aria-label", `${isReadable(item) ? "Read" : "Play"} ${item.title}`);
    save.href = saveAddress(item.id);
    save.setAttribute("aria-label", `Save a copy of ${item.title}`);
    edit.setAttribute("aria-label", `Rename ${item.title}`);
    remove.setAttribute("aria-label", `Remove ${item.title}`);
    drawPicture(picture, item);
  }
}

function drawPicture(place, item) {
  const wanted = item.hasPicture ? pictureAddress(item.id) : "";
  if (place.dataset.shown === wanted && place.firstChild) return;
  place.dataset.shown = wanted;
  const kind = (item.mediaType ?? "").startsWith("audio/") ? "note" : "file";
  place.replaceChildren(wanted
    ? el("img", { src: wanted, alt: "", loading: "lazy", decoding: "async" })
    : icon(isPlayable(item) && kind !== "note" ? "library" : kind));
}

function makeMissing() {
  const element = el("li");
  return { element, update: (item) => setText(element, item.title) };
}

/** Asks whether to remove the item, with or without its file, and removes it. */
export async function askToRemove(item) {
  const isReady = item.state === "ready";
  const answer = await ask({
    title: `Remove “${item.title}”?`,
    body: [isReady
      ? "If you delete the file, the item is gone for good. If you keep it, Refresh and Import restore the item."
      : "This deletes the partial download."],
    buttons: [
      { label: "Cancel", value: undefined },
      ...(isReady ? [{ label: "Keep the file", value: "entry" }] : []),
      { label: isReady ? "Delete the file too" : "Remove", value: "file", kind: "danger" },
    ],
  });
  if (!answer) return;
  try {
    await api.remove(item.id, answer === "file");
    announce(`${item.title} was removed.`);
  } catch (error) {
    await showError("The item was not removed", error);
  }
}

/** Asks the server for the items with the words in the field, or for more of them. */
async function find(isMore = false) {
  searches += 1;
  const number = searches;
  const words = isMore ? search.words : byId("search").value.trim();
  const isUnwatched = byId("unwatched").getAttribute("aria-pressed") === "true";
  if (!words && !isUnwatched) search = allItems;
  else {
    let page;
    try {
      page = await store.find({
        state: "ready", ...(words && { q: words }), ...(isUnwatched && { watched: "false" }), ...(isMore && { after: search.next }),
      });
    } catch (error) {
      if (number === searches) await showError("The search failed", error);
      return;
    }
    // A later search has other words.
    if (number !== searches) return;
    const ids = page.items.map((each) => each.id);
    search = { words, isUnwatched, ids: isMore ? [...search.ids, ...ids] : ids, total: page.total, next: page.next };
    if (!isMore) announce(`${format.whole(page.total)} found`);
  }
  draw();
}

/** Shows the items with these words. */
export function showItems(words) {
  byId("search").value = words;
  find();
}

async function loadMore(state) {
  try {
    await store.more([state]);
  } catch (error) {
    await showError("More items could not be loaded", error);
  }
}

/** Connects the section to the page. */
export function start() {
  adopt(style);
  mount("library-section", markup);
  let wait = 0;
  byId("search").addEventListener("input", () => {
    clearTimeout(wait);
    limit = step;
    // Searches when the typing pauses.
    wait = setTimeout(() => find(), 150);
  });
  byId("unwatched").addEventListener("click", ({ currentTarget }) => {
    currentTarget.setAttribute("aria-pressed", String(currentTarget.getAttribute("aria-pressed") !== "true"));
    limit = step;
    find();
  });
  byId("show-more").addEventListener("click", async () => {
    limit += step;
    if (isSearch()) {
      if (search.ids.length < limit && search.next !== undefined) await find(true);
    } else if (store.list(["ready"]).length < limit) await loadMore("ready");
    draw();
  });
  byId("missing-more").addEventListener("click", () => loadMore("missing"));
  byId("sample").addEventListener("click", async (event) => {
    event.currentTarget.disabled = true;
    try {
      await api.sample();
      location.hash = "#downloads";
    } catch (error) {
      await showError("The sample could not be started", error);
    } finally {
      byId("sample").disabled = false;
    }
  });
  store.on("snapshot", () => {
    knowsItems = true;
    if (isSearch()) find();
  });
  store.on("ready", () => {
    if (isSearch()) find();
  });
  store.on("items", draw);
}
