// SPDX-License-Identifier: Apache-2.0
// Changes the order of the items of a collection by dragging a card, with keys, or in the menu of a
// card.

import { api } from "../shared/api.js";
import * as collections from "../shared/collections.js";
import { showError } from "../shared/dialog.js";
import { announce, byId } from "../shared/dom.js";
import * as store from "../shared/store.js";
import * as selection from "./selection.js";
import * as shelf from "./shelf.js";

/**
 * The distance in pixels that the pointer moves before a card moves, and the distance from an edge
 * of the window within which the page scrolls.
 */
const slack = 8;
const edge = 60;

/** Whether the cards show a collection in the collection's own order. */
export const isPossible = () => {
  const { collection, order } = shelf.choice();
  return order === "collection" && collections.get(collection) !== undefined;
};

const cards = () => [...document.querySelectorAll("#cards > .card")];
const idOf = (card) => Number(card.dataset.id);

/**
 * Returns the number of the card before or after an item's card, or undefined at the end of the
 * list.
 */
export function neighbor(id, step) {
  const ids = cards().map(idOf);
  return ids[ids.indexOf(id) + step];
}

/** Moves an item one card up or down. */
export async function step(item, direction) {
  const other = neighbor(item.id, direction);
  if (other === undefined) return;
  if (await move(item.id, other, direction > 0)) announce(`${item.title} moved ${direction > 0 ? "down" : "up"}.`);
}

/** Moves an item before or after another item. Returns whether this succeeded. */
async function move(id, other, isAfter) {
  const { collection: number } = shelf.choice();
  // Another browser may have added items, which the new order must not lose.
  await collections.load();
  const collection = collections.get(number);
  if (!collection || id === other || ![id, other].every((each) => collection.items.includes(each))) return false;
  const items = collection.items.filter((each) => each !== id);
  items.splice(items.indexOf(other) + (isAfter ? 1 : 0), 0, id);
  collections.put({ ...collection, items });
  try {
    collections.put(await api.changeCollection(number, { items }));
    return true;
  } catch (error) {
    collections.put(collection);
    await showError("The order was not changed", error);
    return false;
  }
}

/** The card under the pointer, and whether the dragged card would be placed after that card. */
function targetAt(x, y, dragged) {
  const card = document.elementFromPoint(x, y)?.closest("#cards > .card");
  if (!card || card === dragged) return undefined;
  const { left, top, width, height } = card.getBoundingClientRect();
  const isList = byId("cards").classList.contains("list");
  return { card, isAfter: isList ? y > top + height / 2 : x > left + width / 2 };
}

function mark(target) {
  for (const each of document.querySelectorAll("#cards > :is(.before, .after)")) each.classList.remove("before", "after");
  target?.card.classList.add(target.isAfter ? "after" : "before");
}

function watchPointer(list) {
  let card;
  let from;
  let isDragging = false;
  let target;
  const end = () => {
    card?.classList.remove("dragged");
    mark();
    card = target = undefined;
    // The click after the drag must not open the card.
    setTimeout(() => { isDragging = false; }, 0);
  };
  list.addEventListener("pointerdown", (event) => {
    isDragging = false;
    const found = event.target.closest("#cards > .card:not(.gone)");
    const isDrag = event.pointerType !== "touch" && event.button === 0 && found && isPossible() && !selection.isOn()
      && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.target.closest(".acts");
    card = isDrag ? found : undefined;
    from = { x: event.clientX, y: event.clientY };
  });
  addEventListener("pointermove", ({ clientX: x, clientY: y, buttons }) => {
    if (!card) return;
    if (buttons === 0) {
      end();
      return;
    }
    if (!isDragging && Math.hypot(x - from.x, y - from.y) < slack) return;
    isDragging = true;
    card.classList.add("dragged");
    target = targetAt(x, y, card);
    mark(target);
    if (y < edge) scrollBy(0, -20);
    if (y > innerHeight - edge) scrollBy(0, 20);
  });
  addEventListener("pointerup", () => {
    if (!card) return;
    const item = store.item(idOf(card));
    if (isDragging && target && item) {
      const { card: other, isAfter } = target;
      move(item.id, idOf(other), isAfter).then((isMoved) => { if (isMoved) announce(`${item.title} moved.`); });
    }
    end();
  });
  addEventListener("pointercancel", () => { if (card) end(); });
  addEventListener("keydown", (event) => {
    if (!card || event.key !== "Escape") return;
    event.preventDefault();
    end();
  });
  // Without this listener, the browser would drag the link or the picture.
  list.addEventListener("dragstart", (event) => { if (card) event.preventDefault(); });
  list.addEventListener("click", (event) => {
    if (!isDragging) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
}

/** Connects the keys and the pointer to the list of cards. */
export function start() {
  const list = byId("cards");
  watchPointer(list);
  list.addEventListener("keydown", (event) => {
    const direction = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const card = event.target.closest("#cards > .card:not(.gone)");
    if (!direction || !event.altKey || event.ctrlKey || event.metaKey || !card || !isPossible()) return;
    event.preventDefault();
    step(store.item(idOf(card)), direction);
  });
}
