// SPDX-License-Identifier: Apache-2.0
// One download in a line with the title and the actions, the progress bar, and the known facts.

import { askToRemove } from "../library/removal.js";
import { showItems } from "../library/shelf.js";
import { api } from "../shared/api.js";
import { showError } from "../shared/dialog.js";
import { adopt, button, css, el, icon, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import { explain, remedies } from "../shared/remedies.js";
import * as store from "../shared/store.js";
import { followInstead, isFollowed } from "./feeds.js";
import { look } from "./look.js";
import { moveButtons } from "./queue.js";
import { addressForm } from "./readdress.js";

/** @typedef {import("API").ItemRepresentation} Item */

adopt(css`
  .rows { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 40rem), 1fr)); gap: 0.6rem; align-items: start; }
  .row-item {
    display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 0.5rem 1rem; padding: 0.85rem 1.15rem;
    background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); min-width: 0;
  }
  .row-item > progress, .row-item > .note, .row-item > .error, .row-item > .renew { grid-column: 1 / -1; }
  .row-item .what { min-width: 0; }
  .row-item h3 { font-size: 1rem; font-weight: 600; line-height: 1.35; overflow-wrap: anywhere; display: -webkit-box; -webkit-line-clamp: 2; line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
  .row-item .address { color: var(--soft); font-size: 0.8125rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  .row-item .acts { display: flex; flex-wrap: wrap; gap: 0.4rem; justify-content: flex-end; align-items: center; }
  .row-item .acts button, .row-item .acts .button { min-height: 2.25rem; font-size: 0.875rem; padding-inline: 0.8rem; }
  .line { display: flex; flex-wrap: wrap; gap: 0.1rem 0.6rem; font-size: 0.875rem; }
  .line .facts { color: var(--soft); font-variant-numeric: tabular-nums; }
  .state { font-weight: 560; }
  .row-item[data-state="ready"] .state { color: var(--accent); font-size: 0.875rem; }
  .note { font-size: 0.875rem; color: var(--warn); overflow-wrap: anywhere; }
  .row-item > .error { white-space: pre-line; overflow-wrap: anywhere; }
  .row-item .acts .icon { padding: 0; }
  @media (max-width: 600px), (pointer: coarse) { .row-item .acts :is(button, .button) { min-height: 2.75rem; } }
  @media (max-width: 600px) {
    .row-item { padding: 0.7rem 0.4rem 0.85rem 1rem; }
    .row-item > progress, .row-item > .note, .row-item > .error, .row-item > .renew { margin-right: 0.6rem; }
    .row-item .acts { gap: 0; }
    .row-item:is(:not([data-state]), [data-state="queued"], [data-state="failed"], [data-state="ready"]) { grid-template-columns: minmax(0, 1fr); }
    .row-item:is(:not([data-state]), [data-state="queued"], [data-state="failed"], [data-state="ready"]) .acts { justify-content: flex-start; gap: 0.25rem; order: 9; }
    .row-item:not([data-state]) .acts { gap: 0.4rem; }
    .row-item[data-state="queued"] .acts { margin-left: -0.7rem; }
  }
`);

const words = {
  queued: "Waiting for its turn",
  fetchingPlaylist: "Reading the playlist",
  fetching: "Downloading",
  muxing: "Joining the parts into one file",
  verifying: "Checking the file",
  unverified: "Imported, waits for its check",
  paused: "Paused",
};

const running = ["fetchingPlaylist", "fetching", "muxing", "verifying"];

/** The groups of the unfinished items in display order. */
export const groups = [
  { name: "running", title: "Running", states: running },
  { name: "waiting", title: "Waiting", states: ["queued", "unverified"] },
  { name: "paused", title: "Paused", states: ["paused"] },
  { name: "failed", title: "Failed", states: ["failed"] },
];

/** @param {Item} item */
export const isActive = (item) => running.includes(item.state);

/** @param {Item} item */
const isRecording = (item) => isActive(item) && item.live !== undefined && !item.live.isOver;

/**
 * Returns the present activity of an item. The row shows a reason to wait beside this text, so the
 * text must not contradict the reason.
 *
 * @param {Item} item
 */
export function stateText(item) {
  if (isRecording(item)) return item.waiting ? "Waiting for the stream" : "Recording";
  if (item.waiting) return "Waiting to go on";
  return words[item.state] ?? item.state;
}

/**
 * Returns the known facts of a download, which are progress, segments, bytes, speed and time.
 *
 * @param {Item} item
 */
export function facts(item) {
  const parts = [];
  if (item.state === "queued") return "";
  if (Number.isFinite(item.fraction) && isActive(item)) parts.push(format.percent(item.fraction));
  if (item.recordedSeconds !== undefined && item.state === "fetching") {
    parts.push(`${format.clock(item.recordedSeconds)} recorded`, `${item.doneSegments ?? 0} parts`);
  }
  if (item.doneSegments !== undefined && item.totalSegments) {
    parts.push(`${item.doneSegments} of ${item.totalSegments} parts`);
  }
  if (item.receivedBytes > 0) {
    parts.push(item.totalBytes
      ? `${format.bytes(item.receivedBytes)} of ${format.bytes(item.totalBytes)}`
      : format.bytes(item.receivedBytes));
  }
  if (item.bytesPerSecond > 0) parts.push(`${format.bytes(item.bytesPerSecond)}/s`);
  if (Number.isFinite(item.remainingSeconds)) parts.push(format.remaining(item.remainingSeconds));
  return parts.join(" · ");
}

/**
 * Draws the progress of an item.
 *
 * @param {HTMLProgressElement} bar
 * @param {Item} item
 */
export function drawBar(bar, item) {
  show(bar, isActive(item) || (["failed", "paused"].includes(item.state) && item.fraction > 0));
  bar.setAttribute("aria-label", `Progress of ${item.title}`);
  if (Number.isFinite(item.fraction)) bar.value = item.fraction;
  else bar.removeAttribute("value");
}

/**
 * Returns the reason why the queue does not start an item. The server reports this reason outside
 * of the item's events.
 *
 * @param {Item} item
 */
function hold(item) {
  if (store.isDiskFull()) return "The disk is full. Free some space, and this download begins.";
  const hours = !(item.live && !item.live.isOver) && store.hoursBegin();
  return hours && `The download hours begin at ${hours}.`;
}

/**
 * Returns the reasons why an item waits or is paused, and other notes about the item.
 *
 * @param {Item} item
 */
function reasons(item) {
  return [
    item.note, item.waiting, item.state === "queued" && !item.waiting && hold(item),
    item.state === "paused" && item.error?.message,
  ].filter(Boolean).join(" · ");
}

/** Shows an error if the work fails. */
export async function attempt(title, work) {
  try {
    await work();
  } catch (error) {
    await showError(title, error);
  }
}

/**
 * Returns the choice of an item for another request. The choice leaves nothing to the settings.
 *
 * @param {Item} item
 */
const chosen = ({ quality, audio = "all", subtitles = "all", keptChapters: chapters }) =>
  ({ quality, audio, subtitles, chapters });

/**
 * Downloads the address as a new item with the permission, and removes the refused item.
 *
 * @param {Item} item
 */
async function allow(item) {
  const next = await api.download({ url: item.address, ...chosen(item), allowPrivate: true });
  if (next.id !== item.id) await api.remove(item.id, true);
}

/**
 * Records the live stream of a refused item.
 *
 * @param {Item} item
 */
const record = (item) => api.download({
  // A running stream has no part to choose.
  url: item.address, ...chosen(item), chapters: undefined, allowPrivate: item.allowsPrivateAddresses, live: {},
});

/** @param {Item} item */
const choose = (item) =>
  look({ url: item.address, id: item.id, ...chosen(item), allowPrivate: item.allowsPrivateAddresses });

/**
 * Shows the item that already has the file of a refused item. The server's message contains the
 * number.
 *
 * @param {Item} item
 */
async function find(item) {
  const other = await store.get(Number(/\bitem (\d+)/.exec(item.error.message)?.[1]));
  showItems(other?.title ?? item.title);
}

/**
 * The actions. Each entry has the label, the name for screen readers, the title of a failure, and
 * the work.
 *
 * @type {Record<string, [string, string, string, (item: Item) => Promise<any>]>}
 */
const actions = {
  choose: ["Choose", "Choose", "The media could not be shown", choose],
  allow: ["Allow private address and retry", "Allow private address and retry", "The download could not be retried", allow],
  record: ["Record", "Record", "The stream could not be recorded", record],
  follow: ["Follow", "Follow", "The feed could not be followed", followInstead],
  find: ["Show in the library", "Show in the library", "The item was not found", find],
  stop: ["Stop", "Stop and keep", "The recording could not be stopped", (item) => api.stop(item.id)],
  retry: ["Retry", "Retry", "The download could not be retried", (item) => api.retry(item.id)],
  resume: ["Resume", "Resume", "The download could not be resumed", (item) => api.retry(item.id)],
  pause: ["Pause", "Pause", "The download could not be paused", (item) => api.pause(item.id)],
  remove: ["Remove", "Remove", "The item was not removed", (item) => askToRemove(item)],
};

/**
 * Returns the names of the actions that an item offers.
 *
 * @param {Item} item
 */
function offered(item) {
  const paused = item.state === "paused";
  return new Set([
    ...remedies(item),
    (isRecording(item) || (paused && item.live !== undefined && !item.live.isOver)) && "stop",
    paused && "resume",
    (item.state === "queued" || isActive(item)) && "pause",
    "remove",
  ]);
}

/**
 * The icons of the actions that every row has. Actions that help after a failure show their names.
 */
const icons = { resume: "play", pause: "pause", remove: "trash" };

const makeButton = (name, text, onclick) => (icons[name]
  ? el("button", { type: "button", class: "icon", title: text, onclick }, icon(icons[name]))
  : button(text, { onclick }));

/**
 * Creates the row of an unfinished item.
 *
 * @param {Item} first
 */
export function makeRow(first) {
  let item = first;
  const title = el("h3");
  const place = el("p", { class: "address" });
  const state = el("p", { class: "state" });
  const known = el("p", { class: "facts" });
  const bar = el("progress", { max: "1" });
  const note = el("p", { class: "note" });
  const error = el("p", { class: "error" });
  const moves = moveButtons();
  const renew = addressForm(() => item);
  const buttons = Object.entries(actions).map(([name, [text, label, failure, work]]) => ({
    name, label, element: makeButton(name, text, () => attempt(failure, () => work(item))),
  }));
  const element = el("li", { class: "row-item" },
    el("div", { class: "what" }, title, el("div", { class: "line" }, state, known), place),
    el("div", { class: "acts" }, moves.element, ...buttons.map((each) => each.element)),
    bar, note, error, renew);
  return { element, update };

  function update(next) {
    item = next;
    element.dataset.id = item.id;
    element.dataset.state = item.state;
    setText(title, item.title);
    setText(place, item.address);
    show(place, item.state === "failed");
    setText(state, stateText(item));
    setText(known, facts(item));
    drawBar(bar, item);
    const reason = reasons(item);
    setText(note, reason);
    show(note, reason !== "");
    const failed = item.state === "failed";
    const isKnown = failed && item.error?.code === "feed" && isFollowed(item.address);
    setText(error, isKnown ? "You follow this feed already. Remove this download." : failed ? explain(item.error, item.kind) : "");
    show(error, failed);
    show(state, !failed);
    moves.update(item);
    const acts = offered(item);
    if (isKnown) acts.delete("follow");
    show(renew, acts.has("renew"));
    for (const each of buttons) {
      show(each.element, acts.has(each.name));
      each.element.setAttribute("aria-label", `${each.label}: ${item.title}`);
    }
  }
}
