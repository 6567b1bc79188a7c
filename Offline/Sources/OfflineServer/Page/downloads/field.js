// SPDX-License-Identifier: Apache-2.0
// The field at the top of every place. The field takes links and files, shows the offered media,
// and keeps the media.

import { api } from "../shared/api.js";
import { adopt, announce, byId, button, css, drawIcon, el, icon, mount, setText, show } from "../shared/dom.js";
import * as places from "../shared/places.js";
import { explain } from "../shared/remedies.js";
import * as store from "../shared/store.js";
import * as found from "./look.js";
import * as offers from "./offer.js";
import * as uploads from "./upload.js";

const text = (id, rows, properties) => el(rows ? "textarea" : "input", {
  id, ...(rows ? { rows } : { type: "text" }), spellcheck: "false", autocapitalize: "off", autocomplete: "off",
  ...properties,
});

const options = el("div", { id: "more-options", class: "options", hidden: true },
  el("label", { for: "quality", text: "Quality" }),
  el("select", { id: "quality", name: "quality" },
    el("option", { value: "", text: "As in Settings" }),
    el("option", { value: "best", text: "Best" }),
    ...["1080p", "720p", "480p", "360p"].map((height) => el("option", { value: height, text: height })),
    el("option", { value: "audio", text: "Sound only" })),
  el("label", { for: "item-limit", text: "Speed of each download, in bytes per second" }),
  text("item-limit", 0, { placeholder: "such as 500K or 2M" }),
  el("label", { for: "part", text: "Only a part of the film, by chapters or by times" }),
  text("part", 0, { placeholder: "such as 2-4 or 00:10:00-00:20:00" }),
  el("label", { for: "headers", text: "Headers for the server of the address, one in each line" }),
  text("headers", 2, { placeholder: "Authorization: Bearer …" }));

const markup = [
  el("div", { class: "row" },
    icon("add"),
    el("label", { class: "quiet", for: "address", text: "Paste a link, or drop a file" }),
    text("address", 1, {
      name: "address", inputmode: "url", wrap: "off", placeholder: "Paste a link, or drop a file", "aria-describedby": "add-error",
    }),
    el("button", {
      id: "options", class: "icon", type: "button", title: "Options", "aria-label": "Options", "aria-expanded": "false",
      "aria-controls": "more-options", onclick: toggleOptions,
    }, icon("settings")),
    uploads.control,
    button("Look first", { id: "look-first", class: "look-first", onclick: () => lookFirst() }),
    el("button", { class: "primary", type: "submit", text: "Keep" })),
  options,
  offers.markup,
  found.markup,
  el("label", { id: "allow-private-row", class: "check", hidden: true },
    el("input", { id: "allow-private", type: "checkbox" }),
    el("span", { text: "This address is in a private network. Keep it anyway." })),
  el("p", { id: "add-error", class: "error", role: "alert" }),
  el("p", { id: "add-result", class: "added", hidden: true },
    icon("check"), el("span", { id: "added-what" }), el("a", { href: "#downloads", text: "Show downloads" })),
  uploads.markup,
];

const style = css`
  .field {
    display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; margin-bottom: 1.75rem; padding: 0.4rem; background: var(--surface);
    border: 1px solid var(--edge); border-radius: 1.1rem; box-shadow: var(--shadow); min-width: 0;
  }
  .field > :not(.row) { margin-inline: 0.75rem; }
  .field > :last-child:not([hidden], :empty), .field > #more-options { margin-bottom: 0.6rem; }
  .field:focus-within { border-color: var(--accent); }
  .field:has(textarea:focus-visible) { outline: 2px solid var(--accent); outline-offset: 1px; }
  .field.drop { border: 2px dashed var(--accent); }
  .field .row { display: flex; align-items: center; gap: 0.4rem; }
  .field .row > svg { margin-left: 0.75rem; color: var(--soft); }
  .field .row textarea {
    flex: 1; border: 0; background: none; resize: none; outline: none; line-height: 1.5; padding: 0.6rem 0.4rem; font-size: 1.0625rem;
  }
  .field .row textarea::placeholder { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  .field .row button { flex: none; }
  .field .row .primary { min-height: 2.75rem; padding-inline: 1.4rem; border-radius: 0.8rem; }
  .field:not(.filled) .look-first { display: none; }
  .options { display: grid; grid-template-columns: minmax(0, max-content) minmax(0, 1fr); gap: 0.6rem 1rem; align-items: center; font-size: 0.9375rem; }
  #add-error { white-space: pre-line; }
  .added { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.6rem; font-size: 0.9375rem; overflow-wrap: anywhere; }
  .added svg, .added a { color: var(--accent); }
  .added span { min-width: 0; white-space: pre-line; }
  .added.failed, .added.failed svg { color: var(--danger); }
  @media (max-width: 600px) {
    .field {
      position: fixed; z-index: 5; inset: auto 0.5rem calc(4.1rem + env(safe-area-inset-bottom)); margin: 0;
      max-height: calc(100dvh - 8rem); overflow: auto; border-radius: 1.2rem;
    }
    .field .row { order: 9; position: sticky; bottom: 0; background: var(--surface); border-radius: 0.9rem; }
    .field .row > svg, .field:not(:focus-within, .filled) #options { display: none; }
    .field .row textarea { padding-left: 0.75rem; font-size: 1rem; }
    .field.filled .row { flex-wrap: wrap; justify-content: flex-end; }
    .field.filled .row textarea { flex: 1 0 100%; }
    .field .row .primary { padding-inline: 1rem; }
    .options { grid-template-columns: minmax(0, 1fr); gap: 0.3rem; padding-top: 0.4rem; }
  }
  @media (max-width: 600px) and (max-height: 420px) { .field { position: static; max-height: none; margin-bottom: 1rem; } }
`;

