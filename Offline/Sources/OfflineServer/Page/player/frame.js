// SPDX-License-Identifier: Apache-2.0
// The element of the player, either a page that covers the other pages, or a bar at the bottom.

import { adopt, byId, css, el, mount, setText, show } from "../shared/dom.js";
import * as places from "../shared/places.js";
import { control, label, styles } from "./controls.js";
import { makeList } from "./nextlist.js";
import { chapterList } from "./tracks.js";
import * as trouble from "./trouble.js";

const style = css`
  .player {
    --ground: #0b0f0e; --surface: #141918; --raised: #1d2322; --sunken: #0d1110; --line: #39423f; --edge: #7d8985; --ink: #eef2f0;
    --soft: #a9b4b0; --accent: #6ad7cb; --accent-ink: #06302c; --accent-tint: #173733; color-scheme: dark;
    position: fixed; inset: 0; z-index: 7; background: var(--ground); color: var(--ink);
  }
  .player[data-mode="page"] {
    display: grid; grid-template: "head head" auto "stage side" minmax(0, 1fr) "note side" auto "controls controls" auto / minmax(0, 1fr) auto;
  }
  .player:focus { outline: none; }
  .player-head {
    grid-area: head; display: flex; align-items: center; gap: 0.5rem; min-width: 0;
    padding: max(0.4rem, env(safe-area-inset-top)) max(0.5rem, env(safe-area-inset-right)) 0.4rem max(0.5rem, env(safe-area-inset-left));
  }
  .player-head h2 { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .stage { grid-area: stage; position: relative; display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); place-items: center; min-height: 0; min-width: 0; }
  .stage > * { grid-area: 1 / 1; }
  .stage video { width: 100%; height: 100%; object-fit: contain; background: #000; display: block; }
  .stage .art { max-width: min(36rem, 92%); max-height: 92%; border-radius: 16px; object-fit: contain; }
  .stage .art-none { width: 7rem; height: 7rem; padding: 1.6rem; border-radius: 2rem; background: var(--accent-tint); color: var(--accent); }
  .stage audio { display: none; }
  .player-side { grid-area: side; min-height: 0; overflow: auto; width: 21rem; border-left: 1px solid var(--line); }
  .words { padding: 0.9rem 1rem 1.4rem; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.6; }
  .player[data-kind="text"] .upnext { display: none; }
  .player[data-kind="text"] .player-side { grid-area: stage; width: auto; border: 0; justify-self: center; max-width: 46rem; }
  .player .fine { grid-area: note; padding: 0.4rem 1rem; }
  .player .fine:empty { visibility: hidden; padding-block: 0; }
  .player-said {
    position: absolute; top: 4rem; left: 50%; translate: -50% 0; z-index: 2; padding: 0.3rem 0.9rem; border-radius: 1rem;
    background: rgb(0 0 0 / 75%); color: #fff; font-size: 0.9375rem; pointer-events: none;
  }
  .player-said:empty { display: none; }
  .player .controls { grid-area: controls; }
  .player-bar { display: none; }

  .player:fullscreen { grid-template: "stage" minmax(0, 1fr) "controls" auto / minmax(0, 1fr); }
  .player:fullscreen .stage { grid-row: 1 / -1; }
  .player:fullscreen :is(.player-head, .player-side, .fine) { display: none; }
  .player:fullscreen .controls { z-index: 1; background: linear-gradient(transparent, rgb(0 0 0 / 85%)); padding-top: 2rem; transition: opacity 0.2s; }
  .player:fullscreen[data-idle] .controls { opacity: 0; }
  .player:fullscreen[data-idle] { cursor: none; }

  .player[data-mode="bar"] {
    inset: auto 0 0 var(--bar); display: grid; grid-template-columns: auto minmax(0, 1fr) auto; align-items: center; gap: 0.75rem;
    padding: 0.5rem 0.9rem max(0.5rem, env(safe-area-inset-bottom)); border-top: 1px solid var(--line);
  }
  .player[data-mode="bar"] :is(.player-head, .player-side, .fine, .controls, .trouble, .art, .art-none, .player-said) { display: none; }
  .player[data-mode="bar"] .stage { grid-area: auto; width: 6.5rem; aspect-ratio: 16 / 9; border-radius: 8px; overflow: hidden; background: #000; }
  .player[data-mode="bar"][data-kind="audio"] .stage { display: none; }
  .player[data-mode="bar"] .player-bar { display: contents; }
  .player-bar .back-to { display: grid; text-align: start; justify-content: stretch; min-width: 0; border: 0; background: none; color: var(--ink); padding: 0.2rem 0; gap: 0.25rem; font-weight: 560; min-height: 2.75rem; align-content: center; }
  .player-bar .back-to span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .player-bar .back-to progress { height: 3px; background: rgb(255 255 255 / 22%); }
  .player-bar .acts { display: flex; }
  body:has(.player[data-mode="bar"]) main { padding-bottom: 9rem; }
  html:has(.player[data-mode="bar"]) { scroll-padding-bottom: 6.5rem; }
  body:has(.player[data-mode="bar"]) .toasts { bottom: 6rem; }
  body:has(.player[data-mode="page"]) { overflow: hidden; }
  body:has(.player[data-mode="page"]) > :is(.bar, main, .skip) { visibility: hidden; }

  @media (max-width: 60rem) {
    .player[data-mode="page"] { grid-template: "head" auto "stage" minmax(0, 1fr) "note" auto "controls" auto "side" auto / minmax(0, 1fr); }
    .player-side { width: auto; border-left: 0; border-top: 1px solid var(--line); max-height: 34dvh; }
    .player[data-kind="audio"] .player-side:has(.words:not([hidden])) { max-height: 50dvh; }
    .player[data-kind="text"] .player-side { max-height: none; border: 0; }
  }
  /* A phone on its side shows the film; upright it has room for the lists. */
  @media (max-width: 60rem) and (max-height: 27rem) { .player[data-kind="video"] .player-side { display: none; } }
  @media (max-width: 600px) {
    .player[data-mode="bar"] { inset: auto 0 calc(3.6rem + env(safe-area-inset-bottom)); padding: 0.4rem 0.6rem; gap: 0.5rem; }
    .player[data-mode="bar"] .stage { width: 4.5rem; }
    body:has(.player[data-mode="bar"]) main { padding-bottom: 15rem; }
    html:has(.player[data-mode="bar"]) { scroll-padding-bottom: 13rem; }
    body:has(.player[data-mode="bar"]) .field { translate: 0 -3.6rem; }
    body:has(.player[data-mode="bar"]) .toasts { bottom: 9.5rem; }
  }
  @media (forced-colors: active) {
    .player {
      --ground: Canvas; --surface: Canvas; --raised: Canvas; --sunken: Canvas; --line: CanvasText; --edge: CanvasText; --ink: CanvasText;
      --soft: CanvasText; --accent: CanvasText; --accent-ink: Canvas; --accent-tint: Canvas; color-scheme: inherit;
    }
    .player[data-mode="bar"] { border-top: 1px solid CanvasText; }
  }
`;

