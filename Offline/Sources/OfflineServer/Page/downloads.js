// SPDX-License-Identifier: Apache-2.0
// Downloads: the form for an address, and the unfinished items.

import { api } from "/api.js";
import * as bookmarklet from "/bookmarklet.js";
import { showError } from "/dialog.js";
import { adopt, announce, button, byId, css, el, head, mount, reconcile, setText, show } from "/dom.js";
import * as format from "/format.js";
import { askToRemove, isPlayable } from "/library.js";
import { look } from "/look.js";
import * as offers from "/offer.js";
import { play } from "/player.js";
import { commonActions, inOrder, moveButtons } from "/queue.js";
import { addressForm } from "/readdress.js";
import { refreshMenu } from "/refresh.js";
import * as store from "/store.js";

const common = commonActions();

const markup = [
  head("downloads", "Downloads",
    el("p", { id: "downloads-summary", class: "summary" }),
    refreshMenu("Downloads")),
  el("form", { id: "add", class: "add", novalidate: true },
    el("label", { for: "address", text: "Addresses of pages, files or streams (HLS, DASH)" }),
    el("div", { class: "row" },
      el("textarea", {
        id: "address", name: "address", rows: "1", inputmode: "url", spellcheck: "false",
        autocapitalize: "off", autocomplete: "off", placeholder: "https://…",
        "aria-describedby": "add-error",
      }),
      el("label", { class: "quiet", for: "quality", text: "Quality" }),
      el("select", { id: "quality", name: "quality" },
        el("option", { value: "best", text: "Best" }),
        ...["1080p", "720p", "480p", "360p"].map((height) => el("option", { value: height, text: height })),
        el("option", { value: "audio", text: "Sound only" })),
      button("Look first", { id: "look-first", onclick: lookFirst }),
      el("button", { class: "primary", type: "submit", text: "Download" })),
    offers.markup,
    el("details", { id: "more-options" },
      el("summary", { text: "More options" }),
      el("label", { for: "headers", text: "Headers for the server of the address, one in each line" }),
      el("textarea", {
        id: "headers", rows: "2", spellcheck: "false", autocapitalize: "off", autocomplete: "off",
        placeholder: "Authorization: Bearer …",
      }),
      el("label", { for: "item-limit", text: "Speed of each download, in bytes per second" }),
      el("input", {
        id: "item-limit", type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
        placeholder: "such as 500K or 2M",
      }),
      el("label", { for: "part", text: "Only a part of the film, by chapters or by times" }),
      el("input", {
        id: "part", type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
        placeholder: "such as 2-4 or 00:10:00-00:20:00",
      })),
    bookmarklet.markup,
    el("label", { id: "allow-private-row", class: "check", hidden: true },
      el("input", { id: "allow-private", type: "checkbox" }),
      el("span", { text: "This address is in a private network. Download from it anyway." })),
    el("p", { id: "add-error", class: "error", role: "alert" })),
  el("section", { id: "look", "aria-labelledby": "look-title", hidden: true }),
  el("p", {
    id: "downloads-none", class: "none", hidden: true,
    text: "There are no downloads. Downloads continue while this page is closed.",
  }),
  common.element,
  el("ul", { id: "rows", role: "list", class: "rows", "aria-label": "Downloads" }),
  el("div", { class: "buttons center" },
    button("Show more", { id: "downloads-more", hidden: true })),
  el("div", { id: "finished", class: "finished", hidden: true },
    el("h2", { text: "Recently finished" }),
    el("ul", { id: "finished-rows", role: "list", class: "rows", "aria-label": "Recently finished" })),
];

const style = css`
  .rows { display: grid; gap: 0.75rem; }
  .row-item {
    display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.65rem 1rem; padding: 1rem 1.15rem;
    background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius);
  }
  .row-item > progress, .row-item > .line, .row-item > .note, .row-item > .error, .row-item > .renew { grid-column: 1 / -1; }
  .row-item h2 { overflow-wrap: anywhere; }
  .row-item .address { color: var(--soft); font-size: 0.8125rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  .row-item .acts { display: flex; flex-wrap: wrap; gap: 0.5rem; justify-content: flex-end; align-items: start; }
  .row-item .acts button, .row-item .acts .button { min-height: 2.25rem; font-size: 0.875rem; padding-inline: 0.8rem; }
  .line { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.1rem 1rem; font-size: 0.875rem; }
  .line .facts { color: var(--soft); }
  .state { font-weight: 560; }
  .row-item[data-state="failed"] .state { color: var(--danger); }
  .row-item[data-state="ready"] .state { color: var(--accent); font-size: 0.875rem; }
  .note { font-size: 0.875rem; color: var(--warn); overflow-wrap: anywhere; }
  .row-item > .error { white-space: pre-line; overflow-wrap: anywhere; }
  #add-error { white-space: pre-line; }
  #more-options { font-size: 0.9375rem; }
  #more-options summary { cursor: pointer; color: var(--soft); width: fit-content; }
  #more-options label { display: block; margin: 0.5rem 0 0.3rem; }
  #more-options textarea, #more-options input { width: 100%; }
  .finished { margin-top: 2rem; }
  .finished > h2 { margin-bottom: 0.75rem; color: var(--soft); font-size: 0.9375rem; }
  @media (max-width: 46rem) {
    #downloads-section .tools { flex: 1; justify-content: flex-end; }
    .row-item { grid-template-columns: minmax(0, 1fr); padding: 0.9rem 1rem; }
    .row-item .acts { justify-content: flex-start; order: 9; }
  }
`;

