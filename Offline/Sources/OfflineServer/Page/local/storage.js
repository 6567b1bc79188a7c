// SPDX-License-Identifier: Apache-2.0
// The browser's own storage for films, with a database for the entries and a folder for the files.

/** The names for the device that keeps the films. Users think of a phone as a whole. */
export const [device, where] = matchMedia("(pointer: coarse)").matches
  ? ["this phone", "on this phone"] : ["this browser", "in this browser"];
/** The folder of the films in the browser's own storage. */
export const FOLDER = "kept";

/**
 * Whether the browser can store files. Without a secure context, the storage and the locks are
 * missing.
 */
const canStore = Boolean(isSecureContext && navigator.storage?.getDirectory && navigator.locks && globalThis.indexedDB);
let opened;

/** Whether the browser can keep films at the page's address. */
export const isPossible = () => canStore;

/** Returns the reason why the browser cannot keep films, and the remedy. */
export const refusal = () => (isSecureContext
  ? `This browser cannot keep files. A newer version can.`
  : `To keep files ${where}, the browser needs an encrypted address (https): start “offline serve --lan” with “--tls-certificate” and “--tls-key”. On the machine of the library, “http://localhost” does as well.`);

/** Returns the name of the file of an entry in the folder. */
export const fileName = (key) => key.replace("/", "-");

function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("kept", 1);
    request.onupgradeneeded = () => {
      for (const name of ["entries", "extras"]) request.result.createObjectStore(name, { keyPath: "key" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  // Another visit may allow access after this visit forbids it.
  opened.catch(() => { opened = undefined; });
  return opened;
}

/** Runs one transaction on the list. Returns the result of the request that `work` returns. */
export async function run(mode, work) {
  const transaction = (await database()).transaction(["entries", "extras"], mode);
  const request = work({ entries: transaction.objectStore("entries"), extras: transaction.objectStore("extras") });
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = transaction.onerror = () => reject(transaction.error ?? request?.error);
  });
  return request?.result;
}

const folder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true });

/** Reads the file of an entry, or returns undefined if the file is missing or incomplete. */
export async function fileOf({ key, size, item: { mediaType } }) {
  try {
    const file = await (await (await folder()).getFileHandle(fileName(key))).getFile();
    return file.size === size ? file.slice(0, size, mediaType) : undefined;
  } catch {
    return undefined;
  }
}

/** Removes files without an entry, which an earlier removal has left behind. */
export async function sweep() {
  const names = [];
  const place = await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER).catch(() => undefined);
  if (!place) return;
  for await (const name of place.keys()) names.push(name);
  // The keys are read after the names, because each file is created after the entry.
  const keys = await run("readonly", (stores) => stores.entries.getAllKeys());
  const known = new Set(keys.map(fileName));
  for (const name of names) if (!known.has(name)) await place.removeEntry(name).catch(() => {});
}

/** Removes the file of an entry. A tab that is writing the file removes the file at the end. */
export async function removeFile(key) {
  await (await folder()).removeEntry(fileName(key)).catch(() => {});
}

/**
 * Returns the used and the available bytes, and whether the browser promises not to remove files.
 */
export async function space() {
  const { usage = 0, quota = 0 } = await navigator.storage.estimate();
  return { usage, quota, isSafe: await navigator.storage.persisted?.() ?? false };
}
