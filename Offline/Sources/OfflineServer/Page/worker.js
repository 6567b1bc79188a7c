// SPDX-License-Identifier: Apache-2.0
// The service worker keeps the page's own files, so that the page opens while the server is
// stopped. The worker never keeps data of the library, which only the server has.

const CACHE = "page";
/** The files of a version that the frame does not name. */
const others = ["developer/report.js", "library/kept.js", "local/keeping.js", "local/writer.js"];
/** The files without a version that the frame does not name. */
const loose = ["/icon-unread.svg"];

/**
 * Whether the response is a file of the page. The server's pages without data have no validator.
 */
const isFile = (response) => response.ok && !response.redirected && response.headers.has("ETag");

/**
 * The milliseconds after which a server counts as unreachable. Outside of the server's network, no
 * machine refuses the connection.
 */
const patience = 4000;

/**
 * Requests the frame in the name of the worker. The server would refuse a navigation from another
 * site that the worker passes on.
 */
const frame = () => fetch(new Request("/", { headers: { Accept: "text/html" } }));

/**
 * Keeps a frame with all required files, and drops the files of other versions. The files of the
 * former version stay, because a page of that version may be open.
 */
async function keep(response) {
  if (!isFile(response)) return;
  const cache = await caches.open(CACHE);
  const text = await response.clone().text();
  const named = [...text.matchAll(/(?:href|src)="(\/[^"#]+\.\w+)/g)].map((match) => match[1]);
  const folderIn = (page) => page.match(/\/page\/\w+\//)[0];
  const folder = folderIn(text);
  const former = folderIn(await (await cache.match("/") ?? response.clone()).text());
  const wanted = new Set([...named, ...others.map((name) => folder + name), ...loose]);
  const kept = new Set((await cache.keys()).map((request) => new URL(request.url).pathname));
  await cache.addAll([...wanted].filter((name) => !kept.has(name)));
  // The page can open with the new frame only from here on. Until here, the page needed the files
  // of the previous frame.
  await cache.put("/", response);
  const old = [...kept].filter((name) => name !== "/" && !wanted.has(name) && !name.startsWith(former));
  await Promise.all(old.map((name) => cache.delete(name)));
}

/**
 * Returns the server's frame, or the kept frame if the server does not respond. A frame that comes
 * late is kept for the next visit.
 */
async function open(event) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match("/");
  const answer = frame();
  event.waitUntil(answer.then((response) => {
    if (response.headers.get("ETag") !== kept?.headers.get("ETag")) return keep(response.clone());
    return undefined;
  }).catch(() => {}));
  try {
    const late = new Promise((resolve, reject) => { if (kept) setTimeout(reject, patience); });
    return await Promise.race([answer, late]);
  } catch {
    return kept ?? Response.error();
  }
}

/** Returns a file of a version. Such a file never changes. */
async function file(request) {
  return (await (await caches.open(CACHE)).match(request)) ?? fetch(request);
}

/** Returns the server's file, or the kept file if the server does not respond. */
async function loosely(request, name) {
  const cache = await caches.open(CACHE);
  let response;
  try {
    response = await fetch(request);
  } catch {
    return (await cache.match(name)) ?? Response.error();
  }
  if (isFile(response)) await cache.put(name, response.clone());
  return response;
}

addEventListener("install", (event) => {
  // A browser that supports routes does not ask the worker for each of these requests.
  event.addRoutes?.([
    { condition: { urlPattern: "/page/*" }, source: { cacheName: CACHE } },
    { condition: { urlPattern: "/api/*", requestMethod: "get" }, source: "network" },
  ]);
  event.waitUntil(frame().then(keep).then(() => skipWaiting()));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { pathname, searchParams } = new URL(event.request.url);
  if (event.request.method !== "GET") {
    // A page sends such a request while the page closes. Without the worker, the request would end
    // with the page.
    if (event.request.keepalive) event.respondWith(fetch(event.request));
    return;
  }
  // A ticket or a token must reach the server.
  if (searchParams.has("ticket") || searchParams.has("token")) return;
  if (pathname === "/") event.respondWith(open(event));
  else if (pathname.startsWith("/page/")) event.respondWith(file(event.request));
  else if (/^\/[\w-]+\.(svg|json)$/.test(pathname)) event.respondWith(loosely(event.request, pathname));
});
