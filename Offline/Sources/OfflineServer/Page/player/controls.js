// SPDX-License-Identifier: Apache-2.0
// The player's controls and keys.

import { css, drawIcon, el, icon, setText, show } from "../shared/dom.js";
import { store, stored } from "../shared/stored.js";
import { makeSeekBar, style as seekStyle } from "./seek.js";
import { makeTuning, style as tuningStyle } from "./tuning.js";

const step = 10;

const style = css`
  .controls { display: grid; gap: 0.1rem; padding: 0 max(1rem, env(safe-area-inset-right)) max(0.6rem, env(safe-area-inset-bottom)) max(1rem, env(safe-area-inset-left)); }
  .controls .row { display: flex; align-items: center; gap: 0.15rem; }
  .controls .gap { flex: 1; }
  .controls .icon, .player-head .icon, .player-bar .icon { min-height: 2.75rem; width: 2.75rem; color: var(--ink); flex: none; }
  .controls .icon:hover, .player-head .icon:hover, .player-bar .icon:hover { background: rgb(255 255 255 / 14%); }
  .controls .icon[aria-pressed="true"] { color: var(--accent); }
  .controls .go svg { width: 1.75rem; height: 1.75rem; }
  .controls .volume { width: 5.5rem; accent-color: var(--accent); min-height: 2.75rem; }
  @media (hover: none), (max-width: 40rem) { .controls .volume { display: none; } }
  /* A phone has keys for its volume. */
  @media (max-width: 26rem) { .controls .mute { display: none; } .controls .row { gap: 0; justify-content: space-between; } .controls .gap { display: none; } .controls .icon { width: 2.5rem; } }
`;

/** The style sheets of the controls. */
export const styles = [style, seekStyle, tuningStyle];

/**
 * Creates the controls of a media element. `player` is the element for the full screen. `say` shows
 * a message for a moment. `skip` goes to the next item, or with -1 to the previous item.
 */
