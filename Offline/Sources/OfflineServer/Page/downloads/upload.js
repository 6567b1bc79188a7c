// SPDX-License-Identifier: Apache-2.0
// Sends files that the user drops on the page or chooses, one after the other, to the library.

import { api, APIError, sendFile } from "../shared/api.js";
import { adopt, announce, byId, button, css, el, icon, reconcile, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as places from "../shared/places.js";

const style = css`
  .uploads { display: grid; gap: 0.75rem; font-size: 0.9375rem; max-height: 40dvh; overflow: auto; }
  .uploads ul { display: grid; gap: 0.75rem; margin: 0; padding: 0; list-style: none; }
  .uploads li { display: grid; grid-template-columns: minmax(0, 1fr) auto; column-gap: 0.6rem; align-items: center; }
  .uploads .name { font-weight: 560; overflow-wrap: anywhere; }
  .uploads .name, .uploads .course:not(.error) { display: -webkit-box; -webkit-line-clamp: 2; line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
  .uploads .course { grid-column: 1; color: var(--soft); font-size: 0.875rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  .uploads .course.error { color: var(--danger); }
  .uploads progress { grid-column: 1 / -1; margin-top: 0.35rem; }
  .uploads .acts { display: flex; align-items: center; gap: 0.4rem; grid-row: 1 / span 2; grid-column: 2; }
  .uploads .acts > :not(.icon) { min-height: 2.25rem; font-size: 0.875rem; }
  .uploads :is(.rest, .sum) { display: flex; align-items: center; justify-content: space-between; gap: 0.6rem; color: var(--soft); }
  .uploads .sum { color: inherit; font-weight: 560; }
  .uploads .sum button { flex: none; }
  .uploads ul:empty { display: none; }
  @media (max-width: 600px) {
    .uploads .acts { grid-row: 1; }
    .uploads .course { grid-column: 1 / -1; }
  }
  @media (pointer: coarse) { .uploads button, .uploads .acts > .button { min-height: 2.75rem; min-width: 2.75rem; } }
`;

/**
 * The types that a file chooser offers first. Some systems do not recognize the listed extensions
 * as media.
 */
const accepted = "video/*,audio/*,.mkv,.mka,.m4b,.m4v,.ts,.mts,.m2ts,.flv,.opus,.ogv,.oga,.flac";
/**
 * The number of waiting files that the page shows individually, and the number of finished files.
 */
const most = 3;

const list = [];
const views = new Map();
const ended = ["done", "failed"];
let count = 0;
let isRunning = false;
/** The results since the page was last idle, for one announcement. */
let results = [];

const chooser = el("input", {
  id: "file-chooser", type: "file", multiple: true, hidden: true, accept: accepted, "aria-label": "Files to add", onchange: () => {
    add([...chooser.files]);
    chooser.value = "";
  },
});

/** The button to choose files without dragging. */
export const control = el("button", {
  id: "choose-files", class: "icon", type: "button", title: "Add files of this device", "aria-label": "Add files of this device",
  onclick: () => chooser.click(),
}, icon("file"));

const rows = el("ul", {});
const sum = el("div", { class: "sum", hidden: true }, el("span", {}),
  el("button", { type: "button", class: "icon", title: "Close", "aria-label": "Close: the added files", onclick: closeSum }, icon("close")));
const rest = el("div", { class: "rest", hidden: true }, el("span", {}), button("Cancel them", { onclick: dropRest }));
/** The list of files that are being added, for the form. */
export const markup = el("div", { id: "uploads", class: "uploads", role: "group", "aria-label": "Files being added", hidden: true }, sum, rows, rest, chooser);

const waiting = () => list.filter(({ state }) => state === "waiting");

const stem = (name) => name.replace(/\.[^.]*$/, "");
const isSubtitles = ({ name }) => /\.(vtt|srt)$/i.test(name);
/** Returns the films before the subtitles, because the subtitles need the items of the films. */
const films = (files) => [...files.filter((file) => !isSubtitles(file)), ...files.filter(isSubtitles)];

/**
 * Returns the film that the user dropped together with subtitles, such as Film.mp4 with
 * Film.en.srt.
 */
function filmOf(entry, others) {
  if (!isSubtitles(entry)) return undefined;
  const own = others.filter((other) => !isSubtitles(other) && isMedia(other.file) && entry.name.startsWith(`${stem(other.name)}.`));
  return own.sort((first, second) => second.name.length - first.name.length)[0];
}

/** Returns the name for a file on the server. Subtitles use the name of the stored film. */
function placeOf({ name, film }) {
  if (film?.item?.fileName === undefined) return { name };
  return { name: `${stem(film.item.fileName)}${name.slice(stem(film.name).length)}`, beside: film.item.id };
}

/** Adds files. The waiting files are sent first. */
export function add(files) {
  // Adding files clears the earlier successful entries.
  for (const entry of list.filter(({ state }) => state === "done")) remove(entry);
  const added = films(files).map((file) => {
    count += 1;
    return { key: count, file, name: file.name, size: file.size, state: "waiting", sent: 0, film: undefined };
  });
  for (const entry of added) entry.film = filmOf(entry, added);
  list.push(...added);
  draw();
  run();
}

function remove(entry) {
  const index = list.indexOf(entry);
  if (index >= 0) list.splice(index, 1);
}

function dropRest() {
  for (const entry of waiting().slice(most)) remove(entry);
  draw();
  (rows.querySelector("button") ?? byId("address")).focus();
}

async function run() {
  if (isRunning) return;
  isRunning = true;
  while (waiting().length > 0) await send(waiting()[0]);
  isRunning = false;
  draw();
  tell();
}

async function send(entry) {
  Object.assign(entry, { state: "sending", sent: 0, problem: "" });
  draw();
  try {
    if (entry.film && !entry.film.item) {
      throw new APIError(0, "noFilm", `“${entry.film.name}” is not in the library. Add the film, then try again.`);
    }
    // A browser that sends a large body may not read an early refusal.
    await api.checkUpload(entry.name, entry.size);
    if (!list.includes(entry)) return;
    const sending = sendFile(entry.file, placeOf(entry), (sent) => {
      entry.sent = sent;
      draw();
    });
    entry.cancel = sending.cancel;
    const { item, isNew } = await sending.result;
    Object.assign(entry, { state: "done", item, isNew });
    results.push(entry);
  } catch (error) {
    if (!list.includes(entry)) return;
    if (!(error instanceof APIError)) console.error(error);
    Object.assign(entry, { state: "failed", problem: error.message });
    results.push(entry);
  } finally {
    entry.cancel = undefined;
    draw();
  }
}

/** Announces the results of all files once. */
function tell() {
  const done = results.filter(({ state }) => state === "done");
  const failed = results.filter(({ state }) => state === "failed");
  results = [];
  const words = [];
  if (done.length === 1) words.push(wordsOf(done[0]));
  else if (done.length > 1) words.push(`${done.length} files are in the library.`);
  if (failed.length === 1) words.push(failed[0].problem);
  else if (failed.length > 1) words.push(`${failed.length} files were not added.`);
  if (words.length > 0) announce(words.join(" "));
}

const inState = (state) => list.filter((entry) => entry.state === state);

/** Returns one line for several finished files. The failed files are listed below the line. */
function sumText() {
  const [done, failed] = [inState("done").length, inState("failed").length];
  if (isRunning || done < 2) return "";
  const refused = failed === 1 ? " 1 was not added." : ` ${format.whole(failed)} were not added.`;
  return `${format.whole(done)} files are in the library.${failed > 0 ? refused : ""}`;
}

function closeSum() {
  for (const entry of inState("done")) remove(entry);
  draw();
  if (list.length > 0) rows.querySelector("button")?.focus();
}

/** Removes the ended entries when the user leaves the place. */
function leave() {
  if (isRunning || list.length === 0) return;
  const hadFocus = markup.contains(document.activeElement);
  list.length = 0;
  // The field would open the on-screen keyboard.
  if (hadFocus) byId("main").focus({ preventScroll: true });
  draw();
}

function cancel(entry) {
  remove(entry);
  entry.cancel?.();
  draw();
}

function again(entry) {
  entry.state = "waiting";
  draw();
  run();
}

function wordsOf({ state, name, size, sent, problem, item, isNew, film }) {
  switch (state) {
    case "waiting": return `Waits · ${format.bytes(size)}`;
    case "sending":
      return sent < size ? `${format.percent(sent / size)} · ${format.bytes(sent)} of ${format.bytes(size)}` : "Is being checked…";
    case "done":
      if (film?.item) return `Is beside “${item.title}”.`;
      return isNew ? `“${item.title}” is in the library.` : `“${item.title}” was in the library already.`;
    default: return problem || `“${name}” was not added. Try again.`;
  }
}

function makeRow(entry) {
  const name = el("span", { class: "name" });
  const words = el("span", { class: "course" });
  const bar = el("progress", { max: "1", "aria-label": `Sent of ${entry.name}` });
  const stop = el("button", { type: "button", class: "icon", onclick: () => cancel(entry) }, icon("close"));
  const retry = button("Try again", { "aria-label": `Try again: ${entry.name}`, onclick: () => again(entry) });
  const link = el("a", { class: "button", text: "Show", onclick: () => setTimeout(leave) });
  const acts = el("span", { class: "acts" }, stop);
  // The element is removed instead of hidden, because the focus goes to the first button of a row.
  const offer = (element, isOffered) => {
    if (isOffered && element.parentNode !== acts) acts.prepend(element);
    else if (!isOffered) element.remove();
  };
  const update = () => {
    setText(name, entry.name);
    setText(words, wordsOf(entry));
    words.classList.toggle("error", entry.state === "failed");
    show(bar, entry.state === "sending");
    if (entry.sent < entry.size) bar.value = entry.sent / entry.size;
    else bar.removeAttribute("value");
    offer(link, entry.state === "done");
    if (entry.item) {
      link.href = `#item-${entry.item.id}`;
      link.setAttribute("aria-label", `Show ${entry.item.title}`);
    }
    const held = document.activeElement === retry;
    offer(retry, entry.state === "failed");
    if (held && entry.state !== "failed") stop.focus();
    const label = `${ended.includes(entry.state) ? "Close" : "Cancel"}: ${entry.name}`;
    stop.title = label;
    stop.setAttribute("aria-label", label);
  };
  return { element: el("li", { "data-state": entry.state }, name, words, acts, bar), update };
}

function draw() {
  const last = waiting().slice(most);
  const text = sumText();
  const old = text ? inState("done") : inState("done").slice(0, -most);
  const shown = list.filter((entry) => !last.includes(entry) && !old.includes(entry));
  const hadFocus = markup.contains(document.activeElement);
  reconcile(rows, views, shown, ({ key }) => key, makeRow);
  for (const entry of shown) views.get(entry.key).element.dataset.state = entry.state;
  setText(sum.firstChild, text);
  show(sum, text !== "");
  show(rest, last.length > 0);
  setText(rest.firstChild, `${format.whole(last.length)} more wait.`);
  show(markup, list.length > 0);
  if (hadFocus && list.length === 0) byId("address").focus();
}

const isMedia = ({ name, type }) => /^(video|audio)\//.test(type) || /\.(mkv|mka|m4b|m4v|ts|mts|m2ts|flv|opus|ogv|oga|flac|mp4|m4a|mp3|webm|avi|mov|wav|aac|ogg)$/i.test(name);

/**
 * Returns the files of a file system entry. For a folder, returns only the media, including
 * subfolders.
 */
async function filesIn(entry, isInFolder) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => { entry.file(resolve, reject); });
    return isInFolder && !isMedia(file) ? [] : [file];
  }
  const reader = entry.createReader();
  const found = [];
  while (true) {
    const entries = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
    if (entries.length === 0) return found;
    for (const each of entries) found.push(...await filesIn(each, true));
  }
}

/**
 * Returns the dropped files and the files in dropped folders. The browser provides the entries only
 * during the event.
 */
export function dropped(data) {
  const files = [...data.files];
  const entries = [...data.items].filter(({ kind }) => kind === "file").map((item) => item.webkitGetAsEntry?.());
  if (!entries.some((entry) => entry?.isDirectory)) return Promise.resolve(files);
  return Promise.all(entries.map((entry) => filesIn(entry, false))).then((found) => found.flat());
}

/** Asks before the user closes the page while files are being sent. */
export function start() {
  adopt(style);
  places.onChange(({ name }, former) => { if (name !== former) leave(); });
  addEventListener("beforeunload", (event) => {
    if (list.every(({ state }) => ended.includes(state))) return;
    event.preventDefault();
  });
}
