// SPDX-License-Identifier: Apache-2.0
// Downloads: the box for an address, and what is on its way.

import { api } from "/api.js";
import { tell } from "/dialog.js";
import { announce, byId, el, reconcile, setText, show } from "/dom.js";
import * as format from "/format.js";
import { askToRemove, isPlayable } from "/library.js";
import { play } from "/player.js";
import * as store from "/store.js";

const views = new Map();
const finishedViews = new Map();
const finishedIDs = new Set();

const words = {
  queued: "Waiting for its turn",
  fetchingPlaylist: "Reading the playlist",
  fetching: "Downloading",
  muxing: "Joining the parts into one file",
  verifying: "Checking the file",
  ready: "In Library",
  failed: "Failed",
};

const isActive = (item) => !["ready", "failed", "missing", "queued"].includes(item.state);

/** Draws the section. */
export function draw() {
  const open = store.all().filter((item) => !["ready", "missing"].includes(item.state));
  const finished = store.all().filter((item) => item.state === "ready" && finishedIDs.has(item.id));
  reconcile(byId("rows"), views, open, (item) => item.id, makeRow);
  reconcile(byId("finished-rows"), finishedViews, finished, (item) => item.id, makeFinished);
  show(byId("finished"), finished.length > 0);
  show(byId("downloads-none"), open.length === 0 && finished.length === 0);
  const active = open.filter(isActive);
  const speed = active.reduce((sum, item) => sum + (item.bytesPerSecond ?? 0), 0);
  const queue = store.queueCounts();
  setText(byId("downloads-summary"), [
    queue.running > 0 && `${queue.running} running`,
    queue.waiting > 0 && `${queue.waiting} waiting`,
    queue.offline > 0 && `${queue.offline} waiting for the network`,
    speed > 0 && `${format.bytes(speed)}/s`,
  ].filter(Boolean).join(" · "));
  setText(byId("downloads-count"), String(open.length));
  show(byId("downloads-count"), open.length > 0);
}

function makeRow(first) {
  let item = first;
  const title = el("h2");
  const place = el("p", { class: "address" });
  const state = el("p", { class: "state" });
  const facts = el("p", { class: "facts" });
  const bar = el("progress", { max: "1" });
  const note = el("p", { class: "note" });
  const error = el("p", { class: "error" });
  const retry = button("Retry", () => attempt("It could not be tried again", () => api.retry(item.id)));
  const allow = button("Allow private address and retry", () => allowPrivate(item));
  const remove = button("Remove", () => askToRemove(item));
  const element = el("li", { class: "row-item" },
    el("div", { class: "what" }, title, place),
    el("div", { class: "acts" }, allow, retry, remove),
    bar, el("div", { class: "line" }, state, facts), note, error);
  return { element, update };

  function update(next) {
    item = next;
    element.dataset.id = item.id;
    element.dataset.state = item.state;
    setText(title, item.title);
    setText(place, item.address);
    setText(state, words[item.state] ?? item.state);
    setText(facts, describe(item));
    drawBar(bar, item);
    setText(note, [item.note, item.waiting].filter(Boolean).join(" · "));
    show(note, Boolean(item.note || item.waiting));
    const failed = item.state === "failed";
    setText(error, failed ? explain(item.error) : "");
    show(error, failed);
    show(retry, failed);
    show(allow, failed && item.error?.code === "privateAddress");
    for (const [act, name] of [[retry, "Retry"], [remove, "Remove"], [allow, "Allow and retry"]]) {
      act.setAttribute("aria-label", `${name}: ${item.title}`);
    }
  }
}

/** An error in words that fit a page: where the command line names a flag, there is a button here. */
export function explain(error) {
  if (error?.code === "privateAddress") {
    return "This is a private address, such as one at home. Allow it if you know whose it is.";
  }
  return error?.message ?? "It failed for an unknown reason.";
}

/** Bytes, segments, speed and time, as far as they are known. */
function describe(item) {
  const parts = [];
  if (item.state === "queued") return "";
  if (Number.isFinite(item.fraction) && isActive(item)) parts.push(format.percent(item.fraction));
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

function drawBar(bar, item) {
  show(bar, isActive(item) || (item.state === "failed" && item.fraction > 0));
  bar.setAttribute("aria-label", `Progress of ${item.title}`);
  if (Number.isFinite(item.fraction)) bar.value = item.fraction;
  else bar.removeAttribute("value");
}

function makeFinished(first) {
  let item = first;
  const title = el("h2");
  const state = el("p", { class: "state", text: words.ready });
  const start = button("Play", () => play(item));
  const open = el("a", { class: "button", href: "#library", text: "Open Library" });
  const element = el("li", { class: "row-item", "data-state": "ready" },
    el("div", { class: "what" }, title, state), el("div", { class: "acts" }, start, open));
  return {
    element,
    update(next) {
      item = next;
      element.dataset.id = item.id;
      setText(title, item.title);
      start.setAttribute("aria-label", `Play ${item.title}`);
      show(start, isPlayable(item));
    },
  };
}

const button = (text, onclick) => el("button", { type: "button", text, onclick });

async function attempt(title, work) {
  try {
    await work();
  } catch (error) {
    await tell(title, error);
  }
}

/** The same address with the permission is another item; the refused one leaves. */
function allowPrivate(item) {
  return attempt("It could not be tried again", async () => {
    const next = await api.download({
      url: item.address, rendition: item.rendition, allowPrivate: true,
    });
    if (next.id !== item.id) await api.remove(item.id, true);
  });
}

async function submit(event) {
  event.preventDefault();
  const address = byId("address");
  const url = address.value.trim();
  setText(byId("add-error"), "");
  if (!url) {
    setText(byId("add-error"), "Paste an address first.");
    address.focus();
    return;
  }
  const send = event.target.querySelector("[type=submit]");
  send.disabled = true;
  try {
    const allowPrivateAddress = byId("allow-private");
    const item = await api.download({
      url, rendition: byId("rendition").value, allowPrivate: allowPrivateAddress.checked,
    });
    address.value = "";
    allowPrivateAddress.checked = false;
    show(byId("allow-private-row"), false);
    if (item.state === "ready") {
      setText(byId("add-error"), `“${item.title}” is in your library already.`);
    } else {
      announce(`${item.title} was added.`);
    }
  } catch (error) {
    setText(byId("add-error"), error.message);
    show(byId("allow-private-row"), error.code === "privateAddress");
    address.focus();
  } finally {
    send.disabled = false;
  }
}

/** Puts an address into the box; the person decides. */
export function offer(address) {
  byId("address").value = address;
  byId("add").querySelector("[type=submit]").focus();
}

/** Connects the section to the page. */
export function start() {
  byId("add").addEventListener("submit", submit);
  store.on("ready", (item) => {
    finishedIDs.add(item.id);
    announce(`${item.title} is in your library.`);
  });
  store.on("failed", (item) => announce(`${item.title} failed: ${item.error?.message ?? ""}`));
  store.on("items", draw);
}
