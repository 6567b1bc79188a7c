// SPDX-License-Identifier: Apache-2.0
// The player: a page of its own (#play-12, #read-12), or a bar at the bottom while the person browses.

import { mediaAddress, pictureAddress } from "./api.js";
import { control, label, makeControls, styles } from "./controls.js";
import { adopt, announce, byId, css, el, icon, mount, setText, show } from "./dom.js";
import * as format from "./format.js";
import * as places from "./places.js";
import * as playback from "./playback.js";
import * as session from "./session.js";
import * as store from "./store.js";
import { addTracks, chapterList } from "./tracks.js";
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
  .stage { grid-area: stage; position: relative; display: grid; place-items: center; min-height: 0; min-width: 0; }
  .stage > * { grid-area: 1 / 1; }
  .stage video { width: 100%; height: 100%; object-fit: contain; background: #000; display: block; }
  .stage .art { max-width: min(36rem, 92%); max-height: 92%; border-radius: 16px; object-fit: contain; }
  .stage .art-none { width: 7rem; height: 7rem; padding: 1.6rem; border-radius: 2rem; background: var(--accent-tint); color: var(--accent); }
  .stage audio { display: none; }
  .player-side { grid-area: side; min-height: 0; overflow: auto; width: 21rem; border-left: 1px solid var(--line); }
  .words { padding: 0.9rem 1rem 1.4rem; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.6; }
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
  body:has(.player[data-mode="bar"]) .toasts { bottom: 6rem; }
  body:has(.player[data-mode="page"]) { overflow: hidden; }
  body:has(.player[data-mode="page"]) > :is(.bar, main, .skip) { visibility: hidden; }

  @media (max-width: 60rem) {
    .player[data-mode="page"] { grid-template: "head" auto "stage" minmax(0, 1fr) "note" auto "controls" auto "side" auto / minmax(0, 1fr); }
    .player-side { width: auto; border-left: 0; border-top: 1px solid var(--line); max-height: 34dvh; }
    .player[data-kind="audio"] .player-side:has(.words:not([hidden])) { max-height: 50dvh; }
    .player[data-kind="text"] .player-side { max-height: none; border: 0; }
  }
  @media (max-width: 600px) {
    .player[data-mode="bar"] { inset: auto 0 calc(3.6rem + env(safe-area-inset-bottom)); padding: 0.4rem 0.6rem; gap: 0.5rem; }
    .player[data-mode="bar"] .stage { width: 4.5rem; }
    body:has(.player[data-mode="bar"]) main { padding-bottom: 15rem; }
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

/** What the player shows: the item, its media element (not for a text), and how to end them. */
let shown;
let controls;
let opener;
let said = 0;
let idle = 0;
/** Whether the player becomes a bar, and does not close, when its address is left. */
let shrinks = false;

const player = () => byId("player");
const isPage = () => player().dataset.mode === "page";
const addressOf = ({ item, textItem, media }) =>
  `#${media ? "play" : "read"}-${item.id}${media && textItem ? `?text=${textItem.id}` : ""}`;

/** Opens the player and continues the item where it was left; shows the text of another item beside it. */
export function play(item, { title = item.title, textItem, from } = {}) {
  if (shown?.media && shown.item.id === item.id) {
    if (from !== undefined) controls.seekTo(from);
    shown.media.play().catch(() => {});
  } else {
    open(item, title, textItem, from);
  }
  visit();
}

/** Opens the player with only the text of an item. */
export function read(item, title = item.title) {
  close();
  begin({ item, textItem: item, title }, "text");
  visit();
}

/** Gives the player its address, so that Back closes it. */
function visit() {
  const address = addressOf(shown);
  enter();
  if (location.hash === address) return;
  location.hash = address;
  // Remembered beyond a reload: without a place of this page beneath, Back would leave it.
  history.replaceState({ isAbove: true }, "");
}

/**
 * Follows the address of the page; returns whether it is that of the player, which leaves the section
 * beneath as it is.
 */
function follow(address) {
  const [, kind, id, textID] = /^#(play|read)-(\d+)(?:\?text=(\d+))?$/.exec(address) ?? [];
  if (!kind) {
    if (isPage()) {
      if (shrinks && shown?.media) shrink();
      else close();
    }
    shrinks = false;
    return false;
  }
  if (shown && addressOf(shown) === address) enter();
  else openAddress(kind, Number(id), Number(textID ?? 0));
  return true;
}

async function openAddress(kind, id, textID) {
  const [item, textItem] = [await store.get(id), textID ? await store.get(textID) : undefined];
  if (!follows(kind, id)) return;
  if (item?.state === "ready") {
    close();
    if (kind === "play") open(item, item.title, textItem);
    else begin({ item, textItem: item, title: item.title }, "text");
    enter();
  } else {
    history.replaceState(null, "", item ? `#item-${id}` : "#home");
    places.refresh();
    announce(item ? `${item.title} is not finished yet.` : "There is no such item.");
  }
}

const follows = (kind, id) => location.hash.startsWith(`#${kind}-${id}`)
  && !(shown && addressOf(shown) === location.hash);

/** Leaves the player for the place beneath. */
function leave() {
  if (history.state?.isAbove) history.back();
  else {
    history.replaceState(null, "", "#home");
    places.refresh();
  }
}

/** Covers the page with the player. */
function enter() {
  if (isPage()) {
    places.setCoverTitle(shown.title);
    return;
  }
  const active = document.activeElement;
  if (active && active !== document.body && !player().contains(active)) opener = active;
  setMode("page");
  player().focus({ preventScroll: true });
}

function shrink() {
  setMode("bar");
  returnFocus();
}

function setMode(mode) {
  const element = player();
  element.dataset.mode = mode;
  show(element, mode !== "closed");
  element.setAttribute("role", mode === "page" ? "main" : "region");
  byId("player-title").setAttribute("aria-level", mode === "page" ? "1" : "2");
  places.setCoverTitle(mode === "page" ? shown?.title : undefined);
  for (const each of document.querySelectorAll("body > .bar, body > main, body > .skip")) {
    each.inert = mode === "page";
  }
}

function returnFocus() {
  // The place beneath may have been drawn again.
  const again = opener?.isConnected ? opener : byId(opener?.id);
  const target = again?.checkVisibility() ? again : document.querySelector("main > :not([hidden]) h1");
  opener = undefined;
  if (!target) return;
  if (!target.matches("button, a, input, [tabindex]")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

function open(item, title, textItem, from) {
  close(false);
  const isAudio = (item.mediaType ?? "").startsWith("audio/");
  const media = el(isAudio ? "audio" : "video", {
    autoplay: true, playsinline: true, preload: "metadata", src: mediaAddress(item.id),
    poster: !isAudio && item.hasPicture ? pictureAddress(item.id) : undefined,
  });
  const actions = systemActions();
  begin({ item, title, textItem, media, actions }, isAudio ? "audio" : "video");
  const art = !isAudio ? undefined : item.hasPicture
    ? el("img", { class: "art", src: pictureAddress(item.id), alt: "" }) : icon("note", "art-none");
  byId("player-stage").prepend(...[art, media].filter(Boolean));
  controls.attach(media);
  resume(media, from ?? playback.resumeTime(item), from !== undefined);
  shown.end = playback.follow(item, media);
  session.begin(item, title, media, actions);
  shown.trouble = trouble.watch(item, media, byId("player-stage"), () => reload(media));
  addTracks(item, media, (chapters) => {
    if (shown?.media !== media) return;
    shown.chapters = chapters;
    controls.setChapters(chapters);
  });
  startPlaying(media, isAudio);
}

/** Shows an item in the player, which has nothing else. */
function begin(next, kind) {
  shown = next;
  player().dataset.kind = kind;
  setText(byId("player-title"), next.title);
  setText(byId("player-bar-title"), next.title);
  show(byId("player-shrink"), next.media !== undefined);
  show(document.querySelector(".player .controls"), next.media !== undefined);
  if (next.textItem) showText(next.textItem);
  drawSide();
}

function resume(media, time, isChosen) {
  if (time <= 0) return;
  media.addEventListener("loadedmetadata", () => {
    if (time >= media.duration) return;
    media.currentTime = time;
    if (!isChosen) say(`Resumed at ${format.clock(time)}`);
  }, { once: true });
}

/** Starts playing; a browser may block the sound in a tab without any user action. */
async function startPlaying(media, isAudio) {
  try {
    await media.play();
  } catch (error) {
    if (error.name !== "NotAllowedError" || shown?.media !== media) return;
    setText(byId("player-note"), isAudio
      ? "Your browser blocked the playback. Press the space bar or the play button."
      : "Your browser blocked the sound. Turn it on with M or the button.");
    media.addEventListener(isAudio ? "play" : "volumechange",
      () => setText(byId("player-note"), ""), { once: true });
    if (isAudio) return;
    // The change by the page itself removes no note.
    setTimeout(() => { media.muted = true; media.play().catch(() => {}); }, 0);
  }
}

function systemActions() {
  const chapter = (step) => {
    const { chapters = [], media } = shown;
    const now = chapters.findLastIndex(({ start: begins }) => begins <= media.currentTime + 0.01);
    if (chapters[now + step]) controls.seekTo(chapters[now + step].start);
  };
  return {
    play: () => shown.media.play().catch(() => {}),
    pause: () => shown.media.pause(),
    stop: () => (isPage() ? leave() : close()),
    seekbackward: ({ seekOffset }) => controls.seekBy(-(seekOffset ?? 10)),
    seekforward: ({ seekOffset }) => controls.seekBy(seekOffset ?? 10),
    seekto: ({ seekTime }) => controls.seekTo(seekTime),
    previoustrack: () => chapter(-1),
    nexttrack: () => chapter(1),
  };
}

/** Shows the first million bytes of a file as plain text. */
async function showText(item) {
  const place = byId("player-words");
  place.dataset.id = item.id;
  let text = "";
  try {
    const longest = 1_000_000;
    const response = await fetch(mediaAddress(item.id), { headers: { Range: `bytes=0-${longest - 1}` } });
    if (!response.ok) throw new Error(response.status);
    text = await response.text();
  } catch {
    setText(byId("player-note"), store.isConnected()
      ? "The text could not be loaded. Save a copy from the library." : trouble.gone);
  }
  // The player may have closed during the request, or show another lesson.
  if (place.dataset.id !== String(item.id) || shown?.textItem?.id !== item.id) return;
  place.textContent = text;
  show(place, text !== "");
  drawSide();
}

/** Loads the file again, and goes on where it stopped. */
function reload(media) {
  const time = media.currentTime || playback.resumeTime(store.item(shown.item.id) ?? shown.item);
  shown.trouble.end();
  media.load();
  resume(media, time, true);
  startPlaying(media, media.localName === "audio");
}

/** Shows a text for a moment, for people who see and for screen readers. */
function say(text) {
  setText(byId("player-said"), text);
  clearTimeout(said);
  said = setTimeout(() => setText(byId("player-said"), ""), 2500);
}

function drawSide() {
  show(byId("player-side"), !byId("player-words").hidden || !byId("player-chapters").hidden);
}

/** Ends what plays; `isFinal` also hides the player. */
function close(isFinal = true) {
  const before = shown;
  shown = undefined;
  byId("player-words").textContent = "";
  show(byId("player-words"), false);
  show(byId("player-chapters"), false);
  setText(byId("player-note"), "");
  setText(byId("player-said"), "");
  if (before?.media) {
    before.end();
    before.trouble.end();
    session.end(before.actions);
    controls.detach();
    before.media.pause();
    before.media.removeAttribute("src");
    before.media.load();
    byId("player-stage").replaceChildren();
  }
  if (!isFinal || player().dataset.mode === "closed") return;
  const wasPage = isPage();
  setMode("closed");
  if (wasPage) returnFocus();
}

function makeBar() {
  const toggle = control("pause", "Pause", () => controls.toggle());
  const time = el("progress", { max: "1", value: "0", "aria-label": "Played" });
  const element = el("div", { class: "player-bar" },
    el("button", { type: "button", class: "back-to", title: "Back to the player", onclick: visit },
      el("span", { id: "player-bar-title" }), time),
    el("div", { class: "acts" }, toggle, control("chevron-up", "Back to the player", visit),
      control("close", "Stop playing", () => close())));
  const draw = ({ target }) => {
    if (target !== shown?.media) return;
    label(toggle, target.paused ? "play" : "pause", target.paused ? "Play" : "Pause");
    time.value = target.duration > 0 ? target.currentTime / target.duration : 0;
  };
  for (const event of ["timeupdate", "play", "pause"]) byId("player-stage").addEventListener(event, draw, true);
  return element;
}

function press(event) {
  if (!isPage() || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  const hasPanel = document.querySelector(".tuning:popover-open") !== null;
  if (event.key === "Escape") {
    // The browser itself closes the panel and leaves the full screen.
    if (!hasPanel && !document.fullscreenElement) leave();
  } else if (shown?.media && controls.press(event)) {
    event.preventDefault();
    wake();
  }
}

/** Shows the controls; in the full screen they disappear while nobody acts and the film plays. */
function wake() {
  clearTimeout(idle);
  delete player().dataset.idle;
  idle = setTimeout(() => {
    const isBusy = document.querySelector(".controls :focus-visible, .tuning:popover-open") !== null;
    if (shown?.media?.paused === false && !isBusy) player().dataset.idle = "";
  }, 3000);
}

function watchStage() {
  const stage = byId("player-stage");
  stage.addEventListener("click", ({ target, pointerType }) => {
    if (!target.closest("video, .art, .art-none")) return;
    if (!isPage()) visit();
    // The first touch in the full screen shows the controls.
    else if (pointerType !== "touch" || !document.fullscreenElement) controls.toggle();
  });
  stage.addEventListener("dblclick", ({ target }) => { if (target.closest("video")) controls.toggleScreen(); });
  for (const event of ["pointermove", "pointerdown", "focusin"]) player().addEventListener(event, wake);
}

/** Connects the player to the page. */
export function start() {
  places.setCover(follow);
  adopt(style, ...styles, trouble.style);
  controls = makeControls({ player: player(), say });
  mount("player", [
    el("div", { class: "player-head" },
      control("back", "Close the player", leave),
      el("h2", { id: "player-title", "aria-level": "1" }),
      control("chevron-down", "Go on in a bar below", () => { shrinks = true; leave(); })),
    el("div", { id: "player-stage", class: "stage" }),
    el("p", { id: "player-note", class: "fine", role: "status" }),
    controls.element,
    el("div", { id: "player-side", class: "player-side", hidden: true },
      chapterList(drawSide),
      el("div", {
        id: "player-words", class: "words", tabindex: "0", role: "region", "aria-label": "Text", hidden: true,
      })),
    el("p", { id: "player-said", class: "player-said", role: "status" }),
  ]);
  const [back, , down] = document.querySelector(".player-head").children;
  back.id = "player-close";
  down.id = "player-shrink";
  player().append(makeBar());
  setMode("closed");
  watchStage();
  addEventListener("keydown", press);
  store.on("link", (state) => {
    if (state === "open" && shown?.media && (shown.trouble.isWaiting || shown.media.error)) reload(shown.media);
  });
}
