// SPDX-License-Identifier: Apache-2.0
// One report, opened: how it came to it, and what would be sent of it.

import { el } from "/dom.js";
import * as format from "/format.js";

/** The parts of a report; what it does not have is left out. */
export const reportParts = (report) => [
  ...crashParts(report.crash),
  ...part("Calls, the innermost first", report.frames, (frames) =>
    el("ol", { class: "frames" }, ...folded(frames))),
  ...part("Errors, and what caused them", report.errors, (errors) =>
    el("ol", { class: "chain" }, ...errors.map(errorLine))),
  ...part("What happened before", report.breadcrumbs, (crumbs) =>
    el("ol", { class: "crumbs" }, ...crumbs.map(crumbLine))),
  ...part("Context", Object.entries(report.context ?? {}), table),
  ...part("Keys", Object.entries(report.values ?? {}), table),
  ...part("Program and machine", surroundings(report), table),
  ...part("Standard error", report.crash?.text, (text) => block("Standard error", text)),
  el("details", { class: "outgoing" }, el("summary", { text: "What would be sent" }),
    block("What would be sent", report.outgoing ?? "")),
];

function part(title, value, make) {
  if (!value || value.length === 0) return [];
  return [el("h3", { text: title }), make(value)];
}

function crashParts(crash) {
  if (!crash) return [];
  const facts = [
    `${crash.signal} on thread ${crash.thread}${crash.threadName ? ` “${crash.threadName}”` : ""}`,
    crash.address && `address ${crash.address}`,
    crash.sender && `sent by process ${crash.sender}`,
    crash.isTruncated && "what was written about it is not whole",
    crash.isRecovered && "the program went on",
  ];
  return [el("p", { class: "facts how", text: facts.filter(Boolean).join(", ") })];
}

/** The system's calls stand behind one line each run of them; the program's own are in sight. */
function folded(frames) {
  const lines = [];
  let system = [];
  const fold = () => {
    if (system.length === 0) return;
    const title = system.length === 1 ? "1 call of the system" : `${system.length} calls of the system`;
    lines.push(el("li", { class: "fold" }, el("details", {}, el("summary", { text: title }),
      el("ol", {}, ...system.map((frame) => frameLine(frame))))));
    system = [];
  };
  for (const { frame, repeats } of runs(frames)) {
    if (frame.isSystem) {
      system.push(frame);
    } else {
      fold();
      lines.push(frameLine(frame, repeats));
    }
  }
  fold();
  return lines;
}

/** A function that called itself until the stack was full is one line. */
function runs(frames) {
  const all = [];
  for (const frame of frames) {
    const last = all.at(-1);
    const isSame = last && !frame.isSystem && frame.function && ["function", "file", "line", "isScanned", "isInlined"]
      .every((member) => last.frame[member] === frame[member]);
    if (isSame) last.repeats += 1;
    else all.push({ frame, repeats: 0 });
  }
  return all;
}

const name = (path) => path.split("/").pop();

function frameLine(frame, repeats = 0) {
  const site = frame.file
    ? `${name(frame.file)}${frame.line === undefined ? "" : `:${frame.line}`}`
    : frame.image && `in ${name(frame.image)}`;
  const notes = [frame.isInlined && "inlined", frame.isScanned && "may be of an earlier call",
    repeats > 0 && `and ${repeats} more like it`].filter(Boolean);
  return el("li", { class: frame.isSystem ? "system" : "own", "data-scanned": frame.isScanned },
    el("code", { class: "function", text: frame.function ?? frame.address }),
    site ? el("span", { class: "facts", title: frame.file ?? frame.image, text: site }) : null,
    ...notes.map((text) => el("span", { class: "tag", text })));
}

const errorLine = (error) => el("li", {},
  el("code", { text: [error.domain, error.code].filter(Boolean).join(".") }),
  el("span", { class: "what", text: error.message }),
  error.location ? el("span", { class: "facts", text: error.location }) : null);

const crumbLine = (crumb) => el("li", { "data-origin": crumb.origin },
  el("time", { datetime: crumb.date, title: format.moment(crumb.date), text: format.before(crumb.secondsBefore) }),
  el("span", { class: "what", title: crumb.location, text: crumb.text }));

const table = (entries) => el("dl", {}, ...entries.flatMap(([key, value]) => [
  el("dt", { text: key }), el("dd", { text: String(value) }),
]));

const surroundings = (report) => [
  ["Release", report.release], ["Environment", report.environment], ["User", report.user],
  ["System", report.machine?.system], ["Kernel", report.machine?.kernel],
  ["Processor", report.machine?.architecture], ["Language", report.machine?.locale],
].filter(([, value]) => value);

/** Long lines scroll by themselves, by keyboard too. */
const block = (label, text) =>
  el("pre", { tabindex: "0", role: "region", "aria-label": label, text });
