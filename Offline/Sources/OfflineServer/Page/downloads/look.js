// SPDX-License-Identifier: Apache-2.0
// The card below the field. The card shows the media at an address before the user downloads any.

import { api, inspectedPictureAddress } from "../shared/api.js";
import { adopt, announce, button, byId, css, el, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import { explain } from "../shared/remedies.js";
import { isFollowed } from "./feeds.js";

export const markup = el("section", { id: "look", class: "look", "aria-labelledby": "look-title", hidden: true },
  el("div", { id: "look-picture", class: "look-picture", hidden: true }),
  el("div", { class: "look-body" },
    el("h2", { id: "look-title", tabindex: "-1" }),
    el("p", { id: "look-facts", class: "facts" }),
    el("progress", { id: "look-wait", "aria-label": "Looking at the address", hidden: true }),
    el("ul", { id: "look-media", role: "list", "aria-label": "Media of the page" }),
    el("div", { id: "look-choice", hidden: true }),
    el("ul", { id: "look-notes", role: "list", class: "note", "aria-label": "Notes" }),
    el("p", { id: "look-error", class: "error", role: "alert" }),
    el("div", { class: "buttons" },
      button("Keep", { id: "look-download", class: "primary", onclick: keep }),
      button("Follow", { id: "look-follow", onclick: follow }),
      button("Close", { id: "look-close", onclick: () => close(true) }))));

const style = css`
  .look { display: grid; grid-template-columns: 1fr; gap: 1.25rem; padding-block: 0.6rem; }
  .look:has(#look-picture:not([hidden])) { grid-template-columns: minmax(8rem, 18rem) minmax(0, 1fr); }
  .look-body { display: grid; gap: 0.75rem; align-content: start; min-width: 0; }
  .look h2, .look li { overflow-wrap: anywhere; }
  .look h2:focus { outline: none; }
  .look .facts { color: var(--soft); font-size: 0.875rem; }
  .look .facts:empty, .look ul:empty { display: none; }
  .look img, .look .blank { width: 100%; aspect-ratio: 16 / 9; object-fit: cover; border-radius: 10px; background: var(--sunken); display: block; }
  #look-media { display: grid; gap: 0.25rem; max-height: min(26rem, 50vh); overflow: auto; }
  #look-media label {
    display: grid; grid-template-columns: auto 6.5rem minmax(0, 1fr); gap: 0.9rem; align-items: center; padding: 0.4rem;
    border-radius: 10px; cursor: pointer;
  }
  #look-media label:hover { background: var(--sunken); }
  #look-media input { width: 1.2rem; height: 1.2rem; accent-color: var(--accent); }
  #look-choice { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.6rem 1rem; align-items: center; font-size: 0.9375rem; }
  #look-choice select { justify-self: start; min-height: 2.5rem; }
  #look-choice fieldset { display: contents; }
  #look-choice fieldset > div { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; }
  #look-choice legend { float: left; padding: 0; }
  #look-error { white-space: pre-line; overflow-wrap: anywhere; }
  /* While the card offers to keep, the field has no second button for it. */
  .field:has(#look:not([hidden]) :is(#look-download, #look-follow):not([hidden])) .row .primary,
  .field:has(#look:not([hidden])) .look-first { display: none; }
  @media (max-width: 600px) {
    .look, .look:has(#look-picture:not([hidden])) { grid-template-columns: minmax(0, 1fr); }
    .look-picture { max-width: 12rem; }
    .field:has(#look:not([hidden])):has(#more-options[hidden]) #options { display: none; }
    #look-media label { grid-template-columns: auto 4.5rem minmax(0, 1fr); }
  }
`;

/** The request and the response on the card, and the number of the newest request. */
let shown = {};
let newest = 0;
let opener;
let form = {};

/** Whether the card is visible. */
export const isShown = () => !byId("look").hidden;

/** Returns the address of the displayed media. */
export const address = () => shown.request?.url;

/** Whether the card has something to keep. */
export const offersKeep = () => !byId("look-download").hidden;

/** Shows the media at an address. `request` has the members of a download. */
export async function look(request, { keepsFocus = false } = {}) {
  newest += 1;
  const number = newest;
  opener = document.activeElement;
  shown = { request };
  clear(`Looking at ${request.url}…`);
  show(byId("look-wait"), true);
  show(byId("look"), true);
  if (!keepsFocus) byId("look-title").focus();
  try {
    const found = await api.inspect(request);
    // The user may have closed the card, or looked at another address.
    if (number === newest) draw(found);
  } catch (error) {
    if (number !== newest) return;
    clear("The address could not be looked at");
    setText(byId("look-error"), error.message);
  }
}

function clear(title) {
  setText(byId("look-title"), title);
  for (const id of ["look-facts", "look-error"]) setText(byId(id), "");
  for (const id of ["look-media", "look-choice", "look-notes", "look-picture"]) byId(id).replaceChildren();
  for (const id of ["look-choice", "look-download", "look-follow", "look-picture", "look-wait"]) show(byId(id), false);
}

/** Hides the card. If the user closed the card, the focus returns to the previous element. */
export function close(returnsFocus = false) {
  newest += 1;
  show(byId("look"), false);
  if (returnsFocus) (opener?.isConnected ? opener : byId("address")).focus();
}

const kinds = { stream: "HLS stream", dash: "DASH stream", page: "web page", site: "files of a site", file: "file", feed: "feed" };

/** The number of entries to keep from a feed that the user follows from the card. */
const entries = 10;

function draw(found) {
  shown.found = found;
  clear(found.title);
  const several = found.candidates.length > 1;
  setText(byId("look-facts"), [
    kinds[found.kind] ?? found.kind, found.mediaType, found.host,
    found.isLive ? "live" : format.clock(found.duration), format.bytes(found.size),
    several && `${format.whole(found.candidates.length)} media`,
  ].filter(Boolean).join(" · "));
  const picture = several ? undefined : image(found.candidates[0]);
  byId("look-picture").replaceChildren(...(picture ? [picture] : []));
  show(byId("look-picture"), Boolean(picture));
  byId("look-media").replaceChildren(...(several ? found.candidates.map(row) : []));
  byId("look-notes").replaceChildren(...found.notes.map((note) => el("li", { text: note })));
  const canRecord = found.isLive && found.kind === "stream";
  const refusal = several || canRecord ? undefined : found.refusal;
  const isFeed = found.kind === "feed";
  const isKnown = isFeed && isFollowed(found.address);
  setText(byId("look-error"), refusal && !isKnown ? explain(refusal, found.kind) : "");
  if (refusal?.code === "privateAddress") form.fail({ code: refusal.code, message: "" });
  setText(byId("look-download"), canRecord ? "Record" : several ? "Keep the ticked ones" : "Keep");
  if (!several && !refusal) drawChoice(found);
  show(byId("look-choice"), byId("look-choice").childElementCount > 0);
  show(byId("look-download"), !refusal);
  show(byId("look-follow"), isFeed && !isKnown);
  byId("look-follow").classList.toggle("primary", isFeed);
  byId("look-download").classList.toggle("primary", !isFeed || isKnown);
  if (isKnown) byId("look-notes").append(el("li", { text: "You follow this feed already." }));
  else if (isFeed) byId("look-notes").append(el("li", { text: `Follow keeps its newest ${entries} entries, and new ones by itself.` }));
  updateKeep();
  announce(isKnown ? "You follow this feed already. Tick entries to keep." : isFeed ? "This is a feed. Follow it, or tick entries to keep." : refusal ? "This cannot be kept." : several ? "Tick the media to keep." : `${found.title}: ready to keep.`);
}

/** Returns a picture of a candidate, which the server fetches, or undefined without a picture. */
function image(candidate) {
  if (!candidate?.picture) return undefined;
  const element = el("img", { alt: "", loading: "lazy", src: inspectedPictureAddress(candidate, shown.request.allowPrivate) });
  element.addEventListener("error", () => element.replaceWith(blank()), { once: true });
  return element;
}

const blank = () => el("span", { class: "blank", "aria-hidden": "true" });

function row(candidate, index) {
  const facts = [candidate.format, candidate.height && `${candidate.height}p`, format.clock(candidate.duration)];
  return el("li", {}, el("label", {},
    el("input", { type: "checkbox", value: String(index), onchange: updateKeep }),
    image(candidate) ?? blank(),
    el("span", {},
      el("span", { text: candidate.title }),
      el("span", { class: "facts", text: ` ${facts.filter(Boolean).join(" · ")}` }))));
}

const boxesOfMedia = () => [...byId("look-media").querySelectorAll("input")];

/** Enables the button to keep. With several media, the user must first tick at least one. */
function updateKeep() {
  const boxes = boxesOfMedia();
  byId("look-download").disabled = boxes.length > 0 && !boxes.some((box) => box.checked);
}

function drawChoice(found) {
  const parts = [];
  const heights = [...new Set(found.qualities.filter((each) => !each.problem).map((each) => each.height).filter(Boolean))];
  if (heights.length > 0) {
    const kept = found.qualities.find((each) => each.isKept)?.height;
    const wanted = shown.request.quality === "audio" ? "audio" : kept ? `${kept}p` : "best";
    const select = el("select", { id: "look-quality" },
      ...heights.sort((a, b) => b - a).map((height) => el("option", { value: `${height}p`, text: `${height}p` })),
      el("option", { value: "audio", text: "Sound only" }));
    select.value = wanted;
    parts.push(el("label", { for: "look-quality", text: "Quality" }), select);
  }
  for (const [kind, title] of [["audio", "Sound"], ["subtitles", "Subtitles"]]) {
    const languages = found[kind].filter((each) => each.language);
    if (languages.length > 1 || (kind === "subtitles" && languages.length > 0)) parts.push(boxes(kind, title, languages));
  }
  byId("look-choice").replaceChildren(...parts);
}

const boxes = (kind, title, languages) => el("fieldset", { id: `look-${kind}` },
  el("legend", { text: title }),
  el("div", {}, ...languages.map(({ language, name, isKept }) => el("label", { class: "check" },
    el("input", { type: "checkbox", value: language, checked: isKept }),
    el("span", { text: name && name !== language ? `${name} (${language})` : language })))));

/** Returns the user's choice. The settings apply only to choices that the card does not offer. */
function chosen() {
  const choice = {};
  const quality = byId("look-quality")?.value;
  const best = byId("look-quality")?.options[0]?.value;
  if (quality) choice.quality = quality === best ? "best" : quality;
  for (const kind of ["audio", "subtitles"]) {
    const inputs = [...byId("look-choice").querySelectorAll(`#look-${kind} input`)];
    const picked = inputs.filter((input) => input.checked).map((input) => input.value);
    if (inputs.length === 0) continue;
    if (picked.length === inputs.length) choice[kind] = "all";
    else if (picked.length > 0) choice[kind] = [...new Set(picked)].join(",");
    else if (kind === "subtitles") choice[kind] = "none";
  }
  return choice;
}

/** Keeps the media on the card, either the only one as chosen, or the ticked ones. */
export async function keep() {
  const { url } = shown.request;
  const ticked = boxesOfMedia().filter((box) => box.checked);
  const isOne = shown.found.candidates.length < 2;
  if (!isOne && ticked.length === 0) return;
  byId("look-download").disabled = true;
  try {
    const items = [];
    if (isOne) items.push(await download(url, chosen()));
    for (const box of ticked) {
      const candidate = shown.found.candidates[Number(box.value)];
      items.push(await download(candidate.address, {}, candidate.referrer));
      box.checked = false;
    }
    const known = items.filter((item) => item.state === "ready");
    close();
    form.reset(url);
    form.confirm(items);
    form.fail({ message: known.map((item) => `“${item.title}” is already in your library.`).join("\n") });
    // On a phone, the focus would open the on-screen keyboard.
    if (matchMedia("(hover: hover)").matches) byId("address").focus({ preventScroll: true });
  } catch (error) {
    setText(byId("look-error"), error.message);
  } finally {
    updateKeep();
  }
}

/**
 * Follows the feed on the card. If the entries have no media, the feed is followed through the
 * pages of the entries.
 */
async function follow() {
  const { request: { url, allowPrivate }, found } = shown;
  byId("look-follow").disabled = true;
  try {
    const feed = await api.follow({ address: found.address, keep: entries, pages: found.candidates.length === 0, allowPrivate });
    close();
    form.reset(url);
    form.confirmFeed(feed);
  } catch (error) {
    setText(byId("look-error"), error.message);
  } finally {
    byId("look-follow").disabled = false;
  }
}

/**
 * Downloads an address. Headers and cookies go only to the server for which the user provided these
 * values, and an offered title applies only to the offered address.
 */
function download(address, choice, referrer) {
  const { url, title, headers, cookies, ...request } = shown.request;
  const isSame = address === url || origin(address) === origin(shown.found.address);
  return api.download({
    ...request, ...choice, ...(referrer && { referrer }), ...(isSame && { headers, cookies }),
    ...(address === url ? { url: shown.found.address, title } : { url: address }), live: shown.found.isLive ? {} : undefined,
  });
}

function origin(address) {
  try {
    return new URL(address).origin;
  } catch {
    return undefined;
  }
}

/** Connects the card to the form of the field. */
export function start(field) {
  adopt(style);
  form = field;
}
