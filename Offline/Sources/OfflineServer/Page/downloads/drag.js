// SPDX-License-Identifier: Apache-2.0
// Drags a waiting download to another place in the queue, with a mouse, a pen or a finger. With the
// keyboard, the buttons of the row do the same.

import { api } from "../shared/api.js";
import { showError } from "../shared/dialog.js";
import { adopt, announce, css, el, icon } from "../shared/dom.js";
import * as store from "../shared/store.js";

adopt(css`
  .grip { display: grid; place-items: center; flex: none; min-width: 2rem; min-height: 2.25rem; color: var(--soft); cursor: grab; touch-action: none; }
  .row-item[data-dragged] { opacity: 0.55; cursor: grabbing; }
  .row-item[data-drop="before"] { box-shadow: 0 -3px 0 0 var(--accent); }
  .row-item[data-drop="after"] { box-shadow: 0 3px 0 0 var(--accent); }
  body:has([data-dragged]) { cursor: grabbing; user-select: none; }
  @media (hover: none) { .grip { min-width: 2.75rem; min-height: 2.75rem; } }
  @media (forced-colors: active) {
    .row-item[data-drop="before"] { border-top: 4px solid Highlight; }
    .row-item[data-drop="after"] { border-bottom: 4px solid Highlight; }
  }
`);

/**
 * The distance from an edge of the window within which the window scrolls, and the scroll step, in
 * pixels.
 */
const edge = 70;
const step = 14;

/** Creates the grip of a row. `item` returns the row's item. */
export function makeGrip(item) {
  const grip = el("span", { class: "grip", title: "Drag to another place", "aria-hidden": "true" }, icon("grip"));
  grip.addEventListener("pointerdown", (event) => {
    if (event.button === 0) drag(event, grip, item());
  });
  return grip;
}

function drag(start, grip, item) {
  const row = grip.closest("li");
  const { pointerId } = start;
  let point = start;
  let place;
  start.preventDefault();
  grip.setPointerCapture(pointerId);
  row.dataset.dragged = "";
  const timer = setInterval(scroll, 16);
  const ending = new AbortController();
  const listen = (target, name, act) => target.addEventListener(name, act, { signal: ending.signal });
  listen(grip, "pointermove", (event) => {
    point = event;
    follow();
  });
  listen(grip, "pointerup", () => end(true));
  // If the item has started to download, the row has no grip any more.
  listen(grip, "lostpointercapture", () => end(false));
  listen(document, "keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    end(false);
  });

  function scroll() {
    const top = innerHeight - edge;
    if (point.clientY < edge) scrollBy(0, -step);
    else if (point.clientY > top) scrollBy(0, step);
    else return;
    follow();
  }

  /** Marks the drop target below the pointer. */
  function follow() {
    const below = document.elementFromPoint(point.clientX, point.clientY)?.closest("#rows [data-state='queued']");
    clear();
    if (!below || below === row) return;
    const { top, height } = below.getBoundingClientRect();
    place = { row: below, isAfter: point.clientY > top + height / 2 };
    below.dataset.drop = place.isAfter ? "after" : "before";
  }

  function clear() {
    if (place) delete place.row.dataset.drop;
    place = undefined;
  }

  function end(isDropped) {
    ending.abort();
    clearInterval(timer);
    if (grip.hasPointerCapture(pointerId)) grip.releasePointerCapture(pointerId);
    delete row.dataset.dragged;
    const chosen = place;
    clear();
    if (isDropped && chosen) move(item, chosen);
  }
}

/** Moves an item before or after the item of a row. */
async function move(item, { row, isAfter }) {
  const other = store.item(Number(row.dataset.id));
  if (!other) return;
  try {
    await api.move(item.id, "before", other.id);
    // After the last row, there may be items that the page has not loaded.
    if (isAfter) await api.move(item.id, "down");
    announce(`${item.title} moved ${isAfter ? "after" : "before"} ${other.title}.`);
  } catch (error) {
    await showError("The download could not be moved", error);
  }
}
