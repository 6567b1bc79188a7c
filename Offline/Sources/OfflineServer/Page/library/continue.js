// SPDX-License-Identifier: Apache-2.0
// The row “Continue watching” with the items started on any device, the last played first.

import { resumeTime, share } from "../player/playback.js";
import { play } from "../player/player.js";
import { adopt, css, el, reconcile, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as store from "../shared/store.js";
import { drawPicture } from "./poster.js";

const style = css`
  .continue { min-width: 0; }
  .continue h2 { margin-bottom: 0.9rem; font-size: 1.25rem; }
  .continue ul {
    display: grid; grid-auto-flow: column; grid-auto-columns: minmax(13rem, 17rem); justify-content: start; gap: 1rem; overflow-x: auto; padding: 4px; margin: -4px;
    scroll-snap-type: x proximity; scroll-padding-inline: 4px; scrollbar-width: thin;
  }
  .continue li { scroll-snap-align: start; min-width: 0; }
  .continue button { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; width: 100%; padding: 0; border: 0; background: none; text-align: start; justify-content: stretch; font-weight: 500; }
  .continue .shot { position: relative; aspect-ratio: 16 / 9; border-radius: var(--radius); overflow: hidden; background: var(--sunken); color: var(--soft); display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); place-items: center; box-shadow: 0 0 0 1px var(--line); }
  .continue strong { display: block; font-weight: 620; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .continue .left { color: var(--soft); font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
  .seen { position: absolute; inset: auto 0 0; height: 5px; background: rgb(0 0 0 / 55%); }
  .seen span { display: block; height: 100%; background: #6ad7cb; transform-origin: left; }
  @media (forced-colors: active) { .continue .shot { border: 1px solid CanvasText; } .seen { background: Canvas; border-top: 1px solid CanvasText; } .seen span { background: Highlight; forced-color-adjust: none; } }
  @media (max-width: 600px) { .continue ul { grid-auto-columns: minmax(10rem, 62vw); } }
`;

/** The number of items in the row. */
const limit = 20;

/** Returns the items that the user can continue, with the last played item first. */
export const begun = () => store.all()
  .filter((item) => item.state === "ready" && resumeTime(item) > 0)
  .sort((a, b) => String(b.playback.playedAt).localeCompare(String(a.playback.playedAt)) || b.id - a.id)
  .slice(0, limit);

/**
 * Fills a section with the row. The row follows the state of the page, and is hidden while there is
 * nothing to continue.
 */
export function start(section) {
  adopt(style);
  const views = new Map();
  const list = el("ul", { role: "list" });
  section.classList.add("continue");
  section.setAttribute("aria-labelledby", "continue-title");
  section.append(el("h2", { id: "continue-title", text: "Continue watching" }), list);
  const draw = () => {
    const items = begun();
    reconcile(list, views, items, (item) => item.id, makeEntry);
    show(section, items.length > 0);
  };
  store.on("items", draw);
  store.on("fill", store.loadPlayback);
}

function makeEntry(first) {
  let item = first;
  const bar = el("span");
  const picture = el("span", { class: "picture" });
  const shot = el("span", { class: "shot" }, picture, el("span", { class: "seen", "aria-hidden": "true" }, bar));
  const title = el("strong");
  const left = el("span", { class: "left" });
  const element = el("li", {}, el("button", { type: "button", onclick: () => play(item) }, shot, el("span", {}, title, left)));
  return {
    element,
    update(next) {
      item = next;
      element.dataset.id = item.id;
      setText(title, item.title);
      drawPicture(picture, item);
      setText(left, item.duration > 0 ? format.remaining(item.duration - resumeTime(item)) : `at ${format.clock(resumeTime(item))}`);
      bar.style.scale = `${share(item)} 1`;
    },
  };
}
