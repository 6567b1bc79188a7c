// SPDX-License-Identifier: Apache-2.0
// The page of one item (#item-12): plays it, names it, and says where it is and where it came from.

import { api, saveAddress } from "./api.js";
import { ask, showError } from "./dialog.js";
import { adopt, announce, button, byId, css, el, icon, setText } from "./dom.js";
import * as folder from "./folder.js";
import * as format from "./format.js";
import { localControl } from "./localcontrol.js";
import * as local from "./localfilms.js";
import * as storage from "./localstore.js";
import * as places from "./places.js";
import { isWatched, mark, resumeTime, share } from "./playback.js";
import { play, read } from "./player.js";
import { drawPicture, isPlayable, isReadable } from "./poster.js";
import * as store from "./store.js";

const style = css`
  .item { display: grid; grid-template-columns: minmax(0, 26rem) minmax(0, 1fr); gap: 1.25rem clamp(1.25rem, 3vw, 2.5rem); align-items: start; }
  .item-back { grid-column: 1 / -1; justify-self: start; border-color: transparent; background: none; color: var(--soft); margin-left: -0.6rem; padding-inline: 0.5rem 0.8rem; min-height: 2.75rem; }
  .item-picture { position: relative; aspect-ratio: 16 / 9; border-radius: var(--radius); overflow: hidden; background: var(--sunken); color: var(--soft); display: grid; place-items: center; box-shadow: 0 0 0 1px var(--line); }
  .item-picture .picture img { object-fit: contain; }
  .item-main { display: grid; gap: 0.9rem; min-width: 0; }
  .item-name { display: flex; align-items: start; gap: 0.35rem; }
  .item-name h1 { overflow-wrap: anywhere; min-width: 0; }
  .item-name .icon { flex: none; min-height: 2.75rem; width: 2.75rem; margin-top: -0.3rem; }
  .item-edit { display: flex; flex-wrap: wrap; gap: 0.6rem; }
  .item-edit input { flex: 1 1 16rem; font-size: 1.125rem; }
  .item-edit button { min-height: 2.75rem; }
  .item-facts { display: flex; flex-wrap: wrap; align-items: center; column-gap: 0.4rem; color: var(--soft); font-size: 0.9375rem; font-variant-numeric: tabular-nums; }
  .item-seen { display: inline-flex; align-items: center; gap: 0.3rem; color: var(--accent); font-weight: 560; }
  .item-seen svg { width: 1.05rem; height: 1.05rem; }
  .item-acts { display: flex; flex-wrap: wrap; gap: 0.6rem; }
  .item-acts :is(button, .button) { min-height: 2.75rem; }
  .item-acts .primary { min-height: 3.25rem; padding-inline: 1.5rem; font-size: 1.0625rem; }
  .item-note { padding: 0.75rem 1rem; border-radius: 10px; background: var(--warn-tint); color: var(--warn); font-size: 0.9375rem; overflow-wrap: anywhere; white-space: pre-line; }
  .item-rest { grid-column: 1 / -1; display: grid; gap: 1.75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); margin-top: 0.75rem; }
  .item-rest h2 { margin-bottom: 0.5rem; }
  .item-rest dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.5rem 1.25rem; font-size: 0.9375rem; }
  .item-rest dt { color: var(--soft); }
  .item-rest dd { overflow-wrap: anywhere; }
  .item-rest dd a { color: var(--accent); display: inline-block; min-height: 1.5rem; }
  .item-path { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.6rem; }
  .item-path button { min-height: 2.25rem; font-size: 0.875rem; }
  .item-chapters { display: grid; }
  .item-chapters button { width: 100%; min-height: 2.75rem; justify-content: start; gap: 0.9rem; text-align: start; border-color: transparent; background: none; font-weight: 500; overflow-wrap: anywhere; padding-inline: 0.5rem; }
  .item-chapters button:hover { background: var(--sunken); }
  .item-chapters .time { color: var(--soft); font-variant-numeric: tabular-nums; flex: none; min-width: 2.75rem; }
  .item-gone { display: grid; gap: 1rem; justify-items: start; }
  @media (hover: none) { .item-path button { min-height: 2.75rem; } }
  @media (max-width: 600px), (pointer: coarse) { .item-rest dd a { display: inline-block; padding-block: 0.7rem; } }
  @media (max-width: 60rem) { .item { grid-template-columns: minmax(0, 1fr); } .item-picture { max-width: 40rem; } }
  @media (max-width: 600px) { .item-acts .primary { flex: 1 1 100%; } .item-rest dl { grid-template-columns: minmax(0, 1fr); gap: 0.1rem; } .item-rest dd { margin-bottom: 0.6rem; } }
`;

