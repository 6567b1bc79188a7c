// SPDX-License-Identifier: Apache-2.0
// The user's choice in the library, with the search, the kind of media, the order and the view. The
// choice is part of the page's address, so that Back, a reload and a bookmark restore the choice.

import { isWatched } from "../player/playback.js";
import * as collections from "../shared/collections.js";
import { showError } from "../shared/dialog.js";
import { adopt, announce, byId, css, el, icon, searchField, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as places from "../shared/places.js";
import * as store from "../shared/store.js";
import * as selection from "./selection.js";

const kinds = [["", "All"], ["video", "Video"], ["audio", "Audio"], ["text", "Text"]];
const orders = [
  ["newest", "Newest first"], ["title", "By title"], ["length", "Longest first"], ["size", "Largest first"],
];

/** The search field in the head of the library. */
export const field = searchField("search", "Search the library", { placeholder: "Search" });

const chips = kinds.map(([value, text]) => el("button", {
  type: "button", class: "chip", "data-media": value, text, onclick: () => choose({ media: value }, true),
}));

const unwatched = el("button", {
  id: "unwatched", type: "button", class: "chip", text: "Unwatched",
  onclick: () => choose({ unwatched: !choice().unwatched }, true),
});

const inOwnOrder = el("option", { value: "collection", text: "In its own order" });

const collection = el("select", {
  id: "collection", hidden: true, "aria-label": "Collection",
  onchange: (event) => choose({ collection: Number(event.target.value), order: "" }, true),
});

/** The chips, the order and the view. */
export const tools = el("div", { id: "shelf", class: "shelf", hidden: true },
  el("div", { class: "chips", role: "group", "aria-label": "Kind of media" }, ...chips, unwatched),
  collection,
  el("label", { class: "quiet", for: "order", text: "Order" }),
  el("select", { id: "order", onchange: (event) => choose({ order: event.target.value }, true) },
    ...orders.map(([value, text]) => el("option", { value, text }))),
  el("button", {
    id: "view", type: "button", class: "icon",
    onclick: () => choose({ view: choice().view === "list" ? "" : "list" }, true),
  }, icon("list"), icon("grid")),
  el("button", {
    id: "select", type: "button", text: "Select",
    onclick: () => (selection.isOn() ? selection.end() : selection.begin()),
  }));

const style = css`
  .shelf { display: flex; flex-wrap: wrap; align-items: center; gap: 0.6rem; margin-bottom: 1.25rem; }
  .chips { display: flex; flex-wrap: wrap; gap: 0.4rem; margin-right: auto; }
  .chip { border-radius: 2rem; padding-inline: 1rem; min-height: 2.25rem; font-size: 0.875rem; }
  :is(.chip, #select)[aria-pressed="true"] { background: var(--accent-tint); border-color: var(--accent); color: var(--accent); }
  #collection { max-width: 14rem; }
  #order, #collection, #select { min-height: 2.25rem; font-size: 0.875rem; padding-block: 0.2rem; }
  #view svg:last-child, #view[aria-pressed="true"] svg:first-child { display: none; }
  #view[aria-pressed="true"] svg:last-child { display: block; }
  @media (max-width: 600px), (pointer: coarse) { .chip, #order, #collection, #select { min-height: 2.75rem; } }
  @media (max-width: 600px) { .chips { flex: 1 0 100%; } }
  @media (forced-colors: active) { :is(.chip, #select)[aria-pressed="true"] { outline: 2px solid Highlight; } }
`;

/** The number of items that fill a window. The page draws these items before all others. */
export const windowful = 24;

/** The number of items that are shown first, and the number of items that Show more adds. */
export const step = 120;

const nothing = { ids: [], total: 0, next: undefined };
/**
 * The server's result for the choice, with the items in order, the total number, and the cursor for
 * the rest.
 */
let found = nothing;
let searches = 0;
/** Returns the items of a collection as a string that differs after each change. */
const membersOf = (id) => collections.get(id)?.items.join();
let redraw = () => {};

const usualOrder = (number) => (number === 0 ? "newest" : "collection");

/** Returns a valid order. Only a collection has the order “collection”. */
const possibleOrder = (order, number) => ((number === 0 && order === "collection") || !order ? usualOrder(number) : order);

/** Returns the choice in the address. */
export function choice() {
  const { name, parameters } = places.current();
  const given = (key) => (name === "library" ? parameters.get(key) ?? "" : "");
  const number = /^\d{1,15}$/.test(given("collection")) ? Number(given("collection")) : 0;
  return {
    words: given("q"), media: given("media"), collection: number, order: possibleOrder(given("order"), number),
    view: given("view"), unwatched: given("watched") === "false",
  };
}

/** Whether the choice differs from all items with the newest first. */
export const isChosen = ({ words, media, collection: number, order, unwatched: isUnwatched } = choice()) =>
  words !== "" || media !== "" || number !== 0 || order !== "newest" || isUnwatched;

/** Returns the items of the choice and whether there are more, or undefined without a choice. */
export function items() {
  if (!isChosen()) return undefined;
  const { unwatched: isUnwatched, collection: number, order } = choice();
  const members = number === 0 ? undefined : collections.get(number)?.items;
  const place = new Map(members?.map((id, index) => [id, index]));
  // A change of the collection is visible before the server has answered again.
  const ids = members ? found.ids.filter((id) => place.has(id)) : found.ids;
  if (members && order === "collection") ids.sort((a, b) => place.get(a) - place.get(b));
  return { items: ids.map(store.item)
    .filter((item) => item?.state === "ready" && !(isUnwatched && isWatched(item))), hasMore: found.next !== undefined };
}

/** Returns the options of a request for the items of the choice. */
export function options() {
  const { words, media, collection: number, order, unwatched: isUnwatched } = choice();
  return {
    state: "ready", ...(words && { q: words }), ...(media && { media }), ...(isUnwatched && { watched: "false" }),
    ...(number > 0 && { collection: number }), order,
  };
}

/**
 * Changes the choice. With `isStep`, Back returns to the previous choice.
 *
 * @param {Partial<ReturnType<typeof choice>>} change
 * @param {boolean} [isStep]
 */
export function choose(change, isStep) {
  const { words, media, collection: number, order, view, unwatched: isUnwatched } = { ...choice(), ...change };
  places.setParameters({
    ...(words && { q: words }), ...(media && { media }), ...(number > 0 && { collection: number }),
    ...(possibleOrder(order, number) !== usualOrder(number) && { order }), ...(view && { view }),
    ...(isUnwatched && { watched: "false" }),
  }, isStep);
  follow();
}

/** Shows the choice in the controls and requests the items. */
function follow() {
  const { words, media, collection: number, order, view, unwatched: isUnwatched } = choice();
  if (number > 0) byId("order").prepend(inOwnOrder);
  else inOwnOrder.remove();
  drawCollections();
  unwatched.setAttribute("aria-pressed", String(isUnwatched));
  if (document.activeElement !== byId("search") || byId("search").value.trim() !== words) byId("search").value = words;
  for (const chip of chips) chip.setAttribute("aria-pressed", String(chip.dataset.media === media));
  byId("order").value = order;
  if (byId("order").value === "") byId("order").value = usualOrder(number);
  byId("view").setAttribute("aria-pressed", String(view === "list"));
  byId("view").setAttribute("aria-label", view === "list" ? "Show as posters" : "Show as a list");
  byId("view").title = byId("view").getAttribute("aria-label");
  byId("cards").classList.toggle("list", view === "list");
  find();
}

/**
 * Lists the collections. A collection in the address stays in the list even if the collection no
 * longer exists.
 */
function drawCollections() {
  const { collection: number } = choice();
  const known = collections.all().map(({ id, name }) => [id, name]);
  const isKnown = number === 0 || known.some(([id]) => id === number);
  const wanted = [[0, "Whole library"], ...known, ...(isKnown ? [] : [[number, "No such collection"]])];
  const before = [...collection.options].map(({ value, text }) => [Number(value), text]);
  if (JSON.stringify(wanted) !== JSON.stringify(before)) {
    collection.replaceChildren(...wanted.map(([id, name]) => el("option", { value: String(id), text: name })));
  }
  collection.value = String(number);
  show(collection, wanted.length > 1);
}

/**
 * Requests the items of the choice, or more of these items. A quiet request comes from the page
 * instead of the user. If the server is not reachable, a quiet request shows no error, and the next
 * connection repeats the request.
 */
export async function find(isMore = false, { isQuiet = false } = {}) {
  searches += 1;
  const number = searches;
  const { words, collection: id } = choice();
  const members = membersOf(id);
  if (!isChosen()) {
    found = nothing;
    redraw();
    return;
  }
  let page;
  try {
    page = await store.find({ ...options(), ...(isMore ? { after: found.next } : { count: Math.min(1000, Math.max(200, found.ids.length)) }) });
  } catch (error) {
    if (number === searches && !(isQuiet && error.status === 0)) await showError("The search failed", error);
    return;
  }
  // A later search has other words.
  if (number !== searches) return;
  const ids = page.items.map((each) => each.id);
  const isAnother = found.total !== page.total || found.words !== words;
  found = { words, members, ids: isMore ? [...found.ids, ...ids] : ids, total: page.total, next: page.next };
  if (!isMore && words && isAnother) announce(`${format.whole(page.total)} found`);
  redraw();
}

/** Shows the items with these words. */
export const showItems = (words) => places.go("library", { q: words });

/** Shows the tools as soon as the user can choose from something. */
export function showTools(isShown) {
  show(field, isShown);
  show(tools, isShown);
}

/** Connects the tools. `draw` shows the items. */
export function start(draw) {
  adopt(style);
  redraw = draw;
  selection.onChange(() => byId("select").setAttribute("aria-pressed", String(selection.isOn())));
  let wait = 0;
  byId("search").addEventListener("input", () => {
    clearTimeout(wait);
    // The search starts when the user pauses typing.
    wait = setTimeout(() => choose({ words: byId("search").value.trim() }, false), 150);
  });
  places.onChange(({ name }) => {
    if (name === "library") follow();
  });
  const again = () => {
    if (places.isShown("library") && isChosen()) find(false, { isQuiet: true });
  };
  collections.onChange(() => {
    drawCollections();
    if (!places.isShown("library") || choice().collection === 0) return;
    redraw();
    if (membersOf(choice().collection) !== found.members) find(false, { isQuiet: true });
  });
  store.on("snapshot", again);
  store.on("ready", again);
}
