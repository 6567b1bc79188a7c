// SPDX-License-Identifier: Apache-2.0
// The view of one item. The parts are changed in place, because the user may be about to press a
// button.

import { localControl } from "../local/control.js";
import { isWatched, mark, resumeTime, share } from "../player/playback.js";
import { play, read } from "../player/player.js";
import { api, saveAddress } from "../shared/api.js";
import { ask, showError } from "../shared/dialog.js";
import { adopt, announce, button, byId, css, drawIcon, el, icon, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as places from "../shared/places.js";
import * as folder from "./folder.js";
import { drawPicture, isPlayable, isReadable } from "./poster.js";

/** @typedef {import("API").ItemRepresentation} Item */

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

/**
 * Plays or shows the item.
 *
 * @param {Item} item
 */
export const begin = (item) => (isPlayable(item) ? play(item) : read(item));

/**
 * Creates the view of an item. `update` shows an item and `found`, which are the facts and the tracks
 * that the server returns for a single item. `isRenamed` is called after the user has changed the title.
 *
 * @param {Item} first
 * @param {() => void} isRenamed
 */
export function makeView(first, isRenamed) {
  let item = first;
  const picture = makePicture();
  const facts = makeFacts();
  const acts = makeActs(() => item);
  const about = makeAbout(() => item);
  const chapters = makeChapters(() => item);
  const title = el("h1", { id: "item-title" });
  const name = el("div", { class: "item-name" }, title,
    el("button", {
      id: "item-rename", type: "button", class: "icon", title: "Rename", "aria-label": "Rename", onclick: () => edit(item, name, isRenamed),
    }, icon("edit")));
  const keep = el("div");
  const note = el("p", { class: "item-note", id: "item-note" });
  const parts = [picture, facts, acts, about, chapters];
  const element = el("div", { class: "item" },
    el("a", { class: "button item-back", href: "#library" }, icon("back"), "Library"),
    picture.element,
    el("div", { class: "item-main" }, name, facts.element, acts.element, keep, note),
    el("div", { class: "item-rest" }, about.element, chapters.element));
  return { element, update };

  function update(next, found) {
    item = next;
    setText(title, item.title);
    for (const part of parts) part.update(item, found);
    show(keep, item.state === "ready" && (isPlayable(item) || isReadable(item)));
    const control = localControl(item);
    if (control.parentElement !== keep) keep.append(control);
    setText(note, item.note);
    show(note, Boolean(item.note));
  }
}

/** Creates the picture with a bar for the played part, which a screen reader finds elsewhere. */
function makePicture() {
  const shot = el("span", { class: "picture" });
  const bar = el("span");
  const seen = el("span", { class: "seen", "aria-hidden": "true" }, bar);
  return {
    element: el("div", { class: "item-picture" }, shot, seen),
    update(item) {
      drawPicture(shot, item);
      show(seen, share(item) > 0);
      bar.style.scale = `${share(item)} 1`;
    },
  };
}

/**
 * Lets the user change the title of an item, in place of the element with the name.
 *
 * @param {Item} item
 * @param {HTMLElement} name
 * @param {() => void} isRenamed
 */
function edit(item, name, isRenamed) {
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
      isRenamed();
    } catch (error) {
      await showError("The item was not renamed", error);
      field.focus();
    }
  });
  name.replaceWith(form);
  field.focus();
  field.select();

  function end() {
    form.replaceWith(name);
    name.querySelector("button").focus();
  }
}

function makeFacts() {
  const text = el("span");
  const watched = el("span", { class: "item-seen" }, icon("check"), "Watched");
  return {
    element: el("p", { class: "item-facts" }, text, watched),
    update(item) {
      const known = [
        format.clock(item.duration), format.bytes(item.size), item.height ? `${item.width} × ${item.height}` : "",
        format.day(item.readyAt ?? item.createdAt),
      ].filter(Boolean).map((fact) => fact.replaceAll(" ", "\u00a0"));
      show(watched, isWatched(item));
      setText(text, [...known, isWatched(item) && ""].filter((fact) => fact !== false).join(" · "));
    },
  };
}

/**
 * Creates the buttons of an item.
 *
 * @param {() => Item} item
 */
