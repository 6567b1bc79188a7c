// SPDX-License-Identifier: Apache-2.0
// The devices, that is the phones and computers of the network that may use the library.

import { api } from "../shared/api.js";
import { ask, showError } from "../shared/dialog.js";
import { adopt, announce, button, byId, css, el, reconcile, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as store from "../shared/store.js";

const SVG = "http://www.w3.org/2000/svg";
/** The width of the light border that a reader needs, in modules. */
const BORDER = 4;

/** The content of this part in the settings. */
export const markup = [
  el("p", {
    id: "devices-open", class: "hint", hidden: true,
    text: "Phones and computers of your network use the library after you have let them in once.",
  }),
  el("p", { id: "devices-closed", class: "hint", hidden: true },
    "Only this machine can use the library. Start it with ", el("code", { text: "offline serve --lan" }),
    " to use it from a phone."),
  el("ul", { id: "device-rows", role: "list", class: "rows", "aria-label": "Devices" }),
  button("Add a device…", { id: "device-add", onclick: invite }),
];

const style = css`
  #device-add { justify-self: start; }
  #devices-closed code { white-space: nowrap; }
  .qr { display: block; width: min(18rem, 70vw); height: auto; aspect-ratio: 1; margin-inline: auto; border-radius: 12px; background: #fff; forced-color-adjust: none; }
  .qr path { fill: #000; }
  .invitation { overflow-wrap: anywhere; text-align: center; }
  .code { font-size: 2.25rem; font-weight: 700; letter-spacing: 0.2em; color: var(--text); }
`;

const views = new Map();
let list = { isOpen: false, devices: [], arrivals: [] };
let requestCount = 0;
let isLoaded;
/** Resolves after the first answer or failure. */
export const loaded = new Promise((resolve) => { isLoaded = resolve; });
/** The numbers of the arrivals for which the page has shown a question. */
const asked = new Set();
/** The number of the arrival that the open sheet asks about. */
let asking;

/** Loads the list again. Only the newest response counts. */
async function load() {
  requestCount += 1;
  const number = requestCount;
  try {
    const found = await api.devices();
    if (number === requestCount) list = found;
    // Another page has answered, or the device waits no longer.
    if (asking !== undefined && !list.arrivals.some((each) => each.id === asking)) byId("ask").close();
  } catch {
    // The next event or the next connection starts another load.
  }
  draw();
  askNext();
}

function draw() {
  show(byId("devices-open"), list.isOpen);
  show(byId("devices-closed"), !list.isOpen);
  show(byId("device-rows"), list.devices.length > 0);
  show(byId("device-add"), list.isOpen);
  reconcile(byId("device-rows"), views, list.devices, (each) => each.id, makeRow);
}

function makeRow(device) {
  const name = el("h3");
  const seen = el("p", { class: "line fine" });
  const removal = button("Remove…", { class: "danger", onclick: () => remove(device) });
  const update = (value) => {
    setText(name, value.name);
    setText(seen, `Last seen ${format.moment(value.seen)}`);
    removal.setAttribute("aria-label", `Remove ${value.name}…`);
  };
  return { element: el("li", { class: "row-item" }, el("div", {}, name, seen), el("div", { class: "acts" }, removal)), update };
}

/** Asks about the next device that waits, unless a sheet is open. */
async function askNext() {
  const arrival = list.arrivals.find((each) => !asked.has(each.id));
  if (!arrival || byId("ask").open) return;
  asked.add(arrival.id);
  asking = arrival.id;
  const letIn = await ask({
    title: `${arrival.name} wants to use your library`,
    body: ["Let it in if you hold this device and it shows this code:", el("p", { class: "code", text: arrival.code })],
    buttons: [{ label: "Refuse", value: false, kind: "danger" }, { label: "Let in", value: true, kind: "primary" }],
  });
  asking = undefined;
  // Escape decides nothing, and the device still waits.
  if (letIn !== undefined) {
    try {
      await api.decideDevice(arrival.id, letIn);
      announce(letIn ? `${arrival.name} is in.` : `${arrival.name} is refused.`);
    } catch (error) {
      if (error.status !== 404) await showError("The device could not be answered", error);
    }
  }
  askNext();
}

async function invite() {
  try {
    const invitation = await api.inviteDevice();
    await ask({
      title: "Add a device",
      body: [
        "Scan this code with the camera of the phone, or open the address below it. It admits one device within ten minutes.",
        picture(invitation.rows),
        el("p", { class: "invitation", text: invitation.address }),
      ],
      buttons: [{ label: "Close", kind: "primary" }],
    });
  } catch (error) {
    await showError("No device can be added", error);
  }
  askNext();
}

/** Draws the rows of a QR code. */
function picture(rows) {
  const size = rows.length + 2 * BORDER;
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", rows.flatMap((row, y) => [...row].map((module, x) => (
    module === "1" ? `M${x + BORDER} ${y + BORDER}h1v1h-1z` : ""))).join(""));
  const svg = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries({
    class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code of the address",
    "shape-rendering": "crispEdges",
  })) svg.setAttribute(name, value);
  svg.append(path);
  return svg;
}

async function remove(device) {
  const answer = await ask({
    title: `Remove ${device.name}?`,
    body: ["It can no longer use the library, until you let it in again."],
    buttons: [{ label: "Cancel" }, { label: "Remove", value: true, kind: "danger" }],
  });
  if (!answer) return;
  try {
    await api.removeDevice(device.id);
    byId("device-add").focus();
  } catch (error) {
    await showError("The device is still in", error);
  }
}

/** Closes the sheet with the code after the device that scanned the code has arrived. */
function closeInvitation() {
  if (byId("ask").open && byId("ask").querySelector(".qr")) byId("ask").close();
}

/** Follows the devices. */
export function start() {
  adopt(style);
  store.on("devices", () => { closeInvitation(); load(); });
  store.on("hello", () => load().then(isLoaded));
}