/** The items of the last request, which the line below the field describes. */
let followed = [];

/** The maximum size of a text file that is read as a list of links, in bytes. */
const LONGEST = 1_000_000;

function toggleOptions() {
  const isOpen = byId("more-options").hidden;
  show(byId("more-options"), isOpen);
  byId("options").setAttribute("aria-expanded", String(isOpen));
  if (isOpen) byId("quality").focus();
}

function closeOptions() {
  show(byId("more-options"), false);
  byId("options").setAttribute("aria-expanded", "false");
}

/** Returns the request of the form. */
function wanted() {
  const quality = byId("quality").value;
  const limit = byId("item-limit").value.trim();
  const chapters = byId("part").value.trim();
  return {
    ...(quality && { quality }), ...(limit && { limit }), ...(chapters && { chapters }),
    allowPrivate: byId("allow-private").checked,
    headers: byId("headers").value.split("\n").filter((line) => line.trim()),
  };
}

/** Returns the text of the field. Without text, shows an error. */
function typed() {
  const value = byId("address").value.trim();
  setText(byId("add-error"), value ? "" : "The address is missing. Paste a link.");
  if (!value) byId("address").focus();
  return value;
}

async function submit(event) {
  event.preventDefault();
  const value = typed();
  if (!value) return;
  if (found.isShown() && found.offersKeep()) {
    await found.keep();
    return;
  }
  found.close();
  const send = event.target.querySelector("[type=submit]");
  send.disabled = true;
  try {
    const { items, refused } = await api.add({ text: value, ...wanted(), ...await offers.optionsFor(value) });
    reset(value);
    setText(byId("add-error"), [
      ...refused.map(({ line, message }) => (line > 1 ? `Line ${line}: ${message}` : message)),
      ...items.filter((item) => item.state === "ready")
        .map((item) => `“${item.title}” is already in your library.`),
    ].join("\n"));
    confirm(items);
  } catch (error) {
    fail(error);
    byId("address").focus();
  } finally {
    send.disabled = false;
  }
}

/** Shows which items were added. */
export function confirm(items) {
  const added = items.filter((item) => item.state !== "ready");
  const what = added.length === 1 ? `“${added[0].title}” was added.` : `${added.length} downloads were added.`;
  tell(added.length > 0 ? what : "", "downloads", "Show downloads");
  followed = added.map(({ id }) => id);
  // A short download may have ended before the server's response arrived.
  followItems();
}

/** Shows the state of the items that were added here. Other parts announce the state. */
function followItems() {
  if (followed.length === 0) return;
  const known = followed.map(store.item).filter(Boolean);
  const failed = known.filter(({ state }) => state === "failed");
  const isOne = followed.length === 1;
  if (failed.length > 0) {
    const [{ title, error, kind }] = failed;
    draw(isOne ? `“${title}” was not kept: ${explain(error, kind)}` : `${failed.length} of ${followed.length} downloads failed.`,
      "downloads", "Show downloads", true);
  } else if (known.length === followed.length && known.every(({ state }) => state === "ready")) {
    const [{ id, title }] = known;
    draw(isOne ? `“${title}” is in the library.` : `${followed.length} downloads are in the library.`,
      isOne ? `item-${id}` : "library", isOne ? "Show" : "Show the library");
  }
}

/** Removes the line about the previous addresses. */
function forgetResult() {
  followed = [];
  show(byId("add-result"), false);
}

/** Shows that a feed is followed. */
export function confirmFeed(feed) {
  const what = `“${feed.title}” is followed.`;
  tell(what, "following", "Show what you follow");
}

/** Shows the result for the addresses, with a link to the place of the items. */
function tell(what, place, text) {
  followed = [];
  draw(what, place, text);
  if (what) announce(what);
}

function draw(what, place, text, isFailure = false) {
  const result = byId("add-result");
  const link = result.querySelector("a");
  show(result, what !== "");
  result.classList.toggle("failed", isFailure);
  drawIcon(result.querySelector("use"), isFailure ? "alert" : "check");
  setText(byId("added-what"), what);
  link.href = `#${place}`;
  setText(link, text);
}

/**
 * Shows why an address is refused, and the checkbox for the permission if the permission would
 * help.
 */
export function fail(error) {
  setText(byId("add-error"), error.message);
  show(byId("allow-private-row"), error.code === "privateAddress");
}

