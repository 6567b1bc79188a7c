// SPDX-License-Identifier: Apache-2.0
// The speed limit of all downloads together, shown beside the downloads.

import { api } from "../shared/api.js";
import { showError } from "../shared/dialog.js";
import { adopt, announce, byId, css, el } from "../shared/dom.js";
import * as places from "../shared/places.js";

const usual = [["none", "No limit"], ["500K", "500 kB/s"], ["1M", "1 MB/s"], ["2M", "2 MB/s"], ["5M", "5 MB/s"], ["10M", "10 MB/s"]];

const option = ([value, text]) => el("option", { value, text });

/** The choice of the limit. */
export const choice = el("label", { class: "speed" },
  el("span", { text: "Speed" }),
  el("select", { id: "speed", onchange: change }, ...usual.map(option)));
// The field has its width before the limit is known.
choice.lastChild.value = "";

adopt(css`
  .speed { display: flex; align-items: center; gap: 0.5rem; color: var(--soft); font-size: 0.9375rem; }
  .speed select { min-height: 2.5rem; padding-block: 0.2rem; font-size: 0.9375rem; }
  @media (max-width: 600px) {
    .speed span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  }
  @media (max-width: 600px), (pointer: coarse) { .speed select { min-height: 2.75rem; } }
`);

/** The number of the user's changes. An answer to an earlier request is older than a change. */
let changes = 0;

/** Shows the limit of the settings, even if the limit is not among the usual ones. */
function draw(limit) {
  const place = byId("speed");
  if (![...place.options].some(({ value }) => value === limit)) place.append(option([limit, `${limit}B/s`]));
  place.value = limit;
}

async function load() {
  const before = changes;
  try {
    const { limit } = await api.settings();
    if (before === changes) draw(limit);
  } catch {
    // The next visit of the place starts another load.
  }
}

async function change(event) {
  changes += 1;
  try {
    draw((await api.setSettings({ limit: event.target.value })).limit);
    announce("The speed limit is saved.");
  } catch (error) {
    await showError("The speed limit was not saved", error);
    await load();
  }
}

/** Loads the limit whenever the downloads are shown. */
export const start = () => places.onChange(({ name }, former) => {
  if (name === "downloads" && former !== name) load();
});