let opener;
let said = 0;
let idle = 0;

/** The element of the player, and the element with the media element and the pictures. */
export const player = () => byId("player");
export const stage = () => byId("player-stage");
export const isPage = () => player().dataset.mode === "page";
export const isClosed = () => player().dataset.mode === "closed";

/** Covers the page with the player. `title` names the content of the player. */
export function enter(title) {
  if (isPage()) {
    places.setCoverTitle(title);
    return;
  }
  const active = document.activeElement;
  if (active && active !== document.body && !player().contains(active)) opener = active;
  setMode("page", title);
  player().focus({ preventScroll: true });
}

/** Uncovers the page and continues in the bar. */
export function shrink() {
  setMode("bar");
  returnFocus();
}

/** Hides the player. */
export function hide() {
  if (isClosed()) return;
  const wasPage = isPage();
  setMode("closed");
  if (wasPage) returnFocus();
}

function setMode(mode, title) {
  const element = player();
  element.dataset.mode = mode;
  show(element, mode !== "closed");
  element.setAttribute("role", mode === "page" ? "main" : "region");
  byId("player-title").setAttribute("aria-level", mode === "page" ? "1" : "2");
  places.setCoverTitle(mode === "page" ? title : undefined);
  for (const each of document.querySelectorAll("body > .bar, body > main, body > .skip")) {
    each.inert = mode === "page";
  }
}

