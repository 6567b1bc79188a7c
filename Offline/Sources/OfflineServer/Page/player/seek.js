// SPDX-License-Identifier: Apache-2.0
// The bar that shows the time of the playing item, the loaded part, and the chapters.

import { css, el, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";

/** The style of the bar. */
export const style = css`
  .seek { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; align-items: center; gap: 0.75rem; }
  .seek .time { font-variant-numeric: tabular-nums; font-size: 0.875rem; color: var(--soft); min-width: 2.75rem; }
  .seek .time:last-child { text-align: end; }
  .seek-bar { position: relative; display: grid; align-items: center; min-height: 2.75rem; }
  .seek-bar > * { grid-area: 1 / 1; }
  .seek-rail { height: 6px; border-radius: 3px; overflow: hidden; position: relative; background: rgb(255 255 255 / 22%); }
  .seek-rail span { position: absolute; inset: 0; transform-origin: left; scale: 0 1; background: rgb(255 255 255 / 30%); }
  .seek-rail .played { background: var(--accent); }
  .seek-marks { position: relative; height: 6px; pointer-events: none; }
  .seek-marks i { position: absolute; top: -2px; width: 2px; height: 10px; translate: -1px 0; background: var(--ground); box-shadow: 0 0 0 1px rgb(255 255 255 / 55%); }
  .seek-bar input {
    appearance: none; width: 100%; min-height: 2.75rem; margin: 0; background: none; cursor: pointer; border-radius: 8px; position: relative;
  }
  .seek-bar input::-webkit-slider-thumb {
    appearance: none; width: 16px; height: 16px; border-radius: 50%; border: 0; background: var(--accent); box-shadow: 0 0 0 2px var(--ground);
  }
  .seek-bar input::-moz-range-thumb {
    width: 16px; height: 16px; border-radius: 50%; border: 0; background: var(--accent); box-shadow: 0 0 0 2px var(--ground);
  }
  .seek-tip {
    position: absolute; bottom: calc(50% + 0.8rem); translate: -50% 0; padding: 0.1rem 0.5rem; border-radius: 7px; font-size: 0.8125rem;
    background: var(--raised); color: var(--ink); max-width: 18rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
    pointer-events: none; font-variant-numeric: tabular-nums; z-index: 2;
  }
  @media (forced-colors: active) {
    .seek-rail { border: 1px solid CanvasText; forced-color-adjust: none; background: Canvas; }
    .seek-rail .loaded { background: GrayText; }
    .seek-rail .played { background: Highlight; }
    .seek-bar input::-webkit-slider-thumb { background: ButtonText; forced-color-adjust: none; }
    .seek-bar input::-moz-range-thumb { background: ButtonText; forced-color-adjust: none; }
  }
`;

/**
 * Creates the bar. `attach` connects the bar to a media element, and `setChapters` marks chapters.
 */
export function makeSeekBar() {
  let media;
  let chapters = [];
  const now = el("span", { class: "time", text: "0:00" });
  const length = el("span", { class: "time" });
  const loaded = el("span", { class: "loaded" });
  const played = el("span", { class: "played" });
  const marks = el("span", { class: "seek-marks", "aria-hidden": "true" });
  const tip = el("span", { class: "seek-tip", "aria-hidden": "true", hidden: true });
  const slider = el("input", {
    id: "player-seek", type: "range", min: "0", max: "0", step: "any", value: "0", "aria-label": "Time",
    oninput: () => {
      media.currentTime = Number(slider.value);
      draw();
    },
  });
  const bar = el("div", { class: "seek-bar" },
    el("span", { class: "seek-rail" }, loaded, played), marks, slider, tip);
  bar.addEventListener("pointermove", showTip);
  bar.addEventListener("pointerleave", () => show(tip, false));
  const element = el("div", { class: "seek" }, now, bar, length);
  return { element, attach, setChapters };

  function attach(next) {
    media = next;
    setChapters([]);
    draw();
    for (const event of ["timeupdate", "durationchange", "progress", "seeking", "loadedmetadata", "emptied"]) {
      next.addEventListener(event, () => { if (next === media) draw(); });
    }
  }

  function setChapters(next) {
    chapters = next;
    drawMarks();
    draw();
  }

  function duration() {
    return Number.isFinite(media?.duration) ? media.duration : 0;
  }

  function draw() {
    const end = duration();
    const time = Math.min(media?.currentTime ?? 0, end || Infinity);
    if (Number(slider.max) !== end) {
      slider.max = String(end);
      drawMarks();
    }
    slider.value = String(time);
    slider.disabled = end === 0;
    setText(now, format.clock(time));
    setText(length, end ? format.clock(end) : "");
    const chapter = chapterAt(time);
    slider.setAttribute("aria-valuetext",
      `${format.clock(time)} of ${format.clock(end)}${chapter ? `, ${chapter.title}` : ""}`);
    played.style.scale = `${end ? time / end : 0} 1`;
    loaded.style.scale = `${end ? loadedEnd(time) / end : 0} 1`;
  }

  /** Returns the end of the loaded part that contains a time. */
  function loadedEnd(time) {
    const ranges = media?.buffered;
    for (let index = 0; index < (ranges?.length ?? 0); index += 1) {
      if (ranges.start(index) <= time + 0.5 && time <= ranges.end(index)) return ranges.end(index);
    }
    return time;
  }

  // The times of frames are rounded.
  function chapterAt(time) {
    return chapters.findLast((chapter) => chapter.start <= time + 0.01);
  }

  function drawMarks() {
    const end = duration();
    marks.replaceChildren(...chapters.filter(({ start }) => start > 0 && start < end).map(({ start }) => {
      const mark = el("i");
      mark.style.left = `${(100 * start) / end}%`;
      return mark;
    }));
  }

  function showTip(event) {
    const end = duration();
    const box = bar.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const chapter = chapterAt(share * end);
    setText(tip, `${format.clock(share * end)}${chapter ? ` · ${chapter.title}` : ""}`);
    tip.style.left = `${100 * share}%`;
    show(tip, end > 0 && event.pointerType === "mouse");
  }
}