/**
 * Empties the form after the addresses were added. The field keeps another text, which the user has
 * entered since.
 */
export function reset(added) {
  offers.clear();
  for (const id of ["headers", "item-limit", "part"]) byId(id).value = "";
  if (byId("address").value.trim() === added) byId("address").value = "";
  closeOptions();
  byId("allow-private").checked = false;
  show(byId("allow-private-row"), false);
  changed();
}

/** Shows the media at the address in the field, without fetching the media. */
async function lookFirst(options) {
  const url = typed();
  if (!url) return;
  try {
    const offered = await offers.optionsFor(url);
    found.look({ url, ...wanted(), ...offered }, options);
  } catch (error) {
    setText(byId("add-error"), error.message);
  }
}

const narrow = matchMedia("(max-width: 600px)");

/** Sets the placeholder. A phone has no room for more words, and no files to drop. */
function placeholder({ matches }) {
  byId("address").placeholder = matches ? "Paste a link" : "Paste a link, or drop a file";
}

/** Adjusts the height of the field to the number of lines, within limits. */
function changed() {
  const field = byId("address");
  field.rows = Math.min(Math.max(field.value.split("\n").length, 1), 8);
  byId("add").classList.toggle("filled", field.value.trim() !== "");
}

/** Submits with Enter, like a field of one line. Shift+Enter starts a new line. */
function submitWithEnter(event) {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  byId("add").requestSubmit();
}

/** Puts addresses and the origin into the form. The user decides whether to submit the form. */
export function offer(addresses, origin) {
  byId("address").value = addresses;
  changed();
  offers.present(addresses, origin);
  byId("add").querySelector("[type=submit]").focus();
}

/**
 * Puts a pasted or dropped text into the field. For a single link, immediately shows the offered
 * media.
 */
function take(value) {
  const field = byId("address");
  field.value = value.trim();
  field.dispatchEvent(new Event("input"));
  field.focus({ preventScroll: true });
  if (/^https?:\/\/\S+$/i.test(field.value)) lookFirst({ keepsFocus: true });
}

const isEditable = (element) => element.closest?.("input, textarea, select, [contenteditable], dialog") !== null;

/** Accepts a link that the user pastes anywhere on the page. */
function paste(event) {
  const value = event.clipboardData?.getData("text/plain") ?? "";
  const field = byId("address");
  if (event.target === field) {
    const isWhole = field.value.trim() === "" || field.selectionEnd - field.selectionStart === field.value.length;
    if (!isWhole || value.trim().includes("\n")) return;
  } else if (isEditable(event.target) || !/^\s*https?:\/\//i.test(value)) return;
  event.preventDefault();
  take(value);
}

/** Whether a file is a list of links rather than a file for the library. */
const isList = ({ name, type, size }) => size <= LONGEST
  && (/^text\/(plain|uri-list|csv|markdown|html)$/.test(type) || (type === "" && /\.(txt|url|list|md)$/i.test(name)));

async function drop(event) {
  event.preventDefault();
  byId("add").classList.remove("drop");
  const data = event.dataTransfer;
  if (data.files.length === 0) {
    take(data.getData("text/uri-list") || data.getData("text/plain"));
    return;
  }
  setText(byId("add-error"), "");
  let files = [];
  try {
    files = await uploads.dropped(data);
  } catch {
    setText(byId("add-error"), "The files cannot be read. Check their permissions, then drop them again.");
    return;
  }
  const lists = files.filter(isList);
  const others = files.filter((file) => !isList(file));
  if (files.length === 0) setText(byId("add-error"), "The folder has no film and no sound. Drop the files themselves.");
  if (others.length > 0) uploads.add(others);
  if (lists.length > 0) take((await Promise.all(lists.map((file) => file.text()))).join("\n"));
}

/** Fills the form, and handles text and files that are pasted or dropped anywhere on the page. */
export function start() {
  adopt(style);
  mount("add", markup);
  offers.start();
  uploads.start();
  store.on("items", followItems);
  placeholder(narrow);
  narrow.addEventListener("change", placeholder);
  found.start({ reset, fail, confirm, confirmFeed });
  byId("add").addEventListener("submit", submit);
  byId("address").addEventListener("keydown", submitWithEnter);
  places.onChange(({ name }, former) => {
    if (name === former) return;
    forgetResult();
    if (former) found.close();
  });
  byId("address").addEventListener("input", () => {
    changed();
    forgetResult();
    // The card shows a different address from the field.
    if (found.isShown() && byId("address").value.trim() !== found.address()) found.close();
  });
  addEventListener("paste", paste);
  const isOver = (event) => /Files|text\/uri-list|text\/plain/.test([...event.dataTransfer.types].join());
  addEventListener("dragover", (event) => {
    if (!isOver(event) || event.target.closest?.("input, textarea:not(#address), [data-reorder]")) return;
    event.preventDefault();
    byId("add").classList.add("drop");
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) byId("add").classList.remove("drop");
  });
  addEventListener("drop", (event) => {
    if (byId("add").classList.contains("drop")) drop(event);
  });
}
