// SPDX-License-Identifier: Apache-2.0
// Formats numbers and dates for display.

const numbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const wholes = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const days = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const times = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** 1234567 → "1.2 MB". */
export function bytes(count) {
  if (!Number.isFinite(count)) return "";
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? wholes.format(value) : numbers.format(value)} ${units[unit]}`;
}

/** 100000 → "100,000". */
export const whole = (count) => (Number.isFinite(count) ? wholes.format(count) : "");

/** 3725 → "1:02:05". */
export function clock(seconds) {
  if (!Number.isFinite(seconds)) return "";
  const total = Math.round(seconds);
  const parts = [Math.floor(total / 60) % 60, total % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(total / 3600);
  return hours > 0 ? `${hours}:${parts.join(":")}` : `${Math.floor(total / 60)}:${parts[1]}`;
}

/** 3725 → "1 h 2 min left". */
export function remaining(seconds) {
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s left`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min left`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

/** 0.000123 → "123 µs", for a duration. */
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return "";
  if (seconds >= 1) return `${numbers.format(seconds)} s`;
  if (seconds >= 0.001) return `${numbers.format(seconds * 1e3)} ms`;
  return `${numbers.format(seconds * 1e6)} µs`;
}

/** 0.012 → "−12 ms", 75 → "−1 min 15 s", for a time before an event. */
export function before(seconds) {
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 0.0005) return "0 ms";
  if (seconds < 1) return `−${wholes.format(seconds * 1e3)} ms`;
  if (seconds < 60) return `−${numbers.format(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `−${minutes} min ${Math.round(seconds % 60)} s`;
  return `−${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** 0.4567 → "45 %", rounded down, so that 100 % means done. */
export const percent = (fraction) => `${Math.floor(fraction * 100)} %`;

/** An ISO date → "3 Mar 2026". */
export const day = (text) => safely(days, text);

/** An ISO date → "14:05". */
export const time = (text) => safely(times, text);

/** An ISO date → "3 Mar 2026, 14:05". */
export const moment = (text) => safely(moments, text);

function safely(format, text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? "" : format.format(date);
}
