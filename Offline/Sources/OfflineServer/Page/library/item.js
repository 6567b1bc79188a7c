// SPDX-License-Identifier: Apache-2.0
// The page of one item (`#item-12`), or the reason why the page shows no item.

import * as local from "../local/films.js";
import * as storage from "../local/storage.js";
import { isPlayable } from "../player/playback.js";
import { api } from "../shared/api.js";
import { byId, el, icon } from "../shared/dom.js";
import * as places from "../shared/places.js";
import * as store from "../shared/store.js";
import * as folder from "./folder.js";
import { begin, makeView } from "./itemview.js";

/** The number of the item on the page, or 0 for none. */
let number = 0;
/** The facts that only the request for the single item returns. */
let details = {};
/** The tracks of the file. The tracks arrive later. */
let tracks = [];
/** Whether the server has answered for the item since the last snapshot. */
let isLoaded = false;
/** The number of loads. Only the newest one counts. */
let loads = 0;
/** The state and the file name with which the facts were requested. */
let requested = "";
/** The view of the item, or undefined while the page shows another text. */
let view;
/** The facts of the text that is shown instead of an item. */
let shownText = "";

/** Shows the item with a number. The number 0 leaves the page empty. */
function follow(id) {
  if (id === number) return;
  number = id;
  details = {};
  tracks = [];
  isLoaded = false;
  requested = "";
  view = undefined;
  shownText = "";
  byId("item-section").replaceChildren();
  if (id > 0) load();
}

async function load() {
  const id = number;
  loads += 1;
  const turn = loads;
  const known = await store.get(id);
  const [found] = await Promise.all([known ? api.item(id).catch(() => ({})) : {}, folder.load(), local.ready]);
  if (id !== number || turn !== loads) return;
  details = found;
  isLoaded = true;
  draw();
  loadTracks(id);
}

/** Adds the languages of the sound. The server reads the languages from the file. */
async function loadTracks(id) {
  if (details.path === undefined) return;
  const found = await api.tracks(id).catch(() => undefined);
  if (!found || id !== number) return;
  tracks = found.tracks;
  draw();
}

const current = () => store.item(number);

function draw() {
  if (number === 0) return;
  const item = current();
  if (!item) {
    drawText();
    return;
  }
  places.setTitle(item.title);
  if (!view) {
    view = makeView(item, load);
    shownText = "";
    put(view.element);
  }
  view.update(item, { details, tracks });
  // After a change of the name or the state, the path and the subtitles may differ.
  const version = `${item.state} ${item.fileName}`;
  if (details.id === undefined || version === requested || version === `${details.state} ${details.fileName}`) return;
  requested = version;
  load();
}

/** Draws a text instead of the item. */
function drawText() {
  const copy = local.item(number);
  // A snapshot does not have older items, so only the answer for the item counts.
  if (!isLoaded && store.isConnected()) return;
  const next = JSON.stringify([copy?.title, details.id, store.isConnected()]);
  if (next === shownText) return;
  shownText = next;
  view = undefined;
  places.setTitle(copy?.title ?? "No item");
  put(lost(copy));
}

/** Shows an element as the whole place. A focused control gives the focus to the one with its name. */
function put(element) {
  const place = byId("item-section");
  const focused = place.contains(document.activeElement) ? document.activeElement.id : "";
  place.replaceChildren(element);
  if (focused) byId(focused)?.focus({ preventScroll: true });
}

function lost(copy) {
  if (copy) {
    return el("div", { class: "item-gone" },
      el("h1", { id: "item-title", text: copy.title }),
      el("p", {
        class: "none", text: store.isConnected()
          ? `The library no longer has this file. A copy is kept ${storage.where}.` : `The server is not there. A copy is kept ${storage.where}.`,
      }),
      el("div", { class: "buttons" },
        el("button", { id: "item-play", type: "button", class: "primary", onclick: () => begin(copy) },
          icon(isPlayable(copy) ? "play" : "file"), isPlayable(copy) ? "Play" : "Read"),
        el("a", { class: "button", href: "#kept", text: `Kept ${storage.where}` })));
  }
  return details.id === undefined && !store.isConnected()
    ? el("p", { class: "none", text: "The item is shown when the server is back." })
    : el("div", { class: "item-gone" },
      el("h1", { id: "item-title", text: "There is no such item" }),
      el("p", { class: "none", text: "It was removed, or the address is wrong." }),
      el("a", { class: "button", href: "#library", text: "To the library" }));
}

/** Connects the page of an item to the state. */
export function start() {
  places.onChange((place) => follow(place.name === "item" ? place.number ?? 0 : 0));
  store.on("items", draw);
  local.onChange(draw);
  store.on("link", draw);
  store.on("hello", () => { isLoaded = false; });
  store.on("snapshot", () => {
    isLoaded = false;
    return number > 0 ? load() : undefined;
  });
}
