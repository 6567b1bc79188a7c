// SPDX-License-Identifier: Apache-2.0
// Diagnostics: what has failed on this machine, and what becomes of the reports about it.

import { api } from "/api.js";
import { ask, tell } from "/dialog.js";
import { announce, byId, el, reconcile, show } from "/dom.js";
import * as format from "/format.js";
import { reportParts } from "/report.js";
import * as store from "/store.js";

const views = new Map();
let overview = { reports: [] };

const kinds = {
  crash: "Crash", download: "Download", parse: "Playlist", mux: "Joining", database: "Registry",
  test: "Test", info: "Note", warning: "Warning", error: "Error", fatal: "Failure",
};

async function load() {
  try {
    overview = await api.reports();
  } catch {
    // The next event or the next connection asks again.
    return;
  }
  draw();
}

function draw() {
  const { reports } = overview;
  reconcile(byId("reports"), views, reports, (report) => report.id, makeReport);
  show(byId("reports-none"), reports.length === 0);
  show(byId("clear-reports"), reports.length > 0);
}

function makeReport(report) {
  const body = el("div", { class: "whole", "aria-busy": "true" });
  const details = el("details", {},
    el("summary", {},
      el("span", { class: "kind", "data-kind": report.kind, text: kinds[report.kind] ?? report.kind }),
      el("span", { class: "what" }, el("span", { text: report.message }),
        report.place ? el("span", { class: "place" }, "in ", el("code", { text: report.place })) : null),
      el("time", { datetime: report.date, text: format.moment(report.date) })),
    body);
  details.addEventListener("toggle", () => { if (details.open) open(report.id, body); });
  const element = el("li", { "data-kind": report.kind, "data-level": report.level }, details);
  return { element, update: () => {} };
}

/** A report does not change: it is asked for once, when somebody looks at it. */
async function open(id, body) {
  if (body.childElementCount > 0) return;
  try {
    const report = await api.report(id);
    body.replaceChildren(...reportParts(report));
  } catch (error) {
    body.replaceChildren(el("p", { class: "error", role: "alert", text: error.message }));
  }
  body.removeAttribute("aria-busy");
}

async function recordTest() {
  try {
    const { id } = await api.testReport();
    await load();
    announce("A test report was recorded.");
    const element = views.get(id)?.element;
    element?.querySelector("summary").focus();
  } catch (error) {
    await tell("No report was recorded", error);
  }
}

async function deleteAll() {
  const answer = await ask({
    title: "Delete all reports?",
    buttons: [{ label: "Cancel" }, { label: "Delete", value: true, kind: "danger" }],
  });
  if (!answer) return;
  try {
    await api.deleteReports();
  } catch (error) {
    await tell("They were not deleted", error);
  }
  await load();
}

/** Connects the section to the page. */
export function start() {
  byId("clear-reports").addEventListener("click", deleteAll);
  byId("test-report").addEventListener("click", recordTest);
  store.on("report", load);
  store.on("link", (state) => { if (state === "open") load(); });
}
