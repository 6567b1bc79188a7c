// SPDX-License-Identifier: Apache-2.0
// Diagnostics: the errors that were recorded on this machine.

import { api } from "/api.js";
import { ask, tell } from "/dialog.js";
import { byId, el, reconcile, show } from "/dom.js";
import * as format from "/format.js";
import * as store from "/store.js";

const views = new Map();
let list = [];

const kinds = { download: "Download", parse: "Playlist", mux: "Joining", database: "Registry" };

async function load() {
  try {
    list = (await api.reports()).reports;
  } catch {
    // The next event or the next connection asks again.
    return;
  }
  reconcile(byId("reports"), views, list, (report) => report.id, makeReport);
  show(byId("reports-none"), list.length === 0);
  show(byId("clear-reports"), list.length > 0);
}

function makeReport(report) {
  const context = Object.entries(report.context ?? {});
  const crumbs = report.breadcrumbs ?? [];
  const element = el("li", {}, el("details", {},
    el("summary", {},
      el("span", { class: "kind", "data-kind": report.kind, text: kinds[report.kind] ?? report.kind }),
      el("span", { class: "what", text: report.message }),
      el("time", { datetime: report.date, text: format.moment(report.date) })),
    context.length > 0 ? el("dl", {}, ...context.flatMap(([name, value]) => [
      el("dt", { text: name }), el("dd", { text: String(value) }),
    ])) : null,
    crumbs.length > 0 ? el("h3", { text: "What happened before" }) : null,
    crumbs.length > 0 ? el("ol", { class: "crumbs" }, ...crumbs.map((crumb) => el("li", {},
      el("time", { datetime: crumb.date, text: time(crumb.date) }),
      el("span", { text: crumb.text })))) : null));
  return { element, update: () => {} };
}

const time = (text) => {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleTimeString();
};

/** Connects the section to the page. */
export function start() {
  byId("clear-reports").addEventListener("click", async () => {
    const answer = await ask({
      title: "Delete all recorded errors?",
      buttons: [{ label: "Cancel" }, { label: "Delete", value: true, kind: "danger" }],
    });
    if (!answer) return;
    try {
      await api.deleteReports();
    } catch (error) {
      await tell("They were not deleted", error);
    }
    await load();
  });
  store.on("report", load);
  store.on("link", (state) => { if (state === "open") load(); });
}
