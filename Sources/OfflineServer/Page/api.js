// SPDX-License-Identifier: Apache-2.0
// The server's HTTP API; the page uses nothing else.

/** An answer that says what went wrong and what to do. */
export class APIError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function call(method, path, body) {
  const options = { method, headers: {} };
  if (method !== "GET") {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body ?? {});
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new APIError(0, "unreachable", "The server does not answer. Is “offline serve” running?");
  }
  const value = await response.json().catch(() => ({}));
  if (response.ok) return value;
  const { code = "unknown", message = `The server answered ${response.status}.` } = value.error ?? {};
  throw new APIError(response.status, code, message);
}

const item = (id) => `/api/items/${encodeURIComponent(id)}`;
const notification = (id) => `/api/notifications/${encodeURIComponent(id)}`;

export const api = {
  download: (request) => call("POST", "/api/downloads", request),
  sample: () => call("POST", "/api/sample"),
  retry: (id) => call("POST", `${item(id)}/retry`),
  remove: (id, withFile) => call("DELETE", `${item(id)}?withFile=${withFile ? "true" : "false"}`),
  refresh: (options) => call("POST", "/api/refresh", options),
  presence: (client, inFront) => call("POST", "/api/presence", { client, inFront }),
  catalogue: (options) => call("GET", `/api/catalogue?${new URLSearchParams(options)}`),
  setCatalogue: (value) => call("PUT", "/api/catalogue", value),
  forgetCatalogue: () => call("DELETE", "/api/catalogue"),
  refreshCatalogue: () => call("POST", "/api/catalogue/refresh"),
  downloadLesson: (id, parts) =>
    call("POST", `/api/catalogue/lessons/${encodeURIComponent(id)}/downloads`, { parts }),
  preferences: () => call("GET", "/api/preferences"),
  setPreferences: (values) => call("POST", "/api/preferences", values),
  notifications: () => call("GET", "/api/notifications"),
  markRead: () => call("POST", "/api/notifications/read"),
  respond: (id, action) => call("POST", `${notification(id)}/response`, { action }),
  reports: () => call("GET", "/api/reports"),
  activity: () => call("GET", "/api/activity"),
  report: (id) => call("GET", `/api/reports/${encodeURIComponent(id)}`),
  testReport: () => call("POST", "/api/reports/test"),
  deleteReport: (id) => call("DELETE", `/api/reports/${encodeURIComponent(id)}`),
  sendReports: () => call("POST", "/api/reports/send"),
  setConsent: (consent) => call("POST", "/api/reports/consent", { consent }),
  deleteReports: () => call("DELETE", "/api/reports"),
};

/** Where an item's file and picture are. */
export const mediaAddress = (id) => `/media/${encodeURIComponent(id)}`;
export const saveAddress = (id) => `/media/${encodeURIComponent(id)}?download=1`;
export const pictureAddress = (id) => `/pictures/${encodeURIComponent(id)}`;
