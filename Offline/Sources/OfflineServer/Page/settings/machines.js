// SPDX-License-Identifier: Apache-2.0
// The other machines of the household, which this machine has joined with `--join`.

import { api } from "../shared/api.js";
import { adopt, byId, css, el, reconcile, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as store from "../shared/store.js";

/** The content of this part in the settings. */
export const markup = [
  el("p", { id: "machines-link", class: "hint", role: "status" }),
  el("ul", { id: "machine-rows", role: "list", class: "rows", "aria-label": "Machines" }),
];

const style = css`
  #machines-link.lost { color: var(--warn); }
  #machine-rows a { padding: 0.6rem; color: var(--accent); font-weight: 560; }
`;

/** The form of the address of another machine's page. Any other address gets no link. */
const page = /^https?:\/\/\d{1,3}(\.\d{1,3}){3}:\d{1,5}$/;
const views = new Map();
let requestCount = 0;
let isLoaded;
/** Resolves after the first answer or failure. */
export const loaded = new Promise((resolve) => { isLoaded = resolve; });

/** Loads the list again. Only the newest response counts. */
async function load() {
  requestCount += 1;
  const number = requestCount;
  try {
    const found = await api.machines();
    if (number === requestCount) draw(found);
  } catch {
    // The next event or the next connection starts another load.
  }
}

function draw(household) {
  show(byId("machines"), household.isJoined);
  byId("machines-link").classList.toggle("lost", !household.isConnected);
  setText(byId("machines-link"), connection(household));
  show(byId("machine-rows"), household.machines.length > 0);
  // Machines may have the same name, but the order is stable.
  const rows = household.machines.map((each, index) => ({ ...each, key: `${index} ${each.name}` }));
  reconcile(byId("machine-rows"), views, rows, (each) => each.key, makeRow);
}

function connection({ isConnected, since, problem, outboxCount, name, machines }) {
  if (isConnected) {
    return machines.length > 0 ? `This machine is “${name}”.` : `This machine is “${name}”. No other one is here now.`;
  }
  const news = outboxCount > 0 ? ` ${outboxCount} ${outboxCount === 1 ? "message waits" : "messages wait"} for it.` : "";
  const time = since ? ` since ${format.time(since)}` : "";
  return `No connection${time}.${problem ? ` ${problem}` : ""}${news}`;
}

function makeRow() {
  const name = el("h3");
  const facts = el("p", { class: "line fine" });
  const link = el("a", { rel: "noreferrer", text: "Open" });
  const update = (machine) => {
    setText(name, machine.name);
    setText(facts, [
      `${machine.readyCount} ${machine.readyCount === 1 ? "item" : "items"}`,
      machine.waitingCount > 0 ? `${machine.waitingCount} to download` : "",
      machine.freeBytes === undefined ? "" : `${format.bytes(machine.freeBytes)} free`,
    ].filter(Boolean).join(" · "));
    const isReachable = page.test(machine.page ?? "");
    show(link, isReachable);
    if (isReachable) link.href = `${machine.page}/`;
    link.setAttribute("aria-label", `Open the library of ${machine.name}`);
  };
  return { element: el("li", { class: "row-item" }, el("div", {}, name, facts), el("div", { class: "acts" }, link)), update };
}

/** Follows the machines. */
export function start() {
  adopt(style);
  store.on("machines", load);
  store.on("hello", () => load().then(isLoaded));
}
