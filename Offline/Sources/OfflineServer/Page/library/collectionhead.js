// SPDX-License-Identifier: Apache-2.0
// The head of the collection that the Library shows, with the name, the menu, and Play all.

import { isPlayable } from "../player/playback.js";
import { play } from "../player/player.js";
import * as collections from "../shared/collections.js";
import { adopt, byId, css, el, icon, menu, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as places from "../shared/places.js";
import * as store from "../shared/store.js";
import * as collect from "./collectdialog.js";
import * as shelf from "./shelf.js";

const style = css`
  .collection { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.9rem; margin-bottom: 1.25rem; }
  .collection h2 { font-size: 1.25rem; overflow-wrap: anywhere; min-width: 0; }
  .collection .summary { margin-right: auto; }
  .collection .primary { min-height: 2.75rem; }
  .card.dragged { opacity: 0.5; }
  .card.before, .card.after { position: relative; }
  .card:is(.before, .after)::before { content: ""; position: absolute; top: 0; bottom: 0; width: 4px; border-radius: 2px; background: var(--accent); }
  .card.before::before { left: -0.75rem; }
  .card.after::before { right: -0.75rem; }
  .cards.list .card:is(.before, .after)::before { left: 0; right: 0; width: auto; height: 4px; }
  .cards.list .card.before::before { top: -0.4rem; bottom: auto; }
  .cards.list .card.after::before { bottom: -0.4rem; top: auto; }
  @media (forced-colors: active) { .card:is(.before, .after)::before { background: Highlight; forced-color-adjust: none; } }
`;

const name = el("h2", { id: "collection-name", tabindex: "-1" });
const summary = el("p", { class: "summary" });
const playAll = el("button", { id: "collection-play", type: "button", class: "primary", onclick: begin }, icon("play"), "Play all");
const more = menu("the collection", { onclick: ({ target }) => { if (!target.closest("summary")) more.open = false; } },
  el("button", { id: "collection-rename", type: "button", onclick: () => act(collect.renameCollection) }, icon("edit"), "Rename"),
  el("button", { id: "collection-delete", type: "button", onclick: () => act(remove) }, icon("trash"), "Delete collection"));

/** The head. Hidden outside a collection. */
export const element = el("div", { id: "collection-head", class: "collection", hidden: true }, name, summary, playAll, more);

const current = () => collections.get(shelf.choice().collection);

/** Shows the collection that the user has chosen. */
export function draw() {
  const { collection: id } = shelf.choice();
  if (!places.isShown("library") || !store.isFilled()) return;
  const collection = current();
  show(element, id !== 0);
  places.setTitle(collection?.name);
  if (id === 0) return;
  const isGone = !collection && collections.isLoaded();
  setText(name, collection?.name ?? (isGone ? "There is no such collection" : ""));
  setText(summary, isGone ? "It was deleted, or the address is wrong."
    : collection ? `${format.whole(collection.items.length)} ${collection.items.length === 1 ? "item" : "items"}` : "");
  show(playAll, collection !== undefined);
  show(more, collection !== undefined);
  playAll.disabled = !collection?.items.some(mayPlay);
}

/** Whether the item may be playable. An item that the page has not loaded counts as playable. */
const mayPlay = (id) => {
  const item = store.item(id);
  return item === undefined || (item.state === "ready" && isPlayable(item));
};

/** Plays the first playable item. The other items follow. */
async function begin() {
  const { id, items } = current();
  for (const number of items.filter(mayPlay)) {
    const item = await store.get(number);
    if (item?.state !== "ready" || !isPlayable(item)) continue;
    play(item, { collection: id });
    return;
  }
}

async function act(action) {
  const collection = current();
  if (collection) await action(collection);
  if (document.activeElement === document.body) (more.checkVisibility() ? more.querySelector("summary") : byId("collection")).focus();
}

async function remove(collection) {
  if (await collect.deleteCollection(collection)) shelf.choose({ collection: 0 }, false);
}

/** Connects the head to the collections. */
export function start() {
  adopt(style);
  collections.onChange(draw);
  places.onChange(draw);
}