/** The number of the item on the page; 0 for none. */
let number = 0;
/** The facts that only the item's own request has. */
let details = {};
/** The tracks of the file, which arrive later. */
let tracks = [];
let drawn = "";
let drawnPlayback = "";
let isEditing = false;

/** Shows the item of a number; 0 leaves the page empty. */
function follow(id) {
  if (id === number) return;
  number = id;
  details = {};
  tracks = [];
  drawn = "";
  isEditing = false;
  byId("item-section").replaceChildren();
  if (id > 0) load();
}

async function load() {
  const id = number;
  const known = await store.get(id);
  const [found] = await Promise.all([known ? api.item(id).catch(() => ({})) : {}, folder.load(), local.ready]);
  if (id !== number) return;
  details = found;
  draw();
  loadTracks(id);
}

/** Adds the languages of the sound, which the server reads from the file. */
async function loadTracks(id) {
  if (details.path === undefined) return;
  const found = await api.tracks(id).catch(() => undefined);
  const item = current();
  if (!found || !item || id !== number) return;
  tracks = found.tracks;
  const text = soundText(item);
  // Nothing else is drawn anew: a person may be about to press a button.
  if (text && !byId("item-sound")) byId("item-type")?.after(...entry("Sound", text, "item-sound"));
}

const current = () => store.item(number);

/** Draws the page if something that it shows has changed. */
function draw() {
  if (number === 0 || isEditing) return;
  const item = current();
  const { subtitleFiles, chapters, path } = details;
  const next = JSON.stringify(item
    ? [{ ...item, playback: undefined }, item.fileName === details.fileName, subtitleFiles, chapters, path]
    : [details.id, local.isKept(number), store.isConnected()]);
  if (next === drawn) {
    if (item) drawPlayback(item);
    return;
  }
  const isOther = item && details.id !== undefined
    && (item.fileName !== details.fileName || item.state !== details.state);
  drawn = next;
  places.setTitle(item?.title ?? "No item");
  drawnPlayback = item ? playbackText(item) : "";
  const focused = byId("item-section").contains(document.activeElement) ? document.activeElement.id : "";
  byId("item-section").replaceChildren(...(item ? content(item) : lost()));
  if (focused) byId(focused)?.focus({ preventScroll: true });
  // Another name or state has another path and other subtitles.
  if (isOther) load();
}

const playbackText = (item) => JSON.stringify([resumeTime(item), isWatched(item)]);

/** Draws how far the item was played, which changes every few seconds while any device plays it. */
function drawPlayback(item) {
  const text = playbackText(item);
  if (text === drawnPlayback) return;
  drawnPlayback = text;
  const place = byId("item-section");
  const focused = place.contains(document.activeElement) ? document.activeElement.id : "";
  place.querySelector(".item-facts").replaceWith(facts(item));
  place.querySelector(".item-acts").replaceWith(acts(item));
  place.querySelector(".item-picture .seen")?.remove();
  if (share(item) > 0) place.querySelector(".item-picture").append(seenBar(item));
  if (focused) byId(focused)?.focus({ preventScroll: true });
}

function lost() {
  const copy = local.item(number);
  if (copy) {
    places.setTitle(copy.title);
    return [el("div", { class: "item-gone" },
      el("h1", { id: "item-title", text: copy.title }),
      el("p", {
        class: "none", text: store.isConnected()
          ? `The library no longer has this file. A copy is kept ${storage.where}.` : `The server is not there. A copy is kept ${storage.where}.`,
      }),
      el("div", { class: "buttons" },
        el("button", { id: "item-play", type: "button", class: "primary", onclick: () => (isPlayable(copy) ? play(copy) : read(copy)) },
          icon(isPlayable(copy) ? "play" : "file"), isPlayable(copy) ? "Play" : "Read"),
        el("a", { class: "button", href: "#kept", text: `Kept ${storage.where}` })))];
  }
  return details.id === undefined && store.isConnected() === false
    ? [el("p", { class: "none", text: "The item is shown when the server is back." })]
    : [el("div", { class: "item-gone" },
      el("h1", { id: "item-title", text: "There is no such item" }),
      el("p", { class: "none", text: "It was removed, or the address is wrong." }),
      el("a", { class: "button", href: "#library", text: "To the library" }))];
}

