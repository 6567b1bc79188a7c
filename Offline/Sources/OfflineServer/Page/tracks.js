// SPDX-License-Identifier: Apache-2.0
// The subtitles and the chapters of the playing item.

import { api, subtitleAddress } from "/api.js";
import { adopt, byId, css, el, setText, show } from "/dom.js";
import * as format from "/format.js";

const style = css`
  .chapters { max-height: 12rem; overflow: auto; padding: 0.5rem 0.6rem 0; }
  .chapters h3 { font-size: 0.9375rem; }
  .chapters ol { list-style: none; padding: 0; margin: 0.25rem 0 0; display: grid; }
  .chapters button { width: 100%; justify-content: start; gap: 0.75rem; text-align: start; border: 0; background: none; overflow-wrap: anywhere; }
  .chapters button[aria-current] { font-weight: 600; }
  .chapters .time { font-variant-numeric: tabular-nums; color: var(--soft); }
`;

const key = "subtitles:language";

/** Returns the language that the user chose last; subtitles are off until the first choice. */
function storedLanguage() {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function storeLanguage(media) {
  const shown = [...media.textTracks].find((track) => track.mode === "showing");
  try {
    if (shown) localStorage.setItem(key, shown.language || shown.label);
    else localStorage.removeItem(key);
  } catch {
    // The browser may forbid storage; the choice then lasts for this film.
  }
}

/** Adds the subtitles beside an item and its chapters to its player. */
export async function addTracks(item, media) {
  show(byId("player-chapters"), false);
  let details;
  try {
    details = await api.item(item.id);
  } catch {
    // The film plays without them.
    return;
  }
  if (!media.isConnected) return;
  addSubtitles(item, media, details.subtitleFiles ?? []);
  addChapters(media, details.chapters ?? []);
}

function addSubtitles(item, media, subtitles) {
  const wanted = storedLanguage();
  const chosen = subtitles.find((each) => (each.language ?? each.name) === wanted);
  for (const each of subtitles) {
    media.append(el("track", {
      kind: "subtitles", src: subtitleAddress(item.id, each.number), srclang: each.language,
      label: each.name, default: each === chosen,
    }));
  }
  // The browser itself makes the first change, when it reads the tracks.
  setTimeout(() => media.textTracks.addEventListener("change", () => {
    if (media.isConnected) storeLanguage(media);
  }), 0);
}

function addChapters(media, chapters) {
  const buttons = chapters.map((chapter) => el("button", {
    type: "button", onclick: () => {
      media.currentTime = chapter.start;
      media.play().catch(() => {});
    },
  }, el("span", { class: "time", text: format.clock(chapter.start) }),
  el("span", { text: chapter.title })));
  byId("player-chapter-list").replaceChildren(...buttons.map((each) => el("li", {}, each)));
  show(byId("player-chapters"), chapters.length > 0);
  media.addEventListener("timeupdate", () => {
    // The times of frames are rounded.
    const current = chapters.findLastIndex((chapter) => chapter.start <= media.currentTime + 0.01);
    buttons.forEach((each, index) => {
      if (index === current) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    });
  });
}

/** Returns the place of the chapters in the player. */
export function chapterList() {
  adopt(style);
  const title = el("h3", { id: "player-chapters-title" });
  setText(title, "Chapters");
  return el("section", {
    id: "player-chapters", class: "chapters", "aria-labelledby": "player-chapters-title", hidden: true,
  }, title, el("ol", { id: "player-chapter-list" }));
}