const views = new Map();
const finishedViews = new Map();
const finishedIDs = new Set();

const words = {
  queued: "Waiting for its turn",
  fetchingPlaylist: "Reading the playlist",
  fetching: "Downloading",
  muxing: "Joining the parts into one file",
  verifying: "Checking the file",
  unverified: "Imported, waits for its check",
  paused: "Paused",
  ready: "In Library",
  failed: "Failed",
};

const isActive = (item) => !["ready", "failed", "missing", "queued", "paused", "unverified"].includes(item.state);

const openStates = Object.keys(words).filter((state) => state !== "ready");

/** Draws the section. */
export function draw() {
  const open = store.list(openStates);
  const finished = store.all().filter((item) => item.state === "ready" && finishedIDs.has(item.id));
  common.update(open);
  reconcile(byId("rows"), views, inOrder(open), (item) => item.id, makeRow);
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
  const total = store.count(openStates);
  setText(byId("downloads-count"), format.whole(total));
  show(byId("downloads-count"), total > 0);
  show(byId("downloads-more"), store.hasMore(openStates));
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
  const retry = button("Retry", {
    onclick: () => attempt("The download could not be retried", () => api.retry(item.id)),
  });
  const resume = button("Resume", {
    onclick: () => attempt("The download could not be resumed", () => api.retry(item.id)),
  });
  const pause = button("Pause", {
    onclick: () => attempt("The download could not be paused", () => api.pause(item.id)),
  });
  const choose = button("Choose", {
    onclick: () => look({ url: item.address, id: item.id, ...chosen(item), allowPrivate: item.allowsPrivateAddresses }),
  });
  const record = button("Record", { onclick: () => recordLive(item) });
  const stop = button("Stop", {
    onclick: () => attempt("The recording could not be stopped", () => api.stop(item.id)),
  });
  const allow = button("Allow private address and retry", { onclick: () => allowPrivate(item) });
  const remove = button("Remove", { onclick: () => askToRemove(item) });
  const moves = moveButtons();
  const renew = addressForm(() => item);
  const element = el("li", { class: "row-item" },
    el("div", { class: "what" }, title, place),
    el("div", { class: "acts" }, moves.element, choose, allow, record, stop, retry, resume, pause, remove),
    bar, el("div", { class: "line" }, state, facts), note, error, renew);
  return { element, update };

  function update(next) {
    item = next;
    element.dataset.id = item.id;
    element.dataset.state = item.state;
    setText(title, item.title);
    setText(place, item.address);
    const isRecording = isActive(item) && item.live !== undefined && !item.live.isOver;
    setText(state, isRecording ? "Recording" : words[item.state] ?? item.state);
    setText(facts, describe(item));
    drawBar(bar, item);
    const failed = item.state === "failed";
    const paused = item.state === "paused";
    const hours = item.state === "queued" && !item.waiting && !(item.live && !item.live.isOver)
      && store.hoursBegin();
    const reasons = [item.note, item.waiting, hours && `The download hours begin at ${hours}.`, paused && item.error?.message].filter(Boolean);
    setText(note, reasons.join(" · "));
    show(note, reasons.length > 0);
    setText(error, failed ? explain(item.error, item.kind) : "");
    show(error, failed);
    moves.update(item);
    show(retry, failed);
    show(renew, failed && /^https?:/.test(item.address));
    show(choose, failed && item.error?.code === "several");
    show(record, isLive(item));
    show(stop, isRecording || (paused && item.live !== undefined && !item.live.isOver));
    show(resume, paused);
    show(pause, item.state === "queued" || isActive(item));
    show(allow, failed && item.error?.code === "privateAddress");
    const names = [
      [retry, "Retry"], [resume, "Resume"], [pause, "Pause"], [remove, "Remove"],
      [allow, "Allow and retry"], [choose, "Choose"], [record, "Record"], [stop, "Stop and keep"],
    ];
    for (const [act, name] of names) {
      act.setAttribute("aria-label", `${name}: ${item.title}`);
    }
  }
}

/** Whether the item failed because its stream is live and can be recorded. */
const isLive = (item) => item.state === "failed" && item.error?.code === "live" && item.kind === "stream";

