// SPDX-License-Identifier: Apache-2.0
// One lesson in the list with the parts, their states in the library, and the buttons.

import { isPlayable } from "../library/poster.js";
import { play, read } from "../player/player.js";
import { api } from "../shared/api.js";
import { showError } from "../shared/dialog.js";
import { announce, css, el, icon, reconcile, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import { explain } from "../shared/remedies.js";
import * as store from "../shared/store.js";

/** The style of the lessons and their groups. */
export const style = css`
  .lesson-group { display: grid; gap: 0.6rem; min-width: 0; }
  .lesson-group > h2 { color: var(--soft); font-size: 0.9375rem; overflow-wrap: anywhere; }
  .lessons { border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); overflow: hidden; }
  .lesson {
    display: grid; grid-template-columns: auto minmax(0, 1fr) auto; align-items: center; gap: 0.5rem 0.9rem; padding: 0.7rem 1.15rem;
    content-visibility: auto; contain-intrinsic-size: auto 4.25rem;
  }
  .lesson + .lesson { border-top: 1px solid var(--line); }
  .lesson .mark { padding: 0.5rem; border-radius: 10px; background: var(--sunken); color: var(--soft); }
  .lesson[data-state="ready"] .mark { background: var(--accent-tint); color: var(--accent); }
  .lesson[data-state="failed"] .mark { background: var(--danger-tint); color: var(--danger); }
  .lesson h3 { font-size: 1rem; font-weight: 560; line-height: 1.35; overflow-wrap: anywhere; }
  .lesson .facts { color: var(--soft); font-size: 0.8125rem; }
  .lesson .error { font-size: 0.8125rem; }
  .lesson .acts { display: flex; flex-wrap: wrap; gap: 0.5rem; justify-content: flex-end; }
  .lesson .acts button { min-height: 2.25rem; font-size: 0.875rem; padding-inline: 0.8rem; }
  .lesson .acts svg { width: 1.1rem; height: 1.1rem; }
  .lesson .acts [data-state="ready"] { border-color: transparent; background: var(--accent-tint); color: var(--accent); }
  .lesson .acts [data-state="failed"] { color: var(--danger); }
  .lesson .acts [data-state="queued"], .lesson .acts [data-state="downloading"] { background: none; color: var(--soft); }
  .lesson progress { grid-column: 2 / -1; height: 4px; }
  @media (max-width: 600px) {
    .lesson { grid-template-columns: auto minmax(0, 1fr); padding: 0.8rem 0.9rem; align-items: start; contain-intrinsic-size: auto 7rem; }
    .lesson .acts { grid-column: 2 / -1; justify-content: flex-start; }
  }
`;

const names = { audio: "Audio", video: "Video", text: "Text" };
const kinds = { audio: "note", video: "library", text: "file" };
const icons = { queued: "clock", downloading: "downloads", ready: "check", failed: "alert" };

/**
 * Returns the library's items by address. For each address, the result is the ready item, or else
 * the newest, like on the server.
 */
export function known() {
  const best = new Map();
  for (const item of store.all()) {
    const before = best.get(item.address);
    if (!before || (item.state === "ready" && before.state !== "ready")) best.set(item.address, item);
  }
  return best;
}

function stateOf(item) {
  if (!item || ["missing", "paused"].includes(item.state)) return "notDownloaded";
  return ["queued", "ready", "failed"].includes(item.state) ? item.state : "downloading";
}

/**
 * Returns the state of several parts. The state is ready if all parts are ready, else the state of
 * the most active part.
 */
function whole(states) {
  if (states.length > 0 && states.every((state) => state === "ready")) return "ready";
  return ["downloading", "queued", "failed"].find((state) => states.includes(state)) ?? "notDownloaded";
}

/** Creates the view of a group with the lessons. */
export function makeGroup(first) {
  const views = new Map();
  const title = el("h2", { id: `lessons-group-${first.number}` });
  const list = el("ul", { role: "list", class: "lessons", "aria-labelledby": title.id });
  const element = el("li", { class: "lesson-group" }, title, list);
  return {
    element,
    update(group) {
      setText(title, group.title || `Part ${group.number + 1}`);
      const lessons = group.lessons.map((lesson) => ({ ...lesson, items: group.items }));
      reconcile(list, views, lessons, (lesson) => lesson.id, makeLesson);
    },
  };
}

function makeLesson(first) {
  let lesson = first;
  const mark = el("span", { class: "mark" });
  const title = el("h3");
  const facts = el("p", { class: "facts" });
  const error = el("p", { class: "error" });
  const bar = el("progress", { max: "1" });
  const acts = el("div", { class: "acts" });
  const element = el("li", { class: "lesson" }, mark,
    el("div", { class: "what" }, title, facts, error), acts, bar);
  const buttons = new Map();
  for (const group of groupsOf(first)) {
    const button = makeButton(group, () => lesson);
    buttons.set(group, button);
    acts.append(button.element);
  }
  return { element, update };

  function update(next) {
    lesson = next;
    const items = lesson.parts.map((part) => lesson.items.get(part.address));
    const states = groupsOf(lesson).map((group) => buttons.get(group)?.update(lesson) ?? "notDownloaded");
    const state = overall(states);
    element.dataset.id = lesson.id;
    element.dataset.state = state;
    setText(title, lesson.title);
    setText(facts, describe(lesson, state));
    const failed = items.find((item) => item?.state === "failed");
    setText(error, state === "failed" && failed ? explain(failed.error) : "");
    drawMark(mark, icons[state] ?? kinds[lesson.parts[0]?.part] ?? "file");
    drawBar(bar, lesson, state, items);
  }
}

/**
 * Returns the download groups of a lesson. The group for text is included only if no other group
 * exists.
 */
function groupsOf(lesson) {
  const groups = Object.keys(names).filter((name) => name in lesson.downloads);
  return groups.length > 1 ? groups.filter((name) => name !== "text") : groups;
}

const partsOf = (lesson, group) =>
  lesson.parts.filter(({ part }) => part === group || part === "text");

/**
 * Returns the state of a lesson. A lesson is ready if a download group is ready and none is active
 * or failed.
 */
function overall(states) {
  return ["downloading", "queued", "failed", "ready"].find((state) => states.includes(state))
    ?? "notDownloaded";
}

function describe(lesson, state) {
  const has = lesson.parts.map(({ part }) => names[part].toLowerCase());
  const text = has.length > 1 ? `${has.slice(0, -1).join(", ")} and ${has.at(-1)}` : has[0] ?? "";
  const words = {
    queued: "Waiting for its turn", downloading: "Downloading", ready: "Ready", failed: "Failed",
  };
  return [words[state], text ? text[0].toUpperCase() + text.slice(1) : "Nothing to download"]
    .filter(Boolean).join(" · ");
}

function drawMark(mark, name) {
  if (mark.dataset.shown === name) return;
  mark.dataset.shown = name;
  mark.replaceChildren(icon(name));
}

function drawBar(bar, lesson, state, items) {
  show(bar, state === "downloading");
  bar.setAttribute("aria-label", `Progress of ${lesson.title}`);
  const value = fraction(items);
  if (value === undefined) bar.removeAttribute("value");
  else bar.value = value;
}

/**
 * Returns the joint progress of parts from 0 to 1, or undefined while the progress of a part is
 * unknown.
 */
function fraction(items) {
  const parts = items.filter((item) => stateOf(item) !== "notDownloaded").map(shareOf);
  if (parts.length === 0 || !parts.every((part) => Number.isFinite(part))) return undefined;
  return parts.reduce((sum, part) => sum + part, 0) / parts.length;
}

function shareOf(item) {
  if (item.state === "ready") return 1;
  return stateOf(item) === "downloading" ? item.fraction : item.fraction ?? 0;
}

/**
 * Creates a button for the next step of a download group, which is download, show, play or retry.
 */
function makeButton(group, lesson) {
  let state = "notDownloaded";
  const picture = el("span");
  const label = el("span");
  const element = el("button", { type: "button", onclick: act, "data-group": group }, picture, label);
  return { element, update };

  function update(next) {
    state = whole(partsOf(next, group).map((part) => stateOf(next.items.get(part.address))));
    const hasText = group !== "text" && next.parts.some(({ part }) => part === "text");
    const name = hasText ? `${names[group]} + text` : names[group];
    const spoken = name.replace("+", "and").toLowerCase();
    const verb = group === "text" ? "Read" : "Play";
    const share = fraction(partsOf(next, group).map((part) => next.items.get(part.address)));
    const [sign, text, long] = {
      notDownloaded: ["save", name, `Download ${spoken}`],
      queued: ["clock", `${names[group]} is waiting`, `Show in Downloads: ${spoken}, waiting`],
      downloading: ["downloads", `${names[group]} ${share === undefined ? "…" : format.percent(share)}`,
        `Show in Downloads: ${spoken}, downloading`],
      ready: ["play", `${verb} ${names[group].toLowerCase()}`, `${verb} ${names[group].toLowerCase()}`],
      failed: ["refresh", `Retry ${names[group].toLowerCase()}`, `Try again: ${spoken}`],
    }[state];
    element.dataset.state = state;
    drawMark(picture, state === "ready" && group === "text" ? "file" : sign);
    setText(label, text);
    element.setAttribute("aria-label", `${long}: ${next.title}`);
    return state;
  }

  async function act() {
    const now = lesson();
    const item = (name) => now.items.get(now.parts.find(({ part }) => part === name)?.address);
    if (state === "ready") {
      const textItem = item("text");
      if (group === "text" || !isPlayable(item(group))) read(textItem ?? item(group), now.title);
      else play(item(group), { title: now.title, textItem });
    } else if (state === "queued" || state === "downloading") {
      location.hash = "#downloads";
    } else {
      try {
        await api.downloadLesson(now.id, group);
        announce(`${now.title} was added to the downloads.`);
      } catch (error) {
        await showError("The lesson could not be downloaded", error);
      }
    }
  }
}
