// SPDX-License-Identifier: Apache-2.0
// The Library with the finished items, which play without a network.

import * as collections from "../shared/collections.js";
import { showError } from "../shared/dialog.js";
import { adopt, button, byId, css, el, head, icon, mount, reconcile, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as places from "../shared/places.js";
import * as store from "../shared/store.js";
import * as bar from "./bar.js";
import * as collectionHead from "./collectionhead.js";
import * as gestures from "./gestures.js";
import { makePoster } from "./poster.js";
import { refreshMenu } from "./refresh.js";
import * as removal from "./removal.js";
import * as reorder from "./reorder.js";
import * as selection from "./selection.js";
import * as shelf from "./shelf.js";

const markup = [
  head("library", "Library", shelf.field, refreshMenu("Library")),
  shelf.tools,
  collectionHead.element,
  bar.element,
  el("div", { id: "library-empty", class: "empty", hidden: true },
    icon("library", "big"),
    el("h2", { text: "Nothing here yet" }),
    el("p", { text: "Paste a link into the field above. What Offline has kept is here, and plays without a network." })),
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
  .cards.list { grid-template-columns: repeat(auto-fill, minmax(min(100%, 32rem), 1fr)); gap: 0.5rem 1.25rem; }
  .cards.list .card { grid-template-columns: 7rem minmax(0, 1fr) auto; align-items: center; gap: 0.9rem; }
  .cards.list .card .open { grid-column: auto; border-radius: 10px; }
  .cards.list .card .acts { margin: 0; }
  .cards.list .card .text { display: block; }
  .cards.list .card .facts { margin: 0.15rem 0 0; }
  .cards.list .card .disc { width: 2.25rem; height: 2.25rem; }
  .cards.list .card .picture > svg { width: 1.75rem; height: 1.75rem; }
  .cards.list .card .length { right: 0.25rem; bottom: 0.25rem; font-size: 0.75rem; }
  .missing { margin-top: 2.5rem; padding: 1.15rem; border: 1px dashed var(--line); border-radius: var(--radius); display: grid; gap: 0.5rem; justify-items: start; }
  .missing p { color: var(--soft); font-size: 0.9375rem; }
  .missing ul { list-style: disc; padding-left: 1.2rem; overflow-wrap: anywhere; }
  @media (max-width: 600px) {
    nav > a #library-count { display: none; }
    #library-section .tools { flex: 1 1 100%; justify-content: flex-end; }
    #library-section .search { flex: 1; }
    .cards.list .card { grid-template-columns: 5.5rem minmax(0, 1fr) auto; gap: 0.3rem 0.75rem; }
  }
`;

const views = new Map();
const missingViews = new Map();
let limit = shelf.windowful;
/** The choice that the limit belongs to. */
let chosen;
let knowsItems = false;
/** The edition of the items in the last drawing, or undefined if the section was hidden since. */
let drawn;

const states = ["ready", "missing"];

/** Draws the section if the items have changed. The progress of a download changes no items. */
function update() {
  const total = store.count(["ready"]);
  setText(byId("library-count"), format.whole(total));
  show(byId("library-count"), total > 0);
  if (!places.isShown("library")) drawn = undefined;
  else if (drawn !== store.edition(states)) draw();
}

/** Draws the section. */
export function draw() {
  if (!store.isFilled()) return;
  drawn = store.edition(states);
  const ready = store.list(["ready"]);
  const missing = store.list(["missing"]);
  const choice = shelf.items();
  const found = choice?.items ?? ready;
  const hasMore = choice?.hasMore ?? store.hasMore(["ready"]);
  collectionHead.draw();
  byId("cards").classList.toggle("selecting", selection.isOn());
  reconcile(byId("cards"), views, found.slice(0, limit), (item) => item.id, makePoster);
  show(byId("show-more"), found.length > Math.max(limit, shelf.step) || hasMore);
  show(byId("library-empty"), knowsItems && ready.length === 0 && missing.length === 0);
  shelf.showTools(ready.length > 0);
  show(byId("library-none"), ready.length > 0 && found.length === 0);
  setText(byId("library-none"), none());
  if (limit < shelf.step && found.length > limit) drawRest();
  show(byId("missing"), missing.length > 0);
  show(byId("missing-more"), store.hasMore(["missing"]));
  reconcile(byId("missing-list"), missingViews, missing, (item) => item.id, makeMissing);
}

/** Draws the items below the window after the visible items have appeared. */
function drawRest() {
  limit = shelf.step;
  requestAnimationFrame(() => setTimeout(draw));
}

function none() {
  const { words, media, unwatched, collection: number } = shelf.choice();
  if (number > 0 && !words && !media && !unwatched) {
    return collections.get(number) ? "Nothing is in this collection. Select items in the library, and choose Collection…" : "";
  }
  if (unwatched && !words && !media) return "Everything in the library is watched.";
  const what = media ? `No ${media} in the library` : "Nothing in the library";
  return words ? `${what} matches “${words}”.` : `${what}.`;
}

function makeMissing() {
  const element = el("li");
  return { element, update: (item) => setText(element, item.title) };
}

async function loadMore(state) {
  try {
    await store.more([state]);
  } catch (error) {
    await showError("More items could not be loaded", error);
  }
}

async function showMore() {
  limit += shelf.step;
  const choice = shelf.items();
  if (choice) {
    if (choice.items.length < limit && choice.hasMore) await shelf.find(true);
  } else if (store.list(["ready"]).length < limit) await loadMore("ready");
  draw();
}

/** Connects the section to the page. */
export function start() {
  adopt(style);
  mount("library-section", markup);
  collections.start();
  shelf.start(draw);
  collectionHead.start();
  byId("show-more").addEventListener("click", showMore);
  byId("missing-more").addEventListener("click", () => loadMore("missing"));
  places.onChange(({ name, parameters }) => {
    // Another choice resets the limit. Back keeps the items that *Show more* has added.
    if (name === "library" && chosen !== String(parameters)) {
      if (chosen !== undefined) limit = shelf.step;
      chosen = String(parameters);
    }
    update();
  });
  removal.onChange(draw);
  selection.start();
  selection.onChange(draw);
  bar.start();
  gestures.start();
  reorder.start();
  store.on("snapshot", () => { knowsItems = true; });
  store.on("items", update);
}
