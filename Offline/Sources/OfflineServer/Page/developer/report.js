// SPDX-License-Identifier: Apache-2.0
// The content of one report, and the form in which the program sends the report.

import { adopt, css, el } from "../shared/dom.js";
import * as format from "../shared/format.js";

// This script loads with the first opened report and includes the style.
adopt(css`
  .reports h3 { font-size: 0.875rem; padding: 0 1.15rem 0.35rem; }
  .whole > h3 { padding-top: 0.75rem; }
  .whole .how { padding: 0.75rem 1.15rem 0; color: var(--soft); font-size: 0.875rem; overflow-wrap: anywhere; }
  .reports pre {
    margin: 0 1.15rem 1rem; padding: 0.75rem 0.9rem; max-height: 22rem; overflow: auto; border-radius: 10px; background: var(--sunken);
    font: 0.8125rem/1.5 ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; tab-size: 4;
  }
  .outgoing > summary, .fold summary { cursor: pointer; color: var(--soft); font-size: 0.875rem; }
  .outgoing > summary { padding: 0.75rem 1.15rem; font-weight: 560; }
  .frames { padding: 0 1.15rem 1rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.3rem; font-size: 0.875rem; }
  .frames > li { display: flex; flex-wrap: wrap; gap: 0.1rem 0.8rem; overflow-wrap: anywhere; }
  .frames > .own .function { font-weight: 620; overflow-wrap: anywhere; }
  .frames .system .function { color: var(--soft); overflow-wrap: anywhere; }
  .frames [data-scanned] .function { font-style: italic; font-weight: 400; }
  .frames .fold ol { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.3rem; padding: 0.35rem 0 0.35rem 1rem; }
  .frames .fold li { display: flex; flex-wrap: wrap; gap: 0.1rem 0.8rem; overflow-wrap: anywhere; }
  .frames .fold details { min-width: 0; }
  .frames .facts { color: var(--soft); }
  .tag { font-size: 0.75rem; padding: 0 0.45rem; border-radius: 1rem; background: var(--sunken); color: var(--soft); }
  .chain { padding: 0 1.15rem 1rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.35rem; font-size: 0.875rem; }
  .chain li { display: flex; flex-wrap: wrap; gap: 0.1rem 0.8rem; overflow-wrap: anywhere; }
  .chain code { color: var(--soft); overflow-wrap: anywhere; }
  .chain li + li::before { content: "↳"; color: var(--soft); }
  .crumbs { margin: 0 1.15rem 1rem; font-size: 0.875rem; display: grid; grid-template-columns: minmax(0, 1fr); border-left: 2px solid var(--line); }
  .crumbs > li { position: relative; display: flex; flex-wrap: wrap; gap: 0 0.8rem; padding: 0.12rem 0 0.12rem 0.9rem; }
  .crumbs > li::before { content: ""; position: absolute; left: -0.3125rem; top: 0.6rem; width: 0.5rem; height: 0.5rem; border-radius: 50%; background: var(--line); }
  .crumbs > li:last-child::before { background: var(--accent); }
  .crumbs time { min-width: 4.5rem; }
  .crumbs .what { flex: 1 1 14rem; }
`);

/** Returns the parts of a report, without the empty ones. */
export const reportParts = (report) => [
  ...crashParts(report.crash),
  ...part("Calls, innermost first", report.frames, (frames) =>
    el("ol", { class: "frames" }, ...folded(frames))),
  ...part("Errors and their causes", report.errors, (errors) =>
    el("ol", { class: "chain" }, ...errors.map(errorLine))),
  ...part("Events before the report", report.breadcrumbs, (breadcrumbs) =>
    el("ol", { class: "crumbs" }, ...breadcrumbs.map(breadcrumbLine))),
  ...part("Context", Object.entries(report.context ?? {}), table),
  ...part("Keys", Object.entries(report.values ?? {}), table),
  ...part("Program and machine", environment(report), table),
  ...part("Standard error", report.crash?.text, (text) => block("Standard error", text)),
  el("details", { class: "outgoing" }, el("summary", { text: "Content to send" }),
    block("Content to send", report.outgoing ?? "")),
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
    crash.isTruncated && "its record is incomplete",
    crash.isRecovered && "the program continued",
  ];
  return [el("p", { class: "facts how", text: facts.filter(Boolean).join(", ") })];
}

/** Folds each run of system frames into one line. The program's frames stay visible. */
function folded(frames) {
  const lines = [];
  let system = [];
  const fold = () => {
    if (system.length === 0) return;
    const title = system.length === 1 ? "1 call in system code" : `${system.length} calls in system code`;
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

/** Folds a recursion, such as a stack overflow, into one line. */
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
  const notes = [frame.isInlined && "inlined", frame.isScanned && "possibly from an earlier call",
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

const breadcrumbLine = (breadcrumb) => el("li", { "data-origin": breadcrumb.origin },
  el("time", {
    datetime: breadcrumb.date, title: format.moment(breadcrumb.date), text: format.before(breadcrumb.secondsBefore),
  }),
  el("span", { class: "what", title: breadcrumb.location, text: breadcrumb.text }));

const table = (entries) => el("dl", {}, ...entries.flatMap(([key, value]) => [
  el("dt", { text: key }), el("dd", { text: String(value) }),
]));

const environment = (report) => [
  ["Release", report.release], ["Environment", report.environment], ["User", report.user],
  ["System", report.machine?.system], ["Kernel", report.machine?.kernel],
  ["Processor", report.machine?.architecture], ["Language", report.machine?.locale],
].filter(([, value]) => value);

/** A block with long lines that scroll, also with the keyboard. */
const block = (label, text) =>
  el("pre", { tabindex: "0", role: "region", "aria-label": label, text });
