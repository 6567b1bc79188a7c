// SPDX-License-Identifier: Apache-2.0
// The client of the server's HTTP API.

/** An error response; its message states the fault and the remedy. */
export class APIError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function call(method, path, body, more = {}) {
  // A removal may be sent while the page goes away.
  const options = { method, headers: {}, keepalive: method === "DELETE", ...more };
  if (method !== "GET") {
    options.headers["Content-Type"] = "application/json";
    options.body = body instanceof Blob ? body : JSON.stringify(body ?? {});
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new APIError(0, "unreachable", "The server does not respond. Start it with “offline serve”.");
  }
  const value = await response.json().catch(() => ({}));
  if (response.ok) return value;
  const { code = "unknown", message = `The server returned status ${response.status}. Try again.` } = value.error ?? {};
  throw new APIError(response.status, code, message);
}

const item = (id) => `/api/items/${encodeURIComponent(id)}`;
const notification = (id) => `/api/notifications/${encodeURIComponent(id)}`;

export const api = {
  items: (options) => call("GET", `/api/items?${new URLSearchParams(options)}`),
  item: (id) => call("GET", item(id)),
  tracks: (id) => call("GET", `${item(id)}/tracks`),
  /** Waits until the server has the item with another sound. */
  prepareSound: (id, sound) => call("GET", mediaAddress(id, sound), undefined, { headers: { Range: "bytes=0-0" } }),
  download: (request) => call("POST", "/api/downloads", request),
  inspect: (request) => call("POST", "/api/inspect", request),
  add: (request) => call("POST", "/api/items", request),
  sample: () => call("POST", "/api/sample"),
  pause: (id) => call("POST", `${item(id)}/pause`),
  stop: (id) => call("POST", `${item(id)}/stop`),
  rename: (id, title) => call("POST", `${item(id)}/rename`, { title }),
  retry: (id, address) => call("POST", `${item(id)}/retry`, { address }),
  remove: (id, withFile) => call("DELETE", `${item(id)}?withFile=${withFile ? "true" : "false"}`),
  /** Records how far an item was played. */
  play: (id, change, options) => call("PUT", `${item(id)}/playback`, change, options),
  /** Returns the items that a person can continue, the last played first. */
  playback: () => call("GET", "/api/playback"),
  keep: (id) => call("POST", `${item(id)}/keep`),
  feeds: () => call("GET", "/api/feeds"),
  follow: (request) => call("POST", "/api/feeds", request),
  checkFeed: (id) => call("POST", `/api/feeds/${id}/check`),
  unfollow: (id) => call("DELETE", `/api/feeds/${id}`),
  collections: () => call("GET", "/api/collections"),
  makeCollection: (name, items) => call("POST", "/api/collections", { name, items }),
  changeCollection: (id, change) => call("PATCH", `/api/collections/${id}`, change),
  removeCollection: (id) => call("DELETE", `/api/collections/${id}`),
  collect: (id, items) => call("POST", `/api/collections/${id}/items`, { items }),
  takeOut: (id, items) => call("DELETE", `/api/collections/${id}/items`, { items }),
  cancel: (id) => call("POST", `${item(id)}/cancel`),
  move: (id, to, other) => call("POST", `${item(id)}/move`, { to, item: other }),
  changeAll: (action) => call("POST", `/api/items/${action}`),
  refresh: (options) => call("POST", "/api/refresh", options),
  verify: (wanted) => call("POST", "/api/verify", wanted),
  verification: (run) => call("GET", run === undefined ? "/api/verify" : `/api/verify?run=${run}`),
  stopVerification: (run) => call("DELETE", `/api/verify?run=${run}`),
  importLibrary: (file, allowPrivate) =>
    call("POST", `/api/import${allowPrivate ? "?allowPrivate=true" : ""}`, file),
  /** Refuses a file that the library could not take now. */
  checkUpload: (name, size) => call("GET", `/api/uploads?${new URLSearchParams({ name, size })}`),
  library: () => call("GET", "/api/library"),
  showFolder: () => call("POST", "/api/library/show"),
  showFile: (id) => call("POST", `${item(id)}/show`),
  settings: () => call("GET", "/api/settings"),
  setSettings: (values) => call("PATCH", "/api/settings", values),
  devices: () => call("GET", "/api/devices"),
  machines: () => call("GET", "/api/machines"),
  inviteDevice: () => call("POST", "/api/devices/invitations"),
  decideDevice: (id, letIn) => call("POST", `/api/devices/arrivals/${id}`, { letIn }),
  removeDevice: (id) => call("DELETE", `/api/devices/${id}`),
  presence: (client, inFront) => call("POST", "/api/presence", { client, inFront }),
  catalog: (options) => call("GET", `/api/catalog?${new URLSearchParams(options)}`),
  setCatalog: (value) => call("PUT", "/api/catalog", value),
  removeCatalog: () => call("DELETE", "/api/catalog"),
  refreshCatalog: () => call("POST", "/api/catalog/refresh"),
  downloadLesson: (id, parts) =>
    call("POST", `/api/catalog/lessons/${encodeURIComponent(id)}/downloads`, { parts }),
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

/**
 * Sends a file to the library, or subtitles beside an item; `onProgress` gets the number of sent bytes.
 *
 * Not `fetch`, which does not say how much is sent.
 */
export function sendFile(file, { name, beside }, onProgress) {
  const request = new XMLHttpRequest();
  const result = new Promise((resolve, reject) => {
    const fail = (code, message) => reject(new APIError(request.status, code, message));
    request.upload.addEventListener("progress", ({ loaded }) => onProgress(Math.min(loaded, file.size)));
    request.addEventListener("error", () => fail("unreachable",
      "The connection broke off, or the file has changed. Check that the server runs, then try again."));
    request.addEventListener("abort", () => fail("cancelled", "The file was not added."));
    request.addEventListener("load", () => {
      const value = request.response ?? {};
      const isNew = request.status === 201;
      if (isNew || request.status === 200) resolve({ item: value, isNew });
      else fail(value.error?.code ?? "unknown", value.error?.message ?? `The server returned status ${request.status}. Try again.`);
    });
  });
  request.open("POST", `/api/uploads?${new URLSearchParams({ name, ...(beside ? { beside } : {}) })}`);
  request.responseType = "json";
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.send(file);
  return { result, cancel: () => request.abort() };
}

/** The address of the library as text. */
export const exportAddress = "/api/export";
/** The addresses of an item's file, perhaps with another sound than its first one, and of its picture. */
export const mediaAddress = (id, sound = 1) => `/media/${encodeURIComponent(id)}${sound > 1 ? `?sound=${sound}` : ""}`;
export const saveAddress = (id) => `/media/${encodeURIComponent(id)}?download=1`;
export const subtitleAddress = (id, number) => `/subtitles/${encodeURIComponent(id)}/${number}`;
export const inspectedPictureAddress = ({ picture, referrer }, allowPrivate) =>
  `/api/inspect/picture?${new URLSearchParams({
    address: picture, ...(referrer ? { page: referrer } : {}), ...(allowPrivate ? { allowPrivate: "true" } : {}),
  })}`;
export const pictureAddress = (id) => `/pictures/${encodeURIComponent(id)}`;
