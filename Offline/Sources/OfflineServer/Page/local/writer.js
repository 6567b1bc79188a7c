// SPDX-License-Identifier: Apache-2.0
// The worker that receives a film and writes the film to the browser's own storage. Only a worker
// can write a file in place, so that each byte is written once and a part stays for the next
// attempt.

/** The bytes between two flushes of the file. A later attempt may receive as many bytes again. */
const step = 8 * 1024 * 1024;
/** The milliseconds between two reports of the progress. */
const pause = 150;
const stop = new AbortController();

/**
 * Returns the start and the size of the file in a response, or undefined if the range differs from
 * the request.
 */
function range(response, from) {
  if (response.status === 200) return { start: 0, size: Number(response.headers.get("Content-Length") ?? NaN) };
  const [, start, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "") ?? [];
  return Number(start) === from ? { start: from, size: Number(size) } : undefined;
}

/**
 * Receives the rest of a file and returns the result. In some browsers, more file methods than
 * reading are asynchronous.
 */
async function receive(file, { address, from, tag }) {
  const begin = tag ? Math.min(from, await file.getSize()) : 0;
  const response = await fetch(address, {
    headers: begin > 0 ? { Range: `bytes=${begin}-`, "If-Range": tag } : {}, cache: "no-store", signal: stop.signal,
  });
  // The received part already reaches the end of the file or goes beyond.
  if (response.status === 416) return { end: "changed" };
  if (!response.ok) return { end: "refused", status: response.status };
  const found = range(response, begin);
  const newTag = response.headers.get("ETag");
  if (!found || !Number.isFinite(found.size) || !newTag || (found.start > 0 && newTag !== tag)) return { end: "changed" };
  await file.truncate(found.start);
  let offset = found.start;
  let synced = offset;
  let report = 0;
  postMessage({ begins: { received: offset, size: found.size, tag: newTag, isAnew: begin > 0 && offset === 0 } });
  const sync = async () => {
    await file.flush();
    synced = offset;
    postMessage({ synced });
  };
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (offset + value.length > found.size) return { end: "changed" };
      let written = 0;
      while (written < value.length) {
        const count = file.write(value.subarray(written), { at: offset });
        if (count === 0) throw new DOMException("", "QuotaExceededError");
        written += count;
        offset += count;
      }
      if (offset - synced >= step) await sync();
      // The report has all bytes that arrive until then, also if the server sends no more.
      report ||= setTimeout(() => {
        report = 0;
        postMessage({ received: offset });
      }, pause);
    }
  } finally {
    clearTimeout(report);
    try {
      await sync();
    } catch {
      // If the space is too small to flush the file, the bytes since the last flush are received
      // again.
    }
  }
  return { end: offset === found.size ? "complete" : "lost" };
}

/** Returns the result for a thrown error. */
function endOf(error) {
  if (stop.signal.aborted) return "stopped";
  if (error.name === "QuotaExceededError") return "full";
  if (error.name === "NoModificationAllowedError") return "busy";
  // These errors come from the network or from a stream that breaks off.
  return error instanceof TypeError || error.name === "NetworkError" || error.name === "AbortError" ? "lost" : "forbidden";
}

addEventListener("message", async ({ data }) => {
  if (data === "stop") {
    stop.abort();
    return;
  }
  let file;
  let result;
  try {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(data.folder, { create: true });
    file = await (await folder.getFileHandle(data.name, { create: true })).createSyncAccessHandle();
    result = await receive(file, data);
  } catch (error) {
    result = { end: endOf(error) };
  }
  try {
    await file?.close();
  } catch {
    // If the file could not be closed, the page checks the file before the entry counts as kept.
  }
  postMessage(result);
});
