// SPDX-License-Identifier: Apache-2.0
// The upkeep of the library from the menus, which is verification of the files, export and import.

import { api } from "../shared/api.js";
import { ask, close, showError } from "../shared/dialog.js";
import { adopt, announce, byId, css, el, setText } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as places from "../shared/places.js";

const style = css`
  .damaged { display: grid; gap: 0.6rem; color: var(--ink); overflow-wrap: anywhere; }
  .damaged a { color: var(--accent); font-weight: 560; }
  .damaged p { color: var(--soft); font-size: 0.875rem; }
`;

/** The time between two readings of the progress, in milliseconds. */
const pause = 500;
const done = { label: "Close", kind: "primary" };

const counted = (number, one, many = `${one}s`) => `${format.whole(number)} ${number === 1 ? one : many}`;

let isFollowing = false;

/** Starts to verify all files, or shows the running verification, and then shows the report. */
async function verify() {
  let run;
  try {
    const last = await api.verification();
    run = (last.isRunning ? last : await api.verify({})).run;
  } catch (error) {
    if (error.code !== "verifying") {
      await showError("The files cannot be verified", error);
      return;
    }
    // Another page or a command has started a verification in the meantime.
    run = (await api.verification()).run;
  }
  const bar = el("progress", { "aria-label": "Verification" });
  const facts = el("p");
  ask({
    title: "Verifying the files…", body: [bar, facts],
    buttons: [{ label: "Stop", value: "stop" }, { label: "Continue in the background", kind: "primary" }],
  }).then((answer) => {
    if (answer === "stop") return api.stopVerification(run);
    return undefined;
  }).catch((error) => showError("The verification was not stopped", error));
  // The report of a verification that continues in the background is shown only once.
  if (isFollowing) return;
  isFollowing = true;
  try {
    const report = await follow(run, (report) => {
      bar.max = Math.max(report.totalBytes, 1);
      bar.value = report.bytes;
      setText(facts, `${format.bytes(report.bytes)} of ${format.bytes(report.totalBytes)}, `
        + `${format.whole(report.checked)} of ${counted(report.total, "file")}`);
    });
    close();
    announce(summary(report));
    await ask({ title: "Verification", body: verified(report), buttons: [done] });
  } catch (error) {
    close();
    await showError("The verification cannot be followed", error);
  } finally {
    isFollowing = false;
  }
}

/** Reads the progress until the end of the verification, and returns the report. */
async function follow(run, draw) {
  for (;;) {
    const report = await api.verification(run);
    draw(report);
    if (!report.isRunning) return report;
    await new Promise((resolve) => { setTimeout(resolve, pause); });
  }
}

const summary = (report) => [
  report.isStopped ? `Stopped after ${format.whole(report.checked)} of ${counted(report.total, "file")}.`
    : `${counted(report.checked, "file")} read.`,
  `${format.whole(report.intact)} intact, ${format.whole(report.recorded)} recorded for the first time, `
    + `${format.whole(new Set(report.problems.map(({ id }) => id)).size)} not confirmed.`,
].join(" ");

function verified(report) {
  const problems = report.problems.map((problem) => el("li", {},
    el("a", { href: places.address("library", { q: problem.title }), text: problem.title, onclick: () => byId("ask").close() }),
    el("p", { text: problem.message })));
  return [summary(report), problems.length > 0 ? el("ul", { class: "damaged", role: "list" }, ...problems) : null]
    .filter(Boolean);
}

const permit = el("input", { id: "import-private", type: "checkbox" });
const permission = el("label", { class: "check" }, permit,
  el("span", { text: "Its items and feeds may be at private addresses, such as a home server." }));

/** Asks once, then adds the content of a file to the library. */
async function importFile(event) {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  permit.checked = false;
  const answer = await ask({
    title: `Import “${file.name}”?`,
    body: ["This adds the items, feeds and settings that this library does not have. It changes none of its own, "
      + "and downloads nothing until you resume it.", permission],
    buttons: [{ label: "Cancel" }, { label: "Import", value: true, kind: "primary" }],
  });
  if (!answer) return;
  ask({ title: "Importing…", body: [el("progress", { "aria-label": "Import" })] });
  let report;
  try {
    report = await api.importLibrary(file, permit.checked);
  } catch (error) {
    close();
    await showError("The import failed; nothing was changed", error);
    return;
  }
  close();
  announce(`${counted(report.items, "item")} imported.`);
  await ask({ title: "Import", body: imported(report), buttons: [done] });
}

function imported(report) {
  const lines = [
    [report.known, "known already"], [report.ready, "ready"], [report.missing, "without a file"],
    [report.unfinished, "unfinished"],
  ].filter(([number]) => number > 0).map(([number, text]) => `${format.whole(number)} ${text}`);
  return [
    `Imported ${counted(report.items, "item")}${lines.length > 0 ? `: ${lines.join(", ")}` : ""}.`,
    report.feeds > 0 && `Following ${counted(report.feeds, "feed")}, ${format.whole(report.knownFeeds)} of them already.`,
    report.settings > 0 && `Took ${counted(report.settings, "setting")}.`,
    report.skippedSettings > 0 && `Left out ${counted(report.skippedSettings, "setting")} of another version.`,
    report.withoutPermission > 0 && "Private addresses are not permitted: of "
      + `${counted(report.withoutPermission, "item or feed", "items and feeds")}. Import the file again to permit them.`,
    report.withoutOptions > 0 && "Headers, cookies or a proxy are not in the text: of "
      + `${counted(report.withoutOptions, "item or feed", "items and feeds")}.`,
  ].filter(Boolean);
}

/** Connects the menus. */
export function start() {
  adopt(style);
  const field = el("input", { id: "import-file", type: "file", accept: ".jsonl,.txt,.ndjson", hidden: true });
  field.addEventListener("change", importFile);
  document.body.append(field);
  const actions = { verify, import: () => byId("import-file").click() };
  for (const [name, action] of Object.entries(actions)) {
    for (const choice of document.querySelectorAll(`[data-upkeep="${name}"]`)) {
      choice.addEventListener("click", () => {
        choice.closest("details").open = false;
        action();
      });
    }
  }
}
