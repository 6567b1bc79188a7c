// SPDX-License-Identifier: Apache-2.0
// The settings of the player, which are speed, tracks, size of the subtitles, and the sleep timer.

import { css, el, setText, show } from "../shared/dom.js";
import { store, stored } from "../shared/stored.js";

/** The style of the settings, and the size of the subtitles. */
export const style = css`
  .tuning {
    position: fixed; inset: auto max(0.75rem, env(safe-area-inset-right)) 4.75rem auto; margin: 0; padding: 1rem; border: 1px solid var(--line);
    border-radius: 14px; background: var(--raised); color: var(--ink); box-shadow: var(--shadow); width: min(22rem, calc(100vw - 1.5rem));
    max-height: calc(100dvh - 6rem); overflow: auto;
  }
  .tuning:popover-open { display: grid; gap: 0.65rem; }
  .tuning h2 { font-size: 1rem; }
  .tuning label { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.2fr); align-items: center; gap: 0.75rem; font-size: 0.9375rem; }
  .tuning select { width: 100%; border-color: var(--edge); }
  .tuning .keys { font-size: 0.8125rem; color: var(--soft); display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.15rem 0.75rem; }
  .tuning .keys dt { font-family: ui-monospace, "DejaVu Sans Mono", monospace; color: var(--ink); }
  @media (hover: none) { .tuning .keys { display: none; } }
`;

const cues = new CSSStyleSheet();
document.adoptedStyleSheets.push(cues);

const speeds = ["0.5", "0.75", "1", "1.25", "1.5", "1.75", "2", "2.5", "3"];
const sizes = { small: ["Small", 75], normal: ["Normal", 100], large: ["Large", 150], huge: ["Very large", 200] };
const timers = [["", "Off"], ["15", "In 15 minutes"], ["30", "In 30 minutes"], ["60", "In an hour"],
  ["end", "At the end of this one"]];
const keys = [["Space K", "Play or pause"], ["← → J L", "10 seconds back or on"], ["↑ ↓ M", "Volume, mute"],
  ["0 … 9", "To a tenth"], ["C", "Subtitles"], ["F", "Full screen"], ["< >", "Speed"], ["N P", "Next, previous"], ["Esc", "Close"]];

