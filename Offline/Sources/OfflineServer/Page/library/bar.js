// SPDX-License-Identifier: Apache-2.0
// The bar with the number of the selected items and the actions for them.

import { isPlayable } from "../player/playback.js";
import { playNext } from "../player/player.js";
import { saveAddress } from "../shared/api.js";
import { ask, showError } from "../shared/dialog.js";
import { adopt, byId, css, el, icon, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as places from "../shared/places.js";
import { collect, takeOut } from "./collectdialog.js";
import * as removal from "./removal.js";
import * as selection from "./selection.js";
import * as shelf from "./shelf.js";

const style = css`
  .selection {
    position: fixed; z-index: 6; inset: auto var(--gutter) 1rem calc(var(--bar) + var(--gutter)); margin-inline: auto; width: fit-content;
    display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.6rem; padding: 0.45rem 0.45rem 0.45rem 1.1rem;
    background: var(--raised); color: var(--ink); border: 1px solid var(--edge); border-radius: 1.1rem; box-shadow: var(--shadow);
  }
  .selection .count { font-weight: 620; font-variant-numeric: tabular-nums; white-space: nowrap; margin-right: 0.4rem; }
  .selection .all { border: 0; background: none; color: var(--accent); min-height: 2.75rem; padding-inline: 0.6rem; }
  .selection .acts { display: flex; gap: 0.15rem; }
  .selection .acts button { min-height: 2.75rem; border-color: transparent; background: none; gap: 0.45rem; padding-inline: 0.75rem; font-size: 0.9375rem; }
  .selection :is(.all, .acts button):hover:enabled { background: var(--sunken); }
  .selection .acts .danger { color: var(--danger); }
  .selection .icon { min-height: 2.75rem; width: 2.75rem; }
  .selection .keys { flex-basis: 100%; color: var(--soft); font-size: 0.8125rem; }
  .selection kbd { font: inherit; font-weight: 620; color: var(--ink); }
  main:has(.selection:not([hidden])) { padding-bottom: 9rem; }
  html:has(.selection:not([hidden])) { scroll-padding-bottom: 8rem; }
  body:has(.player[data-mode="bar"]) .selection { bottom: 5.6rem; }
  html:has(.player[data-mode="bar"]):has(.selection:not([hidden])) { scroll-padding-bottom: 13rem; }
  body:has(.player[data-mode="bar"]) main:has(.selection:not([hidden])) { padding-bottom: 14rem; }
  body:has(.selection:not([hidden])) .toasts { bottom: 7.5rem; }

  .card .mark {
    position: absolute; top: 0.5rem; right: 0.5rem; width: 1.6rem; height: 1.6rem; border-radius: 50%; border: 2px solid #fff; display: none; place-items: center;
    background: rgb(0 0 0 / 62%);
  }
  .card .mark svg { width: 1rem; height: 1rem; stroke-width: 3; }
  .selecting .card .mark { display: grid; }
  .selecting .card :is(.disc, .watched) { display: none; }
  .selecting .card { cursor: pointer; }
  .card:not(.selected) .mark svg { visibility: hidden; }
  .card.selected .open { box-shadow: 0 0 0 3px var(--accent); }
  .card.selected .mark { background: var(--accent); color: var(--accent-ink); border-color: var(--accent-ink); }
  @media (hover: none) { .card .open { -webkit-touch-callout: none; user-select: none; } .selection .keys { display: none; } }
  @media (max-width: 60rem) { .selection .keys { display: none; } }
  @media (prefers-reduced-motion: no-preference) {
    .selection { animation: rise 0.2s ease-out; }
    @keyframes rise { from { translate: 0 120%; } }
  }
  @media (max-width: 60em) {
    .selection .acts button { flex-direction: column; gap: 0.15rem; font-size: 0.75rem; padding: 0.3rem 0.5rem; }
  }
  @media (max-width: 600px) {
    .selection {
      inset: auto 0 0; width: auto; border-width: 1px 0 0; border-radius: 1.1rem 1.1rem 0 0; z-index: 7;
      padding: 0.35rem 0.5rem calc(0.35rem + env(safe-area-inset-bottom)) 1rem;
    }
    .selection .acts { order: 9; flex: 1 0 100%; margin-left: -0.5rem; }
    .selection .acts button { flex: 1 1 0; min-width: 0; padding-inline: 0.1rem; min-height: 3rem; font-size: 0.6875rem; }
    .selection .all { margin-left: auto; }
    html:has(.selection:not([hidden])) { scroll-padding-bottom: 9rem; }
    body:has(.selection:not([hidden])) :is(nav, .field) { visibility: hidden; }
    body:has(.player[data-mode="bar"]) .selection { bottom: 4.6rem; }
    body:has(.selection:not([hidden])) .player[data-mode="bar"] { bottom: 0; }
    body:has(.selection:not([hidden])) .toasts { bottom: 8.75rem; }
  }
  @media (max-width: 600px) and (max-height: 420px) { .selection { position: static; } }
  @media (forced-colors: active) {
    .card .mark { background: Canvas; border-color: CanvasText; }
    .card.selected .mark { background: Highlight; color: HighlightText; border-color: Highlight; forced-color-adjust: none; }
    .card.selected .open { outline: 3px solid Highlight; outline-offset: 1px; }
    .card.selected .open:focus-visible { outline: 3px double CanvasText; outline-offset: 3px; }
  }
`;

/**
 * The number of files that are saved without a question, and the milliseconds between two files.
 */
const fewFiles = 10;
const pause = 300;

const count = el("p", { class: "count" });
const action = (name, text, picture, run, kind) => el("button", {
  id: `selection-${name}`, type: "button", class: kind ?? "", onclick: () => run(selection.items()),
}, icon(picture), el("span", { text }));
const acts = [
  action("next", "Play next", "play-next", queue),
  action("collect", "Collection…", "collection", gather),
  action("out", "Take out", "close", takeAllOut),
  action("save", "Save", "save", save),
  action("remove", "Remove", "trash", remove, "danger"),
];

/** The bar. Hidden without a selection. */
export const element = el("div", { id: "selection", class: "selection", role: "region", "aria-label": "Selection", hidden: true },
  count,
  el("button", { id: "select-all", type: "button", class: "all", text: "Select all", onclick: selectAll }),
  el("div", { class: "acts" }, ...acts),
  el("button", { id: "selection-end", type: "button", class: "icon", title: "End the selection", "aria-label": "End the selection", onclick: selection.end },
    icon("close")),
  el("p", { class: "keys" }, "On a card: ", ...[["X", "selects, "], ["Shift X", "up to here, "], ["B", "leads to this bar, "], ["Esc", "ends"]]
    .flatMap(([key, text]) => [el("kbd", { text: key }), ` ${text}`])));

/** The element that had the focus before the bar. */
let origin;

function draw() {
  const isOn = selection.isOn();
  const number = selection.count();
  if (!isOn && element.contains(document.activeElement)) returnFocus();
  show(element, isOn);
  setText(count, number === 0 ? "None selected" : `${format.whole(number)} selected`);
  for (const each of acts) each.disabled = number === 0;
  show(byId("selection-out"), shelf.choice().collection > 0);
  // Text files do not play.
  if (isOn) byId("selection-next").disabled = !selection.items().some(isPlayable);
}

function returnFocus() {
  const target = origin?.isConnected && origin.checkVisibility() ? origin : byId("select");
  target.focus({ preventScroll: true });
}

async function selectAll() {
  try {
    await selection.addAll(shelf.options());
  } catch (error) {
    await showError("Not all items could be selected", error);
  }
}

async function gather(items) {
  if (await collect(items)) selection.end();
}

async function takeAllOut(items) {
  if (await takeOut(shelf.choice().collection, items)) selection.end();
}

function queue(items) {
  selection.end();
  playNext(items);
}

/**
 * Saves a copy of each item, one after the other, because a browser refuses many downloads
 * together.
 */
async function save(items) {
  if (items.length > fewFiles) {
    const answer = await ask({
      title: `Save ${format.whole(items.length)} files?`,
      body: ["Your browser saves them one after the other, and may ask whether this page may do so."],
      buttons: [{ label: "Cancel" }, { label: "Save", value: true, kind: "primary" }],
    });
    if (!answer) return;
  }
  selection.end();
  for (const [index, item] of items.entries()) {
    if (index > 0) await new Promise((resolve) => { setTimeout(resolve, pause); });
    el("a", { href: saveAddress(item.id), download: true }).click();
  }
}

/** Removes the items. The first visible card of the items offers one Undo for all. */
async function remove(items) {
  const cards = items.map((item) => byId("cards").querySelector(`:scope > .card[data-id="${item.id}"]`)).filter(Boolean);
  if (cards.length === 0) {
    if (await removal.askToRemoveAll(items)) selection.end();
    return;
  }
  const isVisible = (card) => {
    const { top, bottom } = card.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  };
  const leader = cards.find(isVisible) ?? cards[0];
  removal.begin(items, Number(leader.dataset.id));
  leader.querySelector(".undo").focus();
  selection.end();
}

/** Connects the bar to the selection. */
export function start() {
  adopt(style);
  selection.onChange(draw);
  byId("library-section").addEventListener("focusin", ({ target }) => { if (!element.contains(target)) origin = target; });
  places.onChange(draw);
  draw();
}