function content(item) {
  return [el("div", { class: "item" },
    el("a", { class: "button item-back", href: "#library" }, icon("back"), "Library"),
    picture(item),
    el("div", { class: "item-main" }, name(item), facts(item), acts(item),
      item.state === "ready" && (isPlayable(item) || isReadable(item)) ? localControl(item) : undefined,
      item.note ? el("p", { class: "item-note", id: "item-note", text: item.note }) : undefined),
    el("div", { class: "item-rest" }, about(item), ...chapterSection(item)))];
}

function picture(item) {
  const shot = el("span", { class: "picture" });
  drawPicture(shot, item);
  const place = el("div", { class: "item-picture" }, shot);
  if (share(item) > 0) place.append(seenBar(item));
  return place;
}

/** Creates the bar that shows how far an item was played; a screen reader reads it elsewhere. */
export function seenBar(item) {
  const bar = el("span", { class: "seen", "aria-hidden": "true" }, el("span"));
  bar.firstChild.style.scale = `${share(item)} 1`;
  return bar;
}

function name(item) {
  return el("div", { class: "item-name" },
    el("h1", { id: "item-title", text: item.title }),
    el("button", {
      id: "item-rename", type: "button", class: "icon", title: "Rename", "aria-label": "Rename", onclick: () => edit(item),
    }, icon("edit")));
}

function edit(item) {
  isEditing = true;
  const field = el("input", {
    type: "text", id: "item-new-title", value: item.title, maxlength: "120", autocomplete: "off", "aria-label": "Title",
    onkeydown: (event) => { if (event.key === "Escape") end(); },
  });
  const form = el("form", { class: "item-edit" }, field,
    el("button", { type: "submit", class: "primary", text: "Save" }), button("Cancel", { onclick: () => end() }));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      if (field.value !== item.title) announce(`The title is now ${(await api.rename(item.id, field.value)).title}.`);
      end();
      load();
    } catch (error) {
      await showError("The item was not renamed", error);
      field.focus();
    }
  });
  document.querySelector(".item-name").replaceWith(form);
  field.focus();
  field.select();

  function end() {
    isEditing = false;
    drawn = "";
    draw();
    byId("item-rename")?.focus();
  }
}

function facts(item) {
  const parts = [
    format.clock(item.duration), format.bytes(item.size), item.height ? `${item.width} × ${item.height}` : "",
    format.day(item.readyAt ?? item.createdAt),
  ].filter(Boolean).map((fact) => fact.replaceAll(" ", "\u00a0"));
  return el("p", { class: "item-facts" }, parts.join(" · "),
    ...(isWatched(item) ? [" · ", el("span", { class: "item-seen" }, icon("check"), "Watched")] : []));
}

function acts(item) {
  const time = resumeTime(item);
  const isReady = item.state === "ready";
  const watched = isWatched(item);
  const begin = isPlayable(item)
    ? el("button", { id: "item-play", type: "button", class: "primary", onclick: () => play(item) }, icon("play"),
      time > 0 ? `Resume ${format.clock(time)}` : "Play")
    : isReadable(item)
      ? el("button", { id: "item-play", type: "button", class: "primary", onclick: () => read(item) }, icon("file"), "Read")
      : undefined;
  return el("div", { class: "item-acts" },
    isReady ? begin : el("a", { class: "button primary", href: "#downloads", text: "Show in Downloads" }),
    isReady && time > 0 ? button("From the beginning", { id: "item-restart", onclick: () => play(item, { from: 0 }) }) : undefined,
    isReady && isPlayable(item) ? el("button", { id: "item-watched", type: "button", onclick: () => change(item, !watched) },
      icon("eye"), watched ? "Mark as unwatched" : "Mark as watched") : undefined,
    isReady ? el("a", { id: "item-save", class: "button", download: true, href: saveAddress(item.id) }, icon("save"), "Save a copy") : undefined,
    el("button", { id: "item-remove", type: "button", class: "danger", onclick: () => remove(item) }, icon("trash"), "Remove"));
}

