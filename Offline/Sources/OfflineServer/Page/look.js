// SPDX-License-Identifier: Apache-2.0
// Look first: the media at an address, from which the user picks before anything is downloaded.

import { api, inspectedPictureAddress } from "/api.js";
import { adopt, announce, button, byId, css, el, mount, setText, show } from "/dom.js";
import { explain } from "/downloads.js";
import * as format from "/format.js";

const markup = [
  el("h2", { id: "look-title", tabindex: "-1" }),
  el("p", { id: "look-facts", class: "facts" }),
  el("ul", { id: "look-media", role: "list", "aria-label": "Media of the page" }),
  el("div", { id: "look-choice", hidden: true }),
  el("ul", { id: "look-notes", role: "list", class: "note", "aria-label": "Notes" }),
  el("p", { id: "look-error", class: "error", role: "alert" }),
  el("div", { class: "buttons" },
    button("Download", { id: "look-download", class: "primary", onclick: () => download(shown.request.url, chosen()) }),
    button("Close", { id: "look-close", onclick: close })),
];

const style = css`
  #look { display: grid; gap: 0.75rem; margin-block: 1rem; padding: 1rem 1.15rem; border: 1px solid var(--line);
    border-radius: var(--radius); background: var(--surface); }
  #look[hidden] { display: none; }
  #look h2, #look li { overflow-wrap: anywhere; }
  #look .facts { color: var(--soft); font-size: 0.875rem; }
  #look-media { display: grid; gap: 0.6rem; }
  #look-media li { display: grid; grid-template-columns: 7rem minmax(0, 1fr) auto; gap: 0.75rem; align-items: center; }
  #look-media img, #look-media .blank { width: 100%; aspect-ratio: 16 / 9; object-fit: cover; border-radius: 0.4rem;
    background: var(--line); }
  #look-choice { display: grid; gap: 0.75rem; }
  #look-choice[hidden] { display: none; }
  #look-choice fieldset { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; border: 0; padding: 0; margin: 0; }
  #look-error { white-space: pre-line; overflow-wrap: anywhere; }
  @media (max-width: 46rem) {
    #look-media li { grid-template-columns: 5rem minmax(0, 1fr); }
    #look-media button { grid-column: 2; justify-self: start; }
  }
`;

/** The request and the answer that are shown, and the number of the newest request. */
let shown = {};
let newest = 0;
let opener;

/** Shows the media at an address; `request` has the members of a download. */
export async function look(request) {
  newest += 1;
  const number = newest;
  opener = document.activeElement;
  shown = { request };
  clear(`Looking at ${request.url}…`);
  show(byId("look"), true);
  byId("look-title").focus();
  try {
    const found = await api.inspect(request);
    // The user may have closed the panel, or asked for another address.
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
  for (const id of ["look-media", "look-choice", "look-notes"]) byId(id).replaceChildren();
  show(byId("look-choice"), false);
  show(byId("look-download"), false);
}

function close() {
  newest += 1;
  show(byId("look"), false);
  (opener?.isConnected ? opener : byId("address")).focus();
}

const kinds = { stream: "HLS stream", dash: "DASH stream", page: "web page", site: "files of a site", file: "file" };

function draw(found) {
  shown.found = found;
  clear(found.title);
  const several = found.candidates.length > 1;
  setText(byId("look-facts"), [
    kinds[found.kind] ?? found.kind, found.mediaType, found.host,
    found.isLive ? "live" : format.clock(found.duration), format.bytes(found.size),
    several && `${format.whole(found.candidates.length)} media`,
  ].filter(Boolean).join(" · "));
  byId("look-media").replaceChildren(...(several ? found.candidates.map(row) : picture(found.candidates[0])));
  byId("look-notes").replaceChildren(...found.notes.map((note) => el("li", { text: note })));
  const canRecord = found.isLive && found.kind === "stream";
  const refusal = canRecord ? undefined : found.refusal;
  setText(byId("look-error"), refusal ? explain(refusal, found.kind) : "");
  if (refusal?.code === "privateAddress") show(byId("allow-private-row"), true);
  const isReady = !several && !refusal;
  setText(byId("look-download"), canRecord ? "Record" : "Download");
  if (isReady) drawChoice(found);
  show(byId("look-choice"), isReady && byId("look-choice").childElementCount > 0);
  show(byId("look-download"), isReady);
  announce(refusal ? "This cannot be downloaded." : several ? "Choose one of the media." : "Ready to download.");
}

/** Returns a picture of a candidate, or an empty place for it; the server fetches it. */
function image(candidate) {
  const blank = () => el("span", { class: "blank", "aria-hidden": "true" });
  if (!candidate.picture) return blank();
  const element = el("img", { alt: "", loading: "lazy", src: inspectedPictureAddress(candidate, shown.request.allowPrivate) });
  element.addEventListener("error", () => element.replaceWith(blank()), { once: true });
  return element;
}

const picture = (candidate) => (candidate?.picture ? [el("li", {}, image(candidate))] : []);

function row(candidate) {
  const facts = [candidate.format, candidate.height && `${candidate.height}p`, format.clock(candidate.duration)];
  return el("li", {},
    image(candidate),
    el("div", {}, el("p", { text: candidate.title }), el("p", { class: "facts", text: facts.filter(Boolean).join(" · ") })),
    button("Download", {
      "aria-label": `Download: ${candidate.title}`,
      onclick: (event) => {
        event.target.disabled = true;
        download(candidate.address, {}, candidate.referrer).finally(() => { event.target.disabled = false; });
      },
    }));
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
  ...languages.map(({ language, name, isKept }) => el("label", { class: "check" },
    el("input", { type: "checkbox", value: language, checked: isKept }),
    el("span", { text: name && name !== language ? `${name} (${language})` : language }))));

/** Returns the user's choice; a kind of which all languages are chosen is left to the default. */
function chosen() {
  const choice = {};
  const quality = byId("look-quality")?.value;
  const best = byId("look-quality")?.options[0]?.value;
  if (quality) choice.quality = quality === best ? "best" : quality;
  for (const kind of ["audio", "subtitles"]) {
    const inputs = [...byId("look-choice").querySelectorAll(`#look-${kind} input`)];
    const picked = inputs.filter((input) => input.checked).map((input) => input.value);
    if (picked.length === inputs.length) continue;
    if (picked.length > 0) choice[kind] = [...new Set(picked)].join(",");
    else if (kind === "subtitles") choice[kind] = "none";
  }
  return choice;
}

/**
 * Downloads an address: headers and cookies reach only the server for which the user gave them, and
 * an offered title names only the offered address.
 */
async function download(address, choice, referrer) {
  const { url, title, headers, cookies, ...request } = shown.request;
  const isSame = address === url || origin(address) === origin(shown.found.address);
  try {
    const item = await api.download({
      ...request, ...choice, ...(referrer && { referrer }), ...(isSame && { headers, cookies }),
      ...(address === url ? { url: shown.found.address, title } : { url: address }), live: shown.found.isLive ? {} : undefined,
    });
    announce(`${item.title} was added.`);
    if (shown.found.candidates.length < 2) close();
    setText(byId("look-error"), item.state === "ready" ? `“${item.title}” is already in your library.` : "");
  } catch (error) {
    setText(byId("look-error"), error.message);
  }
}

function origin(address) {
  try {
    return new URL(address).origin;
  } catch {
    return undefined;
  }
}

/** Connects the panel to the page. */
export function start() {
  adopt(style);
  mount("look", markup);
}
