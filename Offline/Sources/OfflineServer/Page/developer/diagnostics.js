// SPDX-License-Identifier: Apache-2.0
// The section Diagnostics with the reports of errors and crashes on this machine, and the consent
// to send reports.

import { api } from "../shared/api.js";
import { ask, showError } from "../shared/dialog.js";
import { adopt, announce, button, byId, css, el, head, icon, mount, reconcile, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as store from "../shared/store.js";

const markup = [
  head("diagnostics", "Diagnostics",
    button("Send now", { id: "send-reports", class: "primary", hidden: true }),
    button("Delete all…", { id: "clear-reports", hidden: true }),
    button("Send a test report", { id: "test-report" })),
  el("p", { class: "lead" },
    "The errors and crashes on this machine. ",
    el("span", { id: "reports-stay", hidden: true },
      "The reports stay here: no destination is set. Set one with ",
      el("code", { text: "offline serve --sentry DSN" }),
      "."),
    el("span", { id: "reports-go", hidden: true, text: "Sent reports are no longer listed." })),
  el("div", { id: "last-crash", class: "strip failure", role: "status", hidden: true },
    el("p", {},
      el("strong", { text: "Offline crashed the last time it ran." }),
      " ",
      el("span", { id: "last-crash-what" })),
    button("Show the report", { id: "last-crash-show" })),
  el("aside", { id: "consent-ask", class: "ask", "aria-labelledby": "consent-title", hidden: true },
    icon("pulse"),
    el("div", {},
      el("h2", { id: "consent-title", text: "Send reports to the developers?" }),
      el("p", { id: "consent-what" })),
    el("div", { class: "buttons" },
      button("Send reports", { class: "primary", id: "consent-give" }),
      button("Do not send", { id: "consent-refuse" }))),
  el("div", { id: "consent-row", class: "sending", hidden: true },
    el("label", { class: "check" },
      el("input", { id: "consent", type: "checkbox", role: "switch", "aria-describedby": "consent-where" }),
      el("span", { text: "Send reports" })),
    el("p", { id: "consent-where", class: "fine" }),
    el("p", { id: "sending-failure", class: "error", role: "status", hidden: true })),
  el("div", { id: "reports-problems", class: "problems", hidden: true },
    el("p", { id: "reports-problems-title" }),
    el("ul", { id: "reports-problems-list" })),
  el("p", {
    id: "reports-none", class: "none", hidden: true,
    text: "There are no reports of errors or crashes.",
  }),
  el("ol", { id: "reports", role: "list", class: "reports", "aria-label": "Reports" }),
];

const style = css`
  #diagnostics-section .tools { flex-wrap: wrap; }
  #diagnostics-section .lead code { white-space: nowrap; }
  #last-crash { background: var(--danger-tint); color: var(--danger); }
  .sending { display: grid; gap: 0.25rem; margin-bottom: 1.25rem; justify-items: start; }
  .problems {
    display: grid; gap: 0.3rem; padding: 0.8rem 1.15rem; margin-bottom: 1.25rem; border: 1px dashed var(--line);
    border-radius: var(--radius); color: var(--soft); font-size: 0.875rem; overflow-wrap: anywhere;
  }
  .problems ul { list-style: disc; padding-left: 1.2rem; }
  .problems ul:empty { display: none; }
  .reports > li[data-kind="crash"] > details { border-color: color-mix(in srgb, var(--danger) 45%, var(--line)); box-shadow: inset 4px 0 0 var(--danger); }
  .reports .kind { font-size: 0.75rem; font-weight: 660; padding: 0.1rem 0.5rem; border-radius: 1rem; background: var(--danger-tint); color: var(--danger); }
  .reports .kind[data-kind="crash"] { background: var(--danger); color: var(--surface); }
  .reports [data-level="info"] .kind { background: var(--sunken); color: var(--soft); }
  .reports [data-kind="crash"] summary .what > span:first-child { font-weight: 620; }
  .reports .place {
    color: var(--soft); font-size: 0.875rem; display: -webkit-box; -webkit-line-clamp: 3; line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden;
  }
  .reports time { color: var(--soft); font-size: 0.8125rem; }
  .whole .acts { display: flex; flex-wrap: wrap; gap: 0.5rem; padding: 0.25rem 1.15rem 1.15rem; }
  .whole .acts button { min-height: 2.25rem; font-size: 0.875rem; padding-inline: 0.8rem; }
  .whole { padding-top: 0.25rem; border-top: 1px solid var(--line); }
  .whole > .error { padding: 0.75rem 1.15rem; }
  @media (max-width: 600px) {
    #diagnostics-section .tools { flex: 1 1 100%; justify-content: flex-start; }
    /* The buttons that come and go are at the end of the line, which begins at the left here. */
    #test-report { order: -1; }
    #diagnostics-section .tools button { flex: 0 1 auto; padding-inline: 0.75rem; font-size: 0.875rem; }
    #diagnostics-section .lead { margin-top: 0; font-size: 0.9375rem; }
  }
`;

const views = new Map();
/** @type {Partial<import("API").ReportsOverview>} */
let overview = { reports: [], problems: [] };
let requestCount = 0;
/** The number of the request whose response is displayed. */
let displayed = 0;

const kinds = {
  crash: "Crash", download: "Download", parse: "Playlist", mux: "Joining", database: "Registry",
  test: "Test", info: "Note", warning: "Warning", error: "Error", fatal: "Failure",
};
const content = "A report contains the error and its place in the program, the events before it, the latest "
  + "lines of the standard error, the versions of the program and the system, and counts. It contains no "
  + "tokens, and no queries or passwords of addresses. Open a report to see the content to send.";

async function load() {
  requestCount += 1;
  const number = requestCount;
  let response;
  try {
    response = await api.reports();
  } catch {
    // The next event or the next connection starts another load.
    return;
  }
  // Responses may arrive in a different order than the requests.
  if (number < displayed) return;
  displayed = number;
  overview = response;
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
  setText(byId("consent-what"), `The destination is ${destination}. Nothing is sent until you decide. ${content}`);
  show(byId("consent-row"), canSend && consent !== "unknown");
  byId("consent").checked = consent === "given";
  setText(byId("consent-where"), consent === "given"
    ? `Reports are sent to ${destination}. ${content}` : "Nothing is sent. Reports stay on this machine.");
  show(byId("send-reports"), canSend && consent === "given" && reports.length > 0);
  show(byId("sending-failure"), sendingFailure !== undefined);
  setText(byId("sending-failure"), sendingFailure ? failureText(sendingFailure) : "");
}

/**
 * Returns the reason why the last attempt to send failed, and the time of the next attempt.
 *
 * @param {import("API").ReportsOverview["sendingFailure"]} failure
 */
function failureText({ kind, date, message, retry }) {
  const detail = `${format.moment(date)}: ${message}`;
  if (kind === "refused") return `A report was refused and deleted, ${detail}`;
  const next = new Date(retry) > new Date() ? `, not before ${format.moment(retry)}` : "";
  return `The last attempt failed, ${detail} The next one starts by itself${next}.`;
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
  setText(byId("reports-problems-title"), !isRecording ? "Reports are not recorded."
    : !catchesCrashes ? "Errors are recorded, crashes are not." : "The setup of reports is incomplete.");
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

/** Loads a report when the user first opens the report. A report never changes. */
async function open(id, body) {
  if (body.childElementCount > 0) return;
  try {
    const report = await api.report(id);
    // Loaded on demand, because on most visits the user opens no report.
    const { reportParts } = await import("./report.js");
    body.replaceChildren(...reportParts(report), el("div", { class: "acts" },
      button("Delete this report", { class: "danger", onclick: () => remove(id) })));
  } catch (error) {
    body.replaceChildren(el("p", { class: "error", role: "alert", text: error.message }));
  }
  body.removeAttribute("aria-busy");
}

/** Opens a report in the list and scrolls to the report. */
function goTo(id) {
  const details = views.get(id)?.element.querySelector("details");
  if (!details) return;
  details.open = true;
  details.querySelector("summary").focus();
  details.scrollIntoView({ block: "start" });
}

/** Runs an action and reloads the list. Shows an error under `title`. */
async function act(title, work) {
  try {
    await work();
  } catch (error) {
    await showError(title, error);
  }
  await load();
}

const remove = (id) => act("The report was not deleted", async () => {
  await api.deleteReport(id);
  announce("The report was deleted.");
});

const recordTest = () => act("The test report was not recorded", async () => {
  const { id } = await api.testReport();
  await load();
  announce(overview.consent === "given" && overview.destination !== undefined
    ? `A test report is sent to ${overview.destination}.` : "A test report was recorded. It stays on this machine.");
  views.get(id)?.element.querySelector("summary").focus();
});

const send = () => act("The reports were not sent", async () => {
  const { reports, sendingFailure } = await api.sendReports();
  announce(reports.length > 0 ? "The server did not accept all reports. The others are sent later."
    : sendingFailure?.kind === "refused" ? failureText(sendingFailure) : "The reports were sent.");
});

async function decide(consent) {
  const hadFocus = byId("consent-ask").contains(document.activeElement);
  await act("Your choice was not saved", async () => { await api.setConsent(consent); });
  if (hadFocus) byId("consent").focus();
}

async function deleteAll() {
  const answer = await ask({
    title: "Delete all reports?",
    body: ["This deletes the reports on this machine. Sent reports remain at their destination."],
    buttons: [{ label: "Cancel" }, { label: "Delete", value: true, kind: "danger" }],
  });
  if (answer) await act("The reports were not deleted", () => api.deleteReports());
}

/** Connects the section to the page. */
export function start() {
  adopt(style);
  mount("diagnostics-section", markup);
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
