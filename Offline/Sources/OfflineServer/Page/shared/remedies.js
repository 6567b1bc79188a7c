// SPDX-License-Identifier: Apache-2.0
// The explanation of a failure for users, and the actions that can help.

/** @typedef {import("API").ItemRepresentation} Item */

const again = ["retry"];
const other = ["renew"];
const both = ["retry", "renew"];

/**
 * The actions that can help, by the code of the error. No action helps against a protected stream.
 */
const actions = {
  unsupported: other,
  refused: [],
  live: [],
  several: ["choose"],
  feed: ["follow"],
  sameFile: ["find"],
  privateAddress: ["allow"],
  invalidPlaylist: both,
  status: both,
  connection: both,
  offline: again,
  changed: both,
  missingSegments: both,
  notMedia: both,
  wrongKey: both,
  checksum: both,
  diskFull: again,
  disk: again,
  mux: again,
  toolMissing: again,
  database: again,
  cancelled: again,
};

/**
 * Returns the actions that can help a failed item. The list is empty for any other item.
 *
 * @param {Item} item
 */
export function remedies(item) {
  if (item.state !== "failed") return [];
  if (item.error?.code === "live" && item.kind === "stream") return ["record"];
  const found = actions[item.error?.code] ?? again;
  return /^https?:/.test(item.address) ? found : found.filter((each) => each !== "renew");
}

/**
 * Returns an error's message for the page. The page has buttons where the command line has options.
 *
 * @param {Item["error"]} error
 * @param {Item["kind"]} [kind]
 */
export function explain(error, kind) {
  if (error?.code === "several") return "The page offers several media. Choose shows them.";
  if (error?.code === "sameFile") return "Your library has the file of this address already. Remove this download.";
  if (error?.code === "feed") return "This is a feed of many entries. Follow it to keep its newest ones.";
  if (error?.code === "live" && kind === "stream") {
    return "The stream is live and has not ended. Record keeps it until it ends or you stop it.";
  }
  if (error?.code === "privateAddress") {
    return "This is a private address, such as in a home network. Allow it if you trust its owner.";
  }
  return error?.message ?? "The download failed for an unknown reason. Try again.";
}