/** Returns an error's message for the page, which has a button where the command line has an option. */
export function explain(error, kind) {
  if (error?.code === "several") return "The page offers several media. Choose shows them.";
  if (error?.code === "live" && kind === "stream") {
    return "The stream is live and has not ended. Record keeps it until it ends or you stop it.";
  }
  if (error?.code === "privateAddress") {
    return "This is a private address, such as in a home network. Allow it if you trust its owner.";
  }
  return error?.message ?? "The download failed for an unknown reason. Try again.";
}

/** Returns the known facts of a download: progress, segments, bytes, speed and time. */
function describe(item) {
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
  const start = button("Play", { onclick: () => play(item) });
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

async function attempt(title, work) {
  try {
    await work();
  } catch (error) {
    await showError(title, error);
  }
}

/** Returns the choice of an item for another request. */
const chosen = ({ quality, audio, subtitles, keptChapters: chapters }) => ({ quality, audio, subtitles, chapters });

/** Downloads the address as a new item with the permission, and removes the refused item. */
function allowPrivate(item) {
  return attempt("The download could not be retried", async () => {
    const next = await api.download({
      url: item.address, ...chosen(item), allowPrivate: true,
    });
    if (next.id !== item.id) await api.remove(item.id, true);
  });
}

/** Records the live stream of a refused item. */
function recordLive(item) {
  return attempt("The stream could not be recorded", () => api.download({
    // A stream that goes on has no part to choose.
    url: item.address, ...chosen(item), chapters: undefined, allowPrivate: item.allowsPrivateAddresses, live: {},
  }));
}

async function submit(event) {
  event.preventDefault();
  const address = byId("address");
  const text = address.value.trim();
  setText(byId("add-error"), "");
  if (!text) {
    setText(byId("add-error"), "The address is missing. Paste an address.");
    address.focus();
    return;
  }
  const send = event.target.querySelector("[type=submit]");
  send.disabled = true;
  try {
    const allowPrivateAddress = byId("allow-private");
    const { items, refused } = await api.add({ text, ...wanted(), ...await offers.optionsFor(text) });
    offers.clear();
    address.value = "";
    for (const id of ["headers", "item-limit", "part"]) byId(id).value = "";
    byId("more-options").open = false;
    fit(address);
    allowPrivateAddress.checked = false;
    show(byId("allow-private-row"), false);
    const added = items.filter((item) => item.state !== "ready");
    setText(byId("add-error"), [
      ...refused.map(({ line, message }) => (line > 1 ? `Line ${line}: ${message}` : message)),
      ...items.filter((item) => item.state === "ready")
        .map((item) => `“${item.title}” is already in your library.`),
    ].join("\n"));
    if (added.length === 1) announce(`${added[0].title} was added.`);
    if (added.length > 1) announce(`${added.length} downloads were added.`);
  } catch (error) {
    setText(byId("add-error"), error.message);
    show(byId("allow-private-row"), error.code === "privateAddress");
    address.focus();
  } finally {
    send.disabled = false;
  }
}

/** Returns the request of the form. */
function wanted() {
  const limit = byId("item-limit").value.trim();
  const chapters = byId("part").value.trim();
  return {
    ...(limit && { limit }), ...(chapters && { chapters }),
    quality: byId("quality").value, allowPrivate: byId("allow-private").checked,
    headers: byId("headers").value.split("\n").filter((line) => line.trim()),
  };
}

/** Shows the media at the address in the field, without downloading them. */
async function lookFirst() {
  const address = byId("address");
  const url = address.value.trim();
  setText(byId("add-error"), url ? "" : "The address is missing. Paste an address.");
  if (!url) {
    address.focus();
    return;
  }
  try {
    const offered = await offers.optionsFor(url);
    look({ url, ...wanted(), ...offered });
  } catch (error) {
    setText(byId("add-error"), error.message);
  }
}

/** Makes the field as high as its lines, within limits. */
function fit(field) {
  field.rows = Math.min(Math.max(field.value.split("\n").length, 1), 8);
}

/** Submits with Enter, as a field of one line does; Shift+Enter begins a new line. */
function submitWithEnter(event) {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  byId("add").requestSubmit();
}

/** Puts addresses and their origin into the form; the user decides whether to submit them. */
export function offer(addresses, origin) {
  byId("address").value = addresses;
  fit(byId("address"));
  offers.present(addresses, origin);
  byId("add").querySelector("[type=submit]").focus();
}

/** Connects the section to the page. */
export function start() {
  adopt(style);
  mount("downloads-section", markup);
  bookmarklet.start();
  offers.start();
  byId("add").addEventListener("submit", submit);
  byId("downloads-more").addEventListener("click", () =>
    attempt("More downloads could not be loaded", () => store.more(openStates)));
  byId("address").addEventListener("keydown", submitWithEnter);
  byId("address").addEventListener("input", (event) => fit(event.target));
  store.on("ready", (item) => {
    // It was no download, and an import may have thousands of files.
    if (item.address.startsWith("import:")) return;
    finishedIDs.add(item.id);
    announce(`${item.title} is in your library.`);
  });
  store.on("failed", (item) => announce(`${item.title} failed: ${item.error?.message ?? ""}`));
  store.on("items", draw);
}