async function change(item, watched) {
  try {
    await mark(item, watched);
    announce(watched ? "Marked as watched." : "Marked as unwatched.");
  } catch (error) {
    await showError("The mark was not changed", error);
  }
}

async function remove(item) {
  const isReady = item.state === "ready";
  const answer = await ask({
    title: `Remove “${item.title}”?`,
    body: [isReady
      ? "If you delete the file, the item is gone for good. If you keep it, Refresh and Import restore the item."
      : "This deletes the partial download."],
    buttons: [
      { label: "Cancel" },
      ...(isReady ? [{ label: "Keep the file", value: "entry" }] : []),
      { label: isReady ? "Delete the file too" : "Remove", value: "file", kind: "danger" },
    ],
  });
  if (!answer) return;
  try {
    await api.remove(item.id, answer === "file");
    announce(`${item.title} was removed.`);
    if (number === item.id) places.go("library");
  } catch (error) {
    await showError("The item was not removed", error);
  }
}

const entry = (title, value, id) => [el("dt", { text: title }), el("dd", id ? { id } : {}, value)];

function about(item) {
  const entries = [];
  const add = (title, value, id) => { if (value) entries.push(...entry(title, value, id)); };
  add("From", /^https?:/.test(item.address)
    ? el("a", { href: item.address, target: "_blank", rel: "noreferrer noopener", text: item.address })
    : item.address.startsWith("import:") ? "Your own file" : item.address);
  add("File", details.path ? el("div", { class: "item-path" }, el("span", { id: "item-path", text: details.path }),
    folder.canShow() ? el("button", { id: "item-folder", type: "button", onclick: () => folder.showFile(item.id) }, icon("folder"), "Show in folder") : undefined,
    el("button", { id: "item-copy", type: "button", onclick: () => copy(details.path) }, icon("copy"), "Copy the path")) : "");
  add("Type", item.mediaType, "item-type");
  add("Sound", soundText(item), "item-sound");
  add("Quality", item.quality === "best" ? "" : item.quality);
  add("Part", item.keptChapters ?? "");
  add("Subtitles", (details.subtitleFiles ?? []).map((each) => each.name).join(", "));
  add("Added", format.moment(item.createdAt));
  return el("section", { "aria-labelledby": "item-about" }, el("h2", { id: "item-about", text: "About" }), el("dl", {}, ...entries));
}

/** Names the tracks with sound, if they say more than that there is sound. */
function soundText(item) {
  const sound = tracks.filter(({ kind }) => kind === "audio");
  if (sound.length === 0) return tracks.length > 0 && isPlayable(item) ? "None" : "";
  const isPlain = sound.length === 1 && !sound[0].language && !sound[0].name && !sound[0].purpose;
  return isPlain ? "" : sound.map(({ title }) => title).join(" · ");
}

async function copy(path) {
  try {
    await navigator.clipboard.writeText(path);
    announce("The path was copied.");
    setText(byId("item-copy").lastChild, "Copied");
  } catch {
    await ask({ title: "Copy the path", body: [path], buttons: [{ label: "Close", kind: "primary" }] });
  }
}

function chapterSection(item) {
  const chapters = details.chapters ?? [];
  if (chapters.length === 0 || !isPlayable(item)) return [];
  const buttons = chapters.map((chapter) => el("button", { type: "button", onclick: () => play(item, { from: chapter.start }) },
    el("span", { class: "time", text: format.clock(chapter.start) }), el("span", { text: chapter.title })));
  return [el("section", { "aria-labelledby": "item-chapters-title" },
    el("h2", { id: "item-chapters-title", text: "Chapters" }),
    el("ol", { id: "item-chapters", class: "item-chapters", role: "list" }, ...buttons.map((each) => el("li", {}, each))))];
}

/** Connects the page of an item to the state. */
export function start() {
  adopt(style);
  places.onChange((place) => follow(place.name === "item" ? place.number ?? 0 : 0));
  store.on("items", draw);
  local.onChange(draw);
  store.on("link", draw);
  store.on("snapshot", () => { if (number > 0) load(); });
}
