// SPDX-License-Identifier: Apache-2.0
// The poster of a finished item, with a picture or a colored placeholder, the title and the facts.

import { isPlayable, isReadable, isWatched, share } from "../player/playback.js";
import { play, read } from "../player/player.js";
import { pictureAddress } from "../shared/api.js";
import { adopt, css, el, icon, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import { makeActions } from "./cardmenu.js";
import * as selection from "./selection.js";
import * as shelf from "./shelf.js";

/** @typedef {import("API").ItemRepresentation} Item */

adopt(css`
  .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: 1.75rem 1.25rem; margin-bottom: 1.5rem; }
  .card { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.6rem 0.25rem; align-content: start; min-width: 0; }
  .card .open {
    grid-column: 1 / -1; position: relative; display: block; width: 100%; padding: 0; aspect-ratio: 16 / 9; overflow: hidden;
    border-radius: var(--radius); border: 0; background: var(--sunken); color: var(--soft); box-shadow: 0 0 0 1px var(--line);
  }
  .card .open:disabled { opacity: 1; }
  .card .open:focus-visible { outline-offset: 3px; }
  .picture, .picture img { display: block; width: 100%; height: 100%; object-fit: cover; }
  .picture { display: grid; place-items: center; }
  .picture > svg { width: 2.75rem; height: 2.75rem; opacity: 0.85; stroke-width: 1.3; }
  .picture:not(:has(img)) {
    color: hsl(var(--hue) 45% 26%);
    background: linear-gradient(145deg, hsl(var(--hue) 48% 84%), hsl(calc(var(--hue) + 45) 42% 70%));
  }
  .picture img { transition: scale 0.3s; }
  .open:hover:enabled .picture img { scale: 1.03; }
  .disc {
    position: absolute; inset: 0; margin: auto; width: 3.25rem; height: 3.25rem; border-radius: 50%; display: grid; place-items: center;
    background: rgb(0 0 0 / 62%); color: #fff; opacity: 0; transition: opacity 0.15s;
  }
  .open:hover:enabled .disc, .open:focus-visible .disc { opacity: 1; }
  .picture:not(:has(img)) ~ .disc { display: none; }
  .length {
    position: absolute; right: 0.5rem; bottom: 0.5rem; padding: 0.05rem 0.4rem; border-radius: 6px; font-size: 0.8125rem;
    font-weight: 560; font-variant-numeric: tabular-nums; background: rgb(0 0 0 / 76%); color: #fff;
  }
  .card h2, .card h3 { font-size: 1rem; font-weight: 600; line-height: 1.35; display: -webkit-box; -webkit-line-clamp: 2; line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; overflow-wrap: anywhere; }
  .watched { position: absolute; left: 0.5rem; top: 0.5rem; padding: 0.15rem; border-radius: 50%; background: rgb(0 0 0 / 76%); color: #6ad7cb; }
  .open:has(.seen:not([hidden])) .length { bottom: 0.8rem; }
  .card :is(h2, h3) a { color: inherit; text-decoration: none; }
  .card :is(h2, h3) a:hover { text-decoration: underline; }
  .card .facts { color: var(--soft); font-size: 0.8125rem; }
  .card .text { display: contents; }
  .card .facts { grid-column: 1 / -1; order: 2; margin-top: -0.4rem; }
  .card .acts { margin-top: -0.5rem; margin-bottom: -0.5rem; }
  @media (prefers-color-scheme: dark) {
    .picture:not(:has(img)) {
      color: hsl(var(--hue) 45% 84%);
      background: linear-gradient(145deg, hsl(var(--hue) 34% 32%), hsl(calc(var(--hue) + 45) 38% 20%));
    }
  }
  @media (max-width: 600px) {
    .cards { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.25rem 0.75rem; }
    .card .acts { margin-right: -0.6rem; }
    .card :is(h2, h3) { display: block; }
    .card :is(h2, h3) a { display: -webkit-box; -webkit-line-clamp: 2; line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; min-height: 2.75rem; }
    .disc { width: 2.75rem; height: 2.75rem; }
  }
  @media (hover: none) { .picture:has(img) ~ .disc { opacity: 1; } }
  @media (forced-colors: active) { .card .open { border: 1px solid CanvasText; } }
`);

export { isPlayable, isReadable } from "../player/playback.js";

/** Returns an angle on the color wheel, always the same for a title. */
const hue = (title) => [...title].reduce((sum, sign) => (sum * 31 + sign.codePointAt(0)) % 360, 7);

/**
 * Draws the picture of an item, or a colored placeholder.
 *
 * @param {HTMLElement} place
 * @param {Item & { picture?: string }} item
 */
export function drawPicture(place, item) {
  const wanted = item.hasPicture ? item.picture ?? pictureAddress(item.id) : "";
  place.style.setProperty("--hue", hue(item.title));
  const kind = (item.mediaType ?? "").startsWith("audio/") ? "note" : "file";
  const symbol = isPlayable(item) && kind !== "note" ? "library" : kind;
  const next = wanted || symbol;
  if (place.dataset.shown === next) return;
  place.dataset.shown = next;
  place.replaceChildren(wanted
    ? el("img", { src: wanted, alt: "", loading: "lazy", decoding: "async" })
    : icon(symbol));
}

/**
 * Creates the poster of an item. `heading` is the level of the title, and `hasActions` adds the
 * buttons.
 *
 * @param {Item} first
 */
export function makePoster(first, { heading = "h2", hasActions = true } = {}) {
  let item = first;
  const picture = el("span", { class: "picture" });
  const length = el("span", { class: "length" });
  const bar = el("span");
  const seen = el("span", { class: "seen", "aria-hidden": "true" }, bar);
  const watched = el("span", { class: "watched", title: "Watched" }, icon("check"), el("span", { class: "quiet", text: "Watched" }));
  const link = el("a", { href: `#item-${item.id}` });
  const title = el(heading, {}, link);
  const facts = el("p", { class: "facts" });
  const start = el("button", {
    type: "button", class: "open", onclick: () => (isPlayable(item) ? play(item, hasActions ? { collection: shelf.choice().collection || undefined } : {}) : read(item)),
  }, picture, el("span", { class: "disc" }, icon("play")), length, watched, seen,
  hasActions ? el("span", { class: "mark", "aria-hidden": "true" }, icon("tick")) : undefined);
  const acts = hasActions ? makeActions(() => item) : undefined;
  const element = el("li", { class: "card" }, start, el("div", { class: "text" }, title, facts), acts?.element);
  return { element, update };

  function update(next) {
    item = next;
    element.dataset.id = item.id;
    setText(link, item.title);
    show(seen, share(item) > 0);
    bar.style.scale = `${share(item)} 1`;
    show(watched, isWatched(item));
    setText(length, format.clock(item.duration));
    show(length, Number.isFinite(item.duration));
    setText(facts, [
      format.bytes(item.size), format.day(item.readyAt),
    ].filter(Boolean).map((fact) => fact.replaceAll(" ", "\u00a0")).join(" · "));
    const verb = isPlayable(item) ? "Play " : isReadable(item) ? "Read " : "";
    const isSelecting = hasActions && selection.isOn();
    start.disabled = !verb && !isSelecting;
    start.setAttribute("aria-label", (isSelecting ? "Select " : verb) + item.title);
    if (isSelecting) start.setAttribute("aria-pressed", String(selection.has(item.id)));
    else start.removeAttribute("aria-pressed");
    element.classList.toggle("selected", isSelecting && selection.has(item.id));
    drawPicture(picture, item);
    acts?.update(element);
  }
}
