// SPDX-License-Identifier: Apache-2.0
// The client of the server's HTTP API.

/** An error response. The message states the fault and the remedy. */
export class APIError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Sends a request and returns the value of the response. */
async function send(method, path, body, more = {}) {
  // The page may send a removal while the user leaves the page.
  /** @type {RequestInit} */
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

/**
 * Sends a request of the API, whose path determines the types of the body and of the response.
 *
 * @type {import("API").Call}
 */
const call = send;

/** @type {(id: number) => `/api/items/${string}`} */
const item = (id) => `/api/items/${encodeURIComponent(id)}`;

export const api = {
  items: (options) => call("GET", `/api/items?${new URLSearchParams(options)}`),
  item: (id) => call("GET", item(id)),
  tracks: (id) => call("GET", `${item(id)}/tracks`),
  /** Waits until the server has prepared the item with another sound. */
  prepareSound: (id, sound) => send("GET", mediaAddress(id, sound), undefined, { headers: { Range: "bytes=0-0" } }),
  /** @param {import("API").DownloadJSON} request */
  download: (request) => call("POST", "/api/downloads", request),
  /** @param {import("API").DownloadJSON} request */
  inspect: (request) => call("POST", "/api/inspect", request),
  /** @param {import("API").PasteJSON} request */
  add: (request) => call("POST", "/api/items", request),
  sample: () => call("POST", "/api/sample"),
  pause: (id) => call("POST", `${item(id)}/pause`),
  stop: (id) => call("POST", `${item(id)}/stop`),
  rename: (id, title) => call("POST", `${item(id)}/rename`, { title }),
  retry: (id, address) => call("POST", `${item(id)}/retry`, { address }),
  remove: (id, withFile) => call("DELETE", `${item(id)}?withFile=${withFile ? "true" : "false"}`),
  /** Records the playback position of an item. */
  play: (id, change, options) => call("PUT", `${item(id)}/playback`, change, options),
  /** Returns the items that the user can continue, with the last played item first. */
  playback: () => call("GET", "/api/playback"),
  keep: (id) => call("POST", `${item(id)}/keep`),
  feeds: () => call("GET", "/api/feeds"),
  /** @param {import("API").FeedRequestBody} request */
  follow: (request) => call("POST", "/api/feeds", request),
  checkFeed: (id) => call("POST", `/api/feeds/${id}/check`),
  unfollow: (id) => call("DELETE", `/api/feeds/${id}`),
  collections: () => call("GET", "/api/collections"),
  makeCollection: (name, items) => call("POST", "/api/collections", { name, items }),
  /** @type {(id: number, change: import("API").CollectionJSON) => Promise<import("API").MediaCollection>} */
  changeCollection: (id, change) => call("PATCH", `/api/collections/${id}`, change),
  removeCollection: (id) => call("DELETE", `/api/collections/${id}`),
  collect: (id, items) => call("POST", `/api/collections/${id}/items`, { items }),
  takeOut: (id, items) => call("DELETE", `/api/collections/${id}/items`, { items }),
  cancel: (id) => call("POST", `${item(id)}/cancel`),
  move: (id, to, other) => call("POST", `${item(id)}/move`, { to, item: other }),
  changeAll: (action) => call("POST", `/api/items/${action}`),
  /** @param {import("API").RefreshOptions} options */
  refresh: (options) => call("POST", "/api/refresh", options),
  /** @param {import("API").VerifyJSON} wanted */
  verify: (wanted) => call("POST", "/api/verify", wanted),
  verification: (run) => call("GET", run === undefined ? "/api/verify" : `/api/verify?run=${run}`),
  stopVerification: (run) => call("DELETE", `/api/verify?run=${run}`),
  importLibrary: (file, allowPrivate) =>
    call("POST", `/api/import${allowPrivate ? "?allowPrivate=true" : ""}`, file),
  /** Fails for a file that the library could not accept now. */
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
  /** @param {import("API").CatalogAddressJSON} value */
  setCatalog: (value) => call("PUT", "/api/catalog", value),
  removeCatalog: () => call("DELETE", "/api/catalog"),
  refreshCatalog: () => call("POST", "/api/catalog/refresh"),
  downloadLesson: (id, parts) =>
    call("POST", `/api/catalog/lessons/${encodeURIComponent(id)}/downloads`, { parts }),
  /** @param {import("API").PreferencesJSON} values */
  setPreferences: (values) => call("POST", "/api/preferences", values),
  notifications: () => call("GET", "/api/notifications"),
  markRead: () => call("POST", "/api/notifications/read"),
  respond: (id, action) => call("POST", `/api/notifications/${encodeURIComponent(id)}/response`, { action }),
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
 * Sends a file to the library, or subtitles for an item. `onProgress` gets the number of sent
 * bytes.
 *
 * The function does not use `fetch`, which does not report the number of sent bytes.
 *
 * @param {Blob} file
 * @param {{ name: string, beside?: number }} place
 * @param {(count: number) => void} onProgress
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
  request.open("POST", `/api/uploads?${new URLSearchParams({ name, ...(beside ? { beside: String(beside) } : {}) })}`);
  request.responseType = "json";
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.send(file);
  return { result, cancel: () => request.abort() };
}

/** The address of the export of the library. */
export const exportAddress = "/api/export";
/**
 * The addresses of an item's file, optionally with a sound other than the first, and of the
 * picture.
 */
export const mediaAddress = (id, sound = 1) => `/media/${encodeURIComponent(id)}${sound > 1 ? `?sound=${sound}` : ""}`;
export const saveAddress = (id) => `/media/${encodeURIComponent(id)}?download=1`;
export const subtitleAddress = (id, number) => `/subtitles/${encodeURIComponent(id)}/${number}`;
export const inspectedPictureAddress = ({ picture, referrer }, allowPrivate) =>
  `/api/inspect/picture?${new URLSearchParams({
    address: picture, ...(referrer ? { page: referrer } : {}), ...(allowPrivate ? { allowPrivate: "true" } : {}),
  })}`;
export const pictureAddress = (id) => `/pictures/${encodeURIComponent(id)}`;