export function makeControls({ player, say, skip }) {
  let media;
  const seekBar = makeSeekBar();
  const tuning = makeTuning(say);
  const go = control("play", "Play", toggle, "go");
  const next = control("skip", "Next", () => skip(1), "onward");
  const mute = control("volume", "Mute", toggleMute, "mute");
  const volume = el("input", {
    type: "range", class: "volume", min: "0", max: "1", step: "0.05", "aria-label": "Volume",
    oninput: () => setVolume(Number(volume.value)),
  });
  const captions = control("captions", "Subtitles", () => tuning.toggleSubtitles(), "captions");
  const settings = control("tune", "Settings", () => {});
  settings.setAttribute("popovertarget", "player-tuning");
  const inset = control("inset", "Picture in picture", toggleInset, "inset");
  const screen = control("enlarge", "Full screen", toggleScreen);
  const element = el("div", { class: "controls" }, seekBar.element,
    el("div", { class: "row" }, go, control("rewind", "10 seconds back", () => seekBy(-step)),
      control("forward", "10 seconds on", () => seekBy(step)), next, mute, volume, el("span", { class: "gap" }),
      captions, settings, inset, screen), tuning.element);
  document.addEventListener("fullscreenchange", drawScreen);
  return {
    element, attach, detach, toggle, seekBy, seekTo, press, toggleScreen, setChapters: seekBar.setChapters,
    setNext, forget, endsHere: tuning.endsHere,
  };

  function attach(next) {
    media = next;
    media.volume = Math.min(1, Math.max(0, Number(stored("player:volume", "1")) || 0));
    seekBar.attach(media);
    tuning.attach(media);
    for (const event of ["play", "pause", "volumechange", "ended"]) {
      media.addEventListener(event, () => { if (next === media) draw(); });
    }
    for (const event of ["addtrack", "change"]) {
      media.textTracks.addEventListener(event, () => { if (next === media) draw(); });
    }
    show(inset, document.pictureInPictureEnabled === true && media.localName === "video");
    if (media.localName === "audio" && document.fullscreenElement === player) document.exitFullscreen().catch(() => {});
    show(screen, document.fullscreenEnabled === true && media.localName === "video");
    draw();
  }

  /** Names the item that plays next, or undefined for none. */
  function setNext(title) {
    show(next, title !== undefined);
    label(next, "skip", title ? `Next: ${title}` : "Next");
  }

  /** Leaves the full screen and forgets the timer, because no item follows. */
  function forget() {
    tuning.forget();
    if (document.fullscreenElement === player) document.exitFullscreen().catch(() => {});
  }

  function detach() {
    media = undefined;
    tuning.detach();
    if (document.pictureInPictureElement) document.exitPictureInPicture().catch(() => {});
  }

  function draw() {
    label(go, media.paused ? "play" : "pause", media.paused ? "Play" : "Pause");
    const isSilent = media.muted || media.volume === 0;
    label(mute, isSilent ? "muted" : "volume", isSilent ? "Turn the sound on" : "Mute");
    volume.value = String(media.muted ? 0 : media.volume);
    show(captions, tuning.hasSubtitles());
    captions.setAttribute("aria-pressed",
      String([...media.textTracks].some((track) => track.mode === "showing")));
  }

  function drawScreen() {
    const isFull = document.fullscreenElement === player;
    label(screen, isFull ? "reduce" : "enlarge", isFull ? "Leave the full screen" : "Full screen");
  }

  function toggle() {
    if (media.paused) media.play().catch(() => {});
    else media.pause();
  }

  function seekTo(time) {
    const end = Number.isFinite(media.duration) ? media.duration : 0;
    media.currentTime = Math.min(Math.max(0, time), end);
  }

  function seekBy(seconds) {
    seekTo(media.currentTime + seconds);
  }

  function toggleMute() {
    media.muted = !media.muted;
    say(media.muted ? "Sound off" : "Sound on");
  }

  function setVolume(value) {
    media.volume = Math.min(1, Math.max(0, value));
    media.muted = false;
    store("player:volume", String(media.volume));
  }

  async function toggleInset() {
    try {
      if (document.pictureInPictureElement) await document.exitPictureInPicture();
      else await media.requestPictureInPicture();
    } catch {
      say("The browser has no picture in picture now.");
    }
  }

  async function toggleScreen() {
    try {
      if (document.fullscreenElement === player) await document.exitFullscreen();
      else await player.requestFullscreen();
    } catch {
      say("The browser does not allow the full screen.");
    }
  }

  /** Handles a key. Returns whether the key has a meaning. */
  function press(event) {
    const { key, target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || !media) return false;
    // A list and a field handle these keys themselves.
    if (target.closest("select, textarea, input:not([type=range])")) return false;
    // Space and Enter press a button.
    if (key === " " && target.closest("button, a, summary")) return false;
    const isVideo = media.localName === "video";
    const actions = {
      " ": toggle, k: toggle, j: () => seekBy(-step), l: () => seekBy(step),
      ArrowLeft: () => seekBy(-step), ArrowRight: () => seekBy(step),
      ArrowUp: () => changeVolume(0.05), ArrowDown: () => changeVolume(-0.05),
      m: toggleMute, f: isVideo ? toggleScreen : undefined,
      c: tuning.hasSubtitles() ? () => tuning.toggleSubtitles() : undefined,
      n: next.hidden ? undefined : () => skip(1), p: () => skip(-1),
      "<": () => tuning.changeSpeed(-1), ">": () => tuning.changeSpeed(1),
    };
    const action = /^\d$/.test(key)
      ? () => seekTo((media.duration * Number(key)) / 10) : actions[key.length === 1 ? key.toLowerCase() : key];
    // The text below a sound scrolls with these keys.
    if (!action || (/^Arrow(Up|Down)$/.test(key) && target.closest(".words, .chapters"))) return false;
    action();
    return true;
  }

  function changeVolume(change) {
    setVolume((media.muted ? 0 : media.volume) + change);
    say(`Volume ${Math.round(media.volume * 100)} %`);
  }
}

/** Creates a button with an icon. `label` changes the icon. */
export function control(picture, text, action, kind = "") {
  const element = el("button", { type: "button", class: `icon ${kind}`.trim(), onclick: action },
    icon(picture), el("span", { class: "quiet" }));
  label(element, picture, text);
  return element;
}

/** Changes the icon and the text of a control. */
export function label(element, picture, text) {
  drawIcon(element.querySelector("use"), picture);
  setText(element.lastChild, text);
  if (element.title !== text) element.title = text;
}
