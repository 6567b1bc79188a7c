// SPDX-License-Identifier: Apache-2.0
// Diagnostics: what has failed on this machine, and what becomes of the reports about it.

import { api } from "/api.js";
import { ask, tell } from "/dialog.js";
import { announce, byId, el, reconcile, setText, show } from "/dom.js";
import * as format from "/format.js";
import { reportParts } from "/report.js";
import * as store from "/store.js";

const views = new Map();
let overview = { reports: [], problems: [] };

const kinds = {
  crash: "Crash", download: "Download", parse: "Playlist", mux: "Joining", database: "Registry",
  test: "Test", info: "Note", warning: "Warning", error: "Error", fatal: "Failure",
};
const content = "A report holds what failed and where in the program, what the program did before, the "
  + "newest lines of its standard error, the versions of it and of the system, and counts; no tokens, and of addresses neither queries nor "
  + "passwords. Open a report to see what would be sent.";

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
  drawSending();
  drawLastRun();
  drawProblems();
}

function drawSending() {
  const { consent, destination, reports, sendingFailure } = overview;
  const canSend = destination !== undefined;
  show(byId("reports-stay"), !canSend);
  show(byId("reports-go"), canSend);
  show(byId("consent-ask"), canSend && consent === "unknown");
  setText(byId("consent-what"), `They would go to ${destination}. Until you decide, nothing is sent. ${content}`);
  show(byId("consent-row"), canSend && consent !== "unknown");
  byId("consent").checked = consent === "given";
  setText(byId("consent-where"), consent === "given"
    ? `Reports go to ${destination}. ${content}` : "Nothing is sent. Reports stay on this machine.");
  show(byId("send-reports"), canSend && consent === "given" && reports.length > 0);
  show(byId("sending-failure"), sendingFailure !== undefined);
  setText(byId("sending-failure"), sendingFailure ? failureText(sendingFailure) : "");
}

/** Why the last attempt to send something failed, and what becomes of it. */
function failureText({ kind, date, message, retry }) {
  const what = `${format.moment(date)}: ${message}`;
  if (kind === "refused") return `One was refused and is gone, ${what}`;
  const next = new Date(retry) > new Date() ? ` not before ${format.moment(retry)}` : "";
  return `The last attempt failed, ${what} It is tried again by itself${next}.`;
}

function drawLastRun() {
  const { previousRun } = overview;
  show(byId("last-crash"), previousRun?.end === "crashed");
  const report = previousRun?.report;
  setText(byId("last-crash-what"), report
    ? [report.message, report.place && `in ${report.place}`].filter(Boolean).join(", ") : "");
  show(byId("last-crash-show"), overview.reports.some((each) => each.id === report?.id));
}

function drawProblems() {
  const { catchesCrashes, isRecording, problems } = overview;
  show(byId("reports-problems"), !isRecording || !catchesCrashes || problems.length > 0);
  setText(byId("reports-problems-title"), !isRecording ? "Nothing is recorded."
    : !catchesCrashes ? "Errors are recorded, crashes are not." : "Not everything could be set up.");
  byId("reports-problems-list").replaceChildren(...problems.map((text) => el("li", { text })));
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
    body.replaceChildren(...reportParts(report), el("div", { class: "acts" },
      el("button", { type: "button", class: "danger", text: "Delete this report", onclick: () => remove(id) })));
  } catch (error) {
    body.replaceChildren(el("p", { class: "error", role: "alert", text: error.message }));
  }
  body.removeAttribute("aria-busy");
}

/** Opens a report of the list and goes there. */
function goTo(id) {
  const details = views.get(id)?.element.querySelector("details");
  if (!details) return;
  details.open = true;
  details.querySelector("summary").focus();
  details.scrollIntoView({ block: "start" });
}

/** Does something and shows what has become of the list; a failure is told under `title`. */
async function act(title, work) {
  try {
    await work();
  } catch (error) {
    await tell(title, error);
  }
  await load();
}

const remove = (id) => act("The report was not deleted", async () => {
  await api.deleteReport(id);
  announce("The report is deleted.");
});

const recordTest = () => act("No report was recorded", async () => {
  const { id } = await api.testReport();
  await load();
  announce(overview.consent === "given" && overview.destination !== undefined
    ? `A test report goes to ${overview.destination}.` : "A test report was recorded; it stays on this machine.");
  views.get(id)?.element.querySelector("summary").focus();
});

const send = () => act("Nothing was sent", async () => {
  const { reports, sendingFailure } = await api.sendReports();
  announce(reports.length > 0 ? "The server did not take all of them now; they are sent when it does."
    : sendingFailure?.kind === "refused" ? failureText(sendingFailure) : "The reports were sent.");
});

async function decide(consent) {
  const hadFocus = byId("consent-ask").contains(document.activeElement);
  await act("The answer was not stored", async () => { await api.setConsent(consent); });
  if (hadFocus) byId("consent").focus();
}

async function deleteAll() {
  const answer = await ask({
    title: "Delete all reports?",
    body: ["They are deleted on this machine. What was sent before stays where it was sent."],
    buttons: [{ label: "Cancel" }, { label: "Delete", value: true, kind: "danger" }],
  });
  if (answer) await act("They were not deleted", () => api.deleteReports());
}

/** Connects the section to the page. */
export function start() {
  byId("clear-reports").addEventListener("click", deleteAll);
  byId("test-report").addEventListener("click", recordTest);
  byId("send-reports").addEventListener("click", send);
  byId("consent-give").addEventListener("click", () => decide("given"));
  byId("consent-refuse").addEventListener("click", () => decide("revoked"));
  byId("consent").addEventListener("change", (event) => decide(event.target.checked ? "given" : "revoked"));
  byId("last-crash-show").addEventListener("click", () => goTo(overview.previousRun.report.id));
  store.on("report", load);
  store.on("link", (state) => { if (state === "open") load(); });
}
