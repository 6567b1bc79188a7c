// SPDX-License-Identifier: Apache-2.0
// The gestures that select cards. Users select with Ctrl or Shift and a click, with a long press,
// and with keys.

import { byId } from "../shared/dom.js";
import * as places from "../shared/places.js";
import * as store from "../shared/store.js";
import * as selection from "./selection.js";

/** The time of a long press in milliseconds, and the maximum movement of the finger in pixels. */
const longPress = 500;
const slack = 10;

/** Returns the item of the card around an element, but nothing for the card's menu. */
function itemAt(target) {
  const card = target.closest?.("#cards > .card");
  if (!card || target.closest(".acts, .folded")) return undefined;
  return store.item(Number(card.dataset.id));
}

function click(event) {
  const item = itemAt(event.target);
  if (!item) return;
  const isNative = !selection.isOn() && event.target.closest("a");
  const isAddition = event.ctrlKey || event.metaKey;
  // With Ctrl or Shift, the browser opens a link elsewhere.
  if (isNative || !(selection.isOn() || event.shiftKey || isAddition)) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.shiftKey) selection.extend(item);
  else selection.toggle(item);
}

function watchTouch(cards) {
  let timer = 0;
  let from;
  let isPressed = false;
  const cancel = () => clearTimeout(timer);
  cards.addEventListener("pointerdown", (event) => {
    cancel();
    isPressed = false;
    const item = event.pointerType === "touch" && event.isPrimary ? itemAt(event.target) : undefined;
    from = item && { x: event.clientX, y: event.clientY };
    if (!item) return;
    timer = setTimeout(() => {
      isPressed = true;
      selection.toggle(item);
    }, longPress);
  });
  cards.addEventListener("pointermove", (event) => {
    if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > slack) cancel();
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) cards.addEventListener(end, cancel);
  // For a long press, the browser opens a context menu, and sends a click afterwards.
  cards.addEventListener("contextmenu", (event) => {
    if (event.pointerType === "touch" && itemAt(event.target)) event.preventDefault();
  });
  cards.addEventListener("click", (event) => {
    if (!isPressed) return;
    isPressed = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
}

/** Handles the keys on a card, which the bar lists. */
function press(event) {
  const item = itemAt(event.target);
  const { key } = event;
  const isSpace = key === " " && event.ctrlKey;
  if (!item || !(isSpace || (/^[xb]$/i.test(key) && !event.ctrlKey && !event.metaKey && !event.altKey))) return;
  if (key.toLowerCase() === "b" && !selection.isOn()) return;
  event.preventDefault();
  if (key.toLowerCase() === "b") byId("selection").querySelector("button:enabled").focus();
  else if (event.shiftKey) selection.extend(item);
  else selection.toggle(item);
}

function pressAnywhere(event) {
  const isElsewhere = !places.isShown("library") || !selection.isOn() || event.defaultPrevented
    || byId("main").inert || document.querySelector("dialog[open]") || event.target.closest?.("input, select, textarea");
  if (isElsewhere) return;
  if (event.key === "Escape") selection.end();
  else if (event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
    event.preventDefault();
    byId("select-all").click();
  }
}

/** Connects the gestures to the list of cards. */
export function start() {
  const cards = byId("cards");
  watchTouch(cards);
  cards.addEventListener("click", click, true);
  cards.addEventListener("keydown", press);
  // Releasing Space presses a button.
  cards.addEventListener("keyup", (event) => { if (event.key === " " && event.ctrlKey && itemAt(event.target)) event.preventDefault(); });
  // Shift would select the text between two clicks.
  cards.addEventListener("mousedown", (event) => { if (event.shiftKey && itemAt(event.target)) event.preventDefault(); });
  addEventListener("keydown", pressAnywhere);
}