function returnFocus() {
  // The place beneath the player may have been drawn again.
  const again = opener?.isConnected ? opener : byId(opener?.id);
  const target = again?.checkVisibility() ? again : document.querySelector("main > :not([hidden]) h1");
  opener = undefined;
  if (!target) return;
  if (!target.matches("button, a, input, [tabindex]")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/**
 * Names the content of the player. `kind` is video, audio or text. Only content with `isMedia` has
 * controls.
 */
export function setShown(title, kind, isMedia) {
  player().dataset.kind = kind;
  setText(byId("player-title"), title);
  setText(byId("player-bar-title"), title);
  show(byId("player-shrink"), isMedia);
  show(document.querySelector(".player .controls"), isMedia);
}

/** Empties the player for another item. */
export function clear() {
  byId("player-words").textContent = "";
  show(byId("player-words"), false);
  show(byId("player-chapters"), false);
  note("");
  setText(byId("player-said"), "");
}

/** Shows a message below the picture. */
export const note = (text) => setText(byId("player-note"), text);

/**
 * Shows a message for a moment, or until the next message, on the screen and for screen readers.
 */
export function say(text, lasts = false) {
  setText(byId("player-said"), text);
  clearTimeout(said);
  if (!lasts) said = setTimeout(() => setText(byId("player-said"), ""), 2500);
}

/** Shows the side panel if one of the parts is visible. */
export function drawSide() {
  const parts = ["player-words", "player-chapters", "player-next"];
  show(byId("player-side"), parts.some((id) => !byId(id).hidden));
}

function makeBar({ controls, visit, close }) {
  const toggle = control("pause", "Pause", controls.toggle);
  const time = el("progress", { max: "1", value: "0", "aria-label": "Played" });
  const element = el("div", { class: "player-bar" },
    el("button", { type: "button", class: "back-to", title: "Back to the player", onclick: visit },
      el("span", { id: "player-bar-title" }), time),
    el("div", { class: "acts" }, toggle, control("chevron-up", "Back to the player", visit),
      control("close", "Stop playing", close)));
  const draw = ({ target }) => {
    if (!target.isConnected) return;
    label(toggle, target.paused ? "play" : "pause", target.paused ? "Play" : "Pause");
    time.value = target.duration > 0 ? target.currentTime / target.duration : 0;
  };
  for (const event of ["timeupdate", "play", "pause"]) stage().addEventListener(event, draw, true);
  return element;
}

/**
 * Shows the controls. In the full screen, the controls disappear while the user does nothing and
 * the film plays.
 */
export function wake() {
  clearTimeout(idle);
  delete player().dataset.idle;
  idle = setTimeout(() => {
    const isBusy = document.querySelector(".controls :focus-visible, .tuning:popover-open") !== null;
    if (stage().querySelector("video, audio")?.paused === false && !isBusy) player().dataset.idle = "";
  }, 3000);
}

function watchStage({ controls, visit }) {
  stage().addEventListener("click", ({ target, pointerType }) => {
    if (!target.closest("video, .art, .art-none")) return;
    if (!isPage()) visit();
    // The first touch in the full screen only shows the controls.
    else if (pointerType !== "touch" || !document.fullscreenElement) controls.toggle();
  });
  stage().addEventListener("dblclick", ({ target }) => { if (target.closest("video")) controls.toggleScreen(); });
  for (const event of ["pointermove", "pointerdown", "focusin"]) player().addEventListener(event, wake);
}

/**
 * Fills the element on the page. `visit`, `leave`, `shrink` and `close` open and close the player,
 * and `skip` and `jump` go to other items.
 */
export function start(ways) {
  const list = makeList({
    skip: () => ways.skip(1), jump: ways.jump,
    drawSide: (title) => { ways.controls.setNext(title); drawSide(); },
  });
  adopt(style, ...styles, trouble.style);
  mount("player", [
    el("div", { class: "player-head" },
      control("back", "Close the player", ways.leave),
      el("h2", { id: "player-title", "aria-level": "1" }),
      control("chevron-down", "Go on in a bar below", ways.shrink)),
    el("div", { id: "player-stage", class: "stage" }),
    el("p", { id: "player-note", class: "fine", role: "status" }),
    ways.controls.element,
    el("div", { id: "player-side", class: "player-side", hidden: true },
      list.element, chapterList(drawSide),
      el("div", {
        id: "player-words", class: "words", tabindex: "0", role: "region", "aria-label": "Text", hidden: true,
      })),
    el("p", { id: "player-said", class: "player-said", role: "status" }),
  ]);
  const [back, , down] = document.querySelector(".player-head").children;
  back.id = "player-close";
  down.id = "player-shrink";
  player().append(makeBar(ways));
  setMode("closed");
  watchStage(ways);
  list.draw();
}