function makeActs(item) {
  const symbol = icon("play");
  const start = el("button", { id: "item-play", type: "button", class: "primary", onclick: () => begin(item()) }, symbol, el("span"));
  const downloads = el("a", { class: "button primary", href: "#downloads", text: "Show in Downloads" });
  const restart = button("From the beginning", { id: "item-restart", onclick: () => play(item(), { from: 0 }) });
  const watched = el("button", { id: "item-watched", type: "button", onclick: () => change(item(), !isWatched(item())) }, icon("eye"), el("span"));
  const save = el("a", { id: "item-save", class: "button", download: true, href: saveAddress(item().id) }, icon("save"), "Save a copy");
  const drop = el("button", { id: "item-remove", type: "button", class: "danger", onclick: () => remove(item()) }, icon("trash"), "Remove");
  return {
    element: el("div", { class: "item-acts" }, start, downloads, restart, watched, save, drop),
    update(next) {
      const time = resumeTime(next);
      const isReady = next.state === "ready";
      const plays = isReady && isPlayable(next);
      show(start, plays || (isReady && isReadable(next)));
      drawIcon(symbol.firstChild, plays ? "play" : "file");
      setText(start.lastChild, !plays ? "Read" : time > 0 ? `Resume ${format.clock(time)}` : "Play");
      show(downloads, !isReady);
      show(restart, isReady && time > 0);
      show(watched, plays);
      setText(watched.lastChild, isWatched(next) ? "Mark as unwatched" : "Mark as watched");
      show(save, isReady);
    },
  };
}

/**
 * @param {Item} item
 * @param {boolean} watched
 */
async function change(item, watched) {
  try {
    await mark(item, watched);
    announce(watched ? "Marked as watched." : "Marked as unwatched.");
  } catch (error) {
    await showError("The mark was not changed", error);
  }
}

/** @param {Item} item */
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
    if (places.current().number === item.id) places.go("library");
  } catch (error) {
    await showError("The item was not removed", error);
  }
}

/**
 * Creates the list of the facts. A fact without a value is hidden.
 *
 * @param {() => Item} item
 */
function makeAbout(item) {
  const link = el("a", { target: "_blank", rel: "noreferrer noopener" });
  const origin = el("span");
  const path = el("span", { id: "item-path" });
  const open = el("button", { id: "item-folder", type: "button", onclick: () => folder.showFile(item().id) }, icon("folder"), "Show in folder");
  const copyPath = el("button", { id: "item-copy", type: "button", onclick: () => copy(path.textContent) }, icon("copy"), el("span", { text: "Copy the path" }));
  const entry = (title, value = el("span")) => ({ title: el("dt", { text: title }), value: el("dd", {}, value) });
  const from = entry("From", link);
  from.value.append(origin);
  const file = entry("File", el("div", { class: "item-path" }, path, open, copyPath));
  const [type, sound, quality, part, subtitles, added] = ["Type", "Sound", "Quality", "Part", "Subtitles", "Added"].map((title) => entry(title));
  type.value.id = "item-type";
  sound.value.id = "item-sound";
  const fill = ({ title, value }, text) => {
    setText(value.firstChild, text);
    for (const each of [title, value]) show(each, Boolean(text));
  };
  const entries = [from, file, type, sound, quality, part, subtitles, added].flatMap(({ title, value }) => [title, value]);
  return {
    element: el("section", { "aria-labelledby": "item-about" }, el("h2", { id: "item-about", text: "About" }), el("dl", {}, ...entries)),
    update(next, { details, tracks }) {
      const isAddress = /^https?:/.test(next.address);
      show(link, isAddress);
      setText(link, isAddress ? next.address : "");
      if (isAddress) link.href = next.address;
      setText(origin, isAddress ? "" : next.address.startsWith("import:") ? "Your own file" : next.address);
      if (path.textContent !== (details.path ?? "")) setText(copyPath.lastChild, "Copy the path");
      setText(path, details.path);
      show(open, folder.canShow());
      for (const each of [file.title, file.value]) show(each, Boolean(details.path));
      fill(type, next.mediaType);
      fill(sound, soundText(next, tracks));
      fill(quality, next.quality === "best" ? "" : next.quality);
      fill(part, next.keptChapters);
      fill(subtitles, (details.subtitleFiles ?? []).map((each) => each.name).join(", "));
      fill(added, format.moment(next.createdAt));
    },
  };
}

/**
 * Names the tracks with sound. Returns an empty string if the names add nothing.
 *
 * @param {Item} item
 * @param {import("API").TrackRepresentation[]} tracks
 */
function soundText(item, tracks) {
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

/**
 * Creates the list of the chapters, from which the item plays.
 *
 * @param {() => Item} item
 */
function makeChapters(item) {
  let drawn = "";
  const list = el("ol", { id: "item-chapters", class: "item-chapters", role: "list" });
  const makeChapter = ({ start, title }) => el("li", {},
    el("button", { type: "button", onclick: () => play(item(), { from: start }) },
      el("span", { class: "time", text: format.clock(start) }), el("span", { text: title })));
  const element = el("section", { "aria-labelledby": "item-chapters-title" }, el("h2", { id: "item-chapters-title", text: "Chapters" }), list);
  return {
    element,
    update(next, { details }) {
      const chapters = isPlayable(next) ? details.chapters ?? [] : [];
      show(element, chapters.length > 0);
      const known = JSON.stringify(chapters);
      if (known === drawn) return;
      drawn = known;
      list.replaceChildren(...chapters.map(makeChapter));
    },
  };
}

adopt(style);