/** Creates the panel. `attach` connects the panel to a media element. */
export function makeTuning(say) {
  let media;
  let timer = 0;
  /** The sounds that the server offers for the media element, if the browser itself offers none. */
  let offer;
  const speed = choice("Speed", "player-speed",
    speeds.map((each) => [each, each === "1" ? "Normal" : `${each} ×`]), (value) => setSpeed(Number(value)));
  const sound = choice("Sound", "player-sound", [], chooseSound);
  const subtitles = choice("Subtitles", "player-subtitles", [], (value) => showTrack(Number(value)));
  const size = choice("Size of subtitles", "player-size",
    Object.entries(sizes).map(([value, [name]]) => [value, name]), setSize);
  const sleep = choice("Stop playing", "player-sleep", timers, setTimer);
  const parts = [speed, sound, subtitles, size, sleep];
  const element = el("div", {
    id: "player-tuning", class: "tuning", popover: "auto", role: "dialog", "aria-labelledby": "player-tuning-title",
  }, el("h2", { id: "player-tuning-title", text: "Settings" }), ...parts.map((part) => part.element),
  el("dl", { class: "keys" }, ...keys.flatMap(([key, text]) => [el("dt", { text: key }), el("dd", { text })])));
  size.select.value = sizes[stored("subtitles:size")] ? stored("subtitles:size") : "normal";
  setSize(size.select.value);
  return { element, attach, detach, forget, endsHere, changeSpeed, toggleSubtitles, hasSubtitles, showTrack };

  function attach(next) {
    media = next;
    offer = undefined;
    media.addEventListener("soundoffer", ({ detail }) => {
      if (next !== media) return;
      offer = detail;
      drawTracks();
    });
    const wanted = stored("player:speed", "1");
    media.defaultPlaybackRate = speeds.includes(wanted) ? Number(wanted) : 1;
    media.playbackRate = media.defaultPlaybackRate;
    speed.select.value = String(media.playbackRate);
    drawTracks();
    for (const event of ["addtrack", "removetrack", "change"]) {
      media.textTracks.addEventListener(event, () => { if (next === media) drawTracks(); });
      media.audioTracks?.addEventListener(event, () => { if (next === media) drawTracks(); });
    }
  }

  /** Disconnects the media element. The timer continues, because another item may follow. */
  function detach() {
    media = undefined;
  }

  /** Stops the timer and closes the panel. */
  function forget() {
    if (element.matches(":popover-open")) element.hidePopover();
    clearTimeout(timer);
    sleep.select.value = "";
  }

  function setSpeed(value) {
    media.defaultPlaybackRate = value;
    media.playbackRate = value;
    speed.select.value = String(value);
    store("player:speed", String(value));
  }

  /** Selects the next slower or faster speed. */
  function changeSpeed(step) {
    const index = speeds.indexOf(String(media.playbackRate)) + step;
    if (!speeds[index]) return;
    setSpeed(Number(speeds[index]));
    say(`Speed ${speeds[index]} ×`);
  }

  function setSize(value) {
    store("subtitles:size", value);
    cues.replaceSync(`video::cue { font-size: ${sizes[value]?.[1] ?? 100}%; }`);
  }

  function setTimer(value) {
    clearTimeout(timer);
    if (Number(value) > 0) timer = setTimeout(fallAsleep, Number(value) * 60_000);
  }

  function fallAsleep() {
    sleep.select.value = "";
    media?.pause();
    say("Stopped by the timer.");
  }

  /** Whether the user wants to stop at the end of this item. The next item then has no timer. */
  function endsHere() {
    if (sleep.select.value !== "end") return false;
    fallAsleep();
    return true;
  }

  function hasSubtitles() {
    return [...media.textTracks].some(isSubtitle);
  }

  function toggleSubtitles() {
    const tracks = [...media.textTracks];
    if (tracks.some((track) => track.mode === "showing")) return showTrack(-1);
    const wanted = stored("subtitles:last", "");
    const found = tracks.findIndex((track) => isSubtitle(track) && (track.language || track.label) === wanted);
    return showTrack(found >= 0 ? found : tracks.findIndex(isSubtitle));
  }

  /** Shows a text track, or none for -1. */
  function showTrack(number) {
    [...media.textTracks].forEach((track, index) => {
      if (isSubtitle(track)) track.mode = index === number ? "showing" : "disabled";
    });
    const track = media.textTracks[number];
    store("subtitles:language", track && (track.language || track.label));
    if (track) store("subtitles:last", track.language || track.label);
    drawTracks();
  }

  function drawTracks() {
    const texts = [...media.textTracks].map((track, index) => [track, index]).filter(([track]) => isSubtitle(track));
    subtitles.set([["-1", "Off"], ...texts.map(([track, index]) => [String(index), track.label || track.language || `Track ${index + 1}`])],
      String(texts.find(([track]) => track.mode === "showing")?.[1] ?? -1));
    show(subtitles.element, texts.length > 0);
    show(size.element, texts.length > 0);
    const own = [...media.audioTracks ?? []];
    const sounds = offer?.options ?? own.map((track, index) => [String(index), track.label || track.language || `Track ${index + 1}`]);
    sound.set(sounds, offer?.value ?? String(own.findIndex((track) => track.enabled)));
    show(sound.element, sounds.length > 1);
  }

  function chooseSound(value) {
    if (offer) offer.choose(value);
    else [...media.audioTracks].forEach((track, index) => { track.enabled = String(index) === value; });
  }
}

const isSubtitle = (track) => ["subtitles", "captions"].includes(track.kind);

/** Creates a labelled list of choices. */
function choice(label, id, options, choose) {
  const select = el("select", { id, onchange: () => choose(select.value) });
  const element = el("label", {}, el("span", { text: label }), select);
  set(options, options[0]?.[0]);
  return { element, select, set };

  function set(next, value) {
    const known = [...select.options].map((option) => `${option.value}\n${option.text}`).join("\n");
    if (known !== next.map((each) => each.join("\n")).join("\n")) {
      select.replaceChildren(...next.map(([each, text]) => {
        const option = el("option", { value: each });
        setText(option, text);
        return option;
      }));
    }
    if (value !== undefined) select.value = value;
  }
}
