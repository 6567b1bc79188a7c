// SPDX-License-Identifier: Apache-2.0
// The subtitles and the chapters of the playing item.

import * as local from "../local/films.js";
import { api, subtitleAddress } from "../shared/api.js";
import { adopt, byId, css, el, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import { store, stored } from "../shared/stored.js";

const style = css`
  .chapters { padding: 0.9rem 0.75rem; }
  .chapters h2 { font-size: 1rem; padding-inline: 0.5rem; }
  .chapters ol { list-style: none; padding: 0; margin: 0.25rem 0 0; display: grid; }
  .chapters button { width: 100%; min-height: 2.75rem; padding-inline: 0.5rem; justify-content: start; gap: 0.75rem; text-align: start; border: 0; background: none; overflow-wrap: anywhere; font-weight: 500; }
  .chapters button:hover { background: rgb(255 255 255 / 10%); }
  .chapters button[aria-current] { font-weight: 680; color: var(--accent); }
  .chapters .time { flex: none; min-width: 2.75rem; font-variant-numeric: tabular-nums; color: var(--soft); }
`;

let drawSide;

/**
 * The stored name of the language that the user chose last. Subtitles are off until the first
 * choice.
 */
const key = "subtitles:language";

function storeLanguage(media) {
  const shown = [...media.textTracks].find((track) => track.mode === "showing");
  store(key, shown && (shown.language || shown.label));
}

/** Adds the subtitles and the chapters of an item to the player. `take` receives the chapters. */
export async function addTracks(item, media, take) {
  let details;
  try {
    details = await local.details(item.id) ?? await api.item(item.id);
  } catch {
    // The film plays without subtitles and chapters.
    return;
  }
  if (!media.isConnected) return;
  addSubtitles(item, media, details.subtitleFiles ?? []);
  take(details.chapters ?? []);
  addChapters(media, details.chapters ?? []);
}

function addSubtitles(item, media, subtitles) {
  const wanted = stored(key, "");
  const chosen = subtitles.find((each) => (each.language ?? each.name) === wanted);
  for (const each of subtitles) {
    media.append(el("track", {
      kind: "subtitles", src: each.address ?? subtitleAddress(item.id, each.number), srclang: each.language,
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
  drawSide();
  media.addEventListener("timeupdate", () => {
    // The times of frames are rounded.
    const current = chapters.findLastIndex((chapter) => chapter.start <= media.currentTime + 0.01);
    buttons.forEach((each, index) => {
      if (index === current) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    });
  });
}

/**
 * Returns the element for the chapters in the player. `draw` is called when the chapters appear.
 */
export function chapterList(draw) {
  adopt(style);
  drawSide = draw;
  const title = el("h2", { id: "player-chapters-title" });
  setText(title, "Chapters");
  return el("section", {
    id: "player-chapters", class: "chapters", "aria-labelledby": "player-chapters-title", hidden: true,
  }, title, el("ol", { id: "player-chapter-list" }));
}
