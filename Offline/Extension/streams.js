// SPDX-License-Identifier: Apache-2.0
// Recognizes media in responses, and manages the list of one tab. No function here uses the
// browser.

/** The maximum number of streams in a tab, and the maximum length of a stream's address. */
export const CAPACITY = 40;
export const LONGEST_ADDRESS = 4096;
/**
 * The number of files with similar addresses in a list. With one more, the files count as parts of
 * a stream.
 */
const SERIES = 3;

const KINDS_BY_TYPE = new Map([
  ["application/vnd.apple.mpegurl", "hls"], ["application/x-mpegurl", "hls"],
  ["application/mpegurl", "hls"], ["audio/mpegurl", "hls"], ["audio/x-mpegurl", "hls"],
  ["application/dash+xml", "dash"],
  ["video/mp2t", "part"], ["video/iso.segment", "part"], ["audio/iso.segment", "part"],
]);
const KINDS_BY_EXTENSION = new Map([
  ["m3u8", "hls"], ["m3u", "hls"], ["mpd", "dash"],
  ...["mp4", "m4v", "webm", "mkv", "mov", "avi", "ogv"].map((name) => [name, "video"]),
  ...["mp3", "m4a", "aac", "ogg", "oga", "opus", "flac", "wav"].map((name) => [name, "audio"]),
]);
const PART_EXTENSIONS = new Set(["ts", "m4s", "cmfv", "cmfa", "m4f", "mp4v", "mp4a"]);
/** The types that servers send for unknown files. */
const VAGUE_TYPES = new Set([
  "", "application/octet-stream", "binary/octet-stream", "text/plain", "text/xml", "application/xml",
]);

/** Whether the kind is a description of a stream. */
export const isPlaylist = (stream) => stream.kind === "hls" || stream.kind === "dash";

/** Returns an empty list. */
export const emptyList = () => ({ streams: [], series: [], dropped: 0 });

/**
 * Returns the stream of a response (`details` of webRequest). Returns undefined for anything other
 * than a film, a recording or a playlist, such as a segment, which is useless alone.
 */
export function streamOf(details) {
  const { method, statusCode, url } = details;
  const isComplete = (statusCode >= 200 && statusCode < 300) || statusCode === 304;
  if (method !== "GET" || !isComplete || url.length > LONGEST_ADDRESS) return undefined;
  const place = URL.parse(url);
  if (!place || !["http:", "https:"].includes(place.protocol)) return undefined;
  place.hash = "";
  const kind = kindOf(header(details, "content-type"), place.pathname);
  const isWhole = details.type === "media" || details.type === "main_frame";
  if (!kind || (kind === "part" && !isWhole)) return undefined;
  const bytes = kind === "video" || kind === "audio" ? sizeOf(details) : undefined;
  return {
    address: place.href,
    kind: kind === "part" ? "video" : kind,
    ...(bytes === undefined ? {} : { bytes }),
    frame: details.frameId ?? 0,
    ...refererOf(details),
    isFetched: details.type === "xmlhttprequest" || details.type === "other",
  };
}

function kindOf(contentType, path) {
  const type = contentType.split(";")[0].trim().toLowerCase();
  const extension = /\.([a-z0-9]{1,5})$/i.exec(path)?.[1].toLowerCase() ?? "";
  const isMedia = type.startsWith("video/") || type.startsWith("audio/");
  if (KINDS_BY_TYPE.has(type)) return KINDS_BY_TYPE.get(type);
  if (PART_EXTENSIONS.has(extension) && (isMedia || VAGUE_TYPES.has(type))) return "part";
  if (VAGUE_TYPES.has(type)) return KINDS_BY_EXTENSION.get(extension);
  return isMedia ? type.split("/")[0] : undefined;
}

/** Returns the size of the whole file, or undefined if the response does not contain the size. */
function sizeOf(details) {
  const text = details.statusCode === 206
    ? /\/(\d+)$/.exec(header(details, "content-range"))?.[1]
    : header(details, "content-length");
  const size = Number(text);
  return text && Number.isSafeInteger(size) && size >= 0 ? size : undefined;
}

const header = (details, name) =>
  details.responseHeaders?.find((each) => each.name.toLowerCase() === name)?.value ?? "";

/** Firefox provides the address of the document, and Chromium the origin. */
function refererOf({ documentUrl, initiator }) {
  const place = URL.parse(documentUrl ?? initiator ?? "");
  const isWeb = place && ["http:", "https:"].includes(place.protocol);
  return isWeb && place.href.length <= LONGEST_ADDRESS ? { document: place.href } : {};
}

/** Whether the response is a new page in the tab, rather than a file to save. */
export const isNewPage = (details) => details.type === "main_frame"
  && ![204, 205].includes(details.statusCode)
  && !/^\s*attachment/i.test(header(details, "content-disposition"));

/** Returns the list with a stream, or the same list if the stream changes nothing. */
export function added(list, stream) {
  const known = list.streams.find((each) => each.address === stream.address);
  if (known) return known.bytes === undefined && stream.bytes !== undefined
    ? { ...list, streams: list.streams.map((each) => (each === known ? { ...known, bytes: stream.bytes } : each)) }
    : list;
  if (stream.isFetched && !isPlaylist(stream)) {
    // Players fetch the parts of a stream by script after reading the playlist.
    if (list.streams.some((each) => isPlaylist(each) && each.frame === stream.frame)) return list;
    const series = seriesOf(stream.address);
    if (list.series.includes(series)) return list;
    const isSimilar = (each) => each.isFetched && !isPlaylist(each) && seriesOf(each.address) === series;
    if (list.streams.filter(isSimilar).length >= SERIES) {
      return {
        ...list,
        streams: list.streams.filter((each) => !isSimilar(each)),
        series: [...list.series, series].slice(-CAPACITY),
      };
    }
  }
  return limited({ ...list, streams: [...list.streams, stream] });
}

/** Returns the prefix of an address that is equal for all parts of a stream. */
const seriesOf = (address) => address.split("?")[0].replace(/\d+/g, "0");

/** Drops the oldest file, or the oldest playlist if the list has only playlists. */
function limited(list) {
  if (list.streams.length <= CAPACITY) return list;
  const oldest = list.streams.find((each) => !isPlaylist(each)) ?? list.streams[0];
  return { ...list, streams: list.streams.filter((each) => each !== oldest), dropped: list.dropped + 1 };
}

/**
 * Returns the streams to show, with playlists first. A playlist below the folder of an earlier
 * playlist is most often a quality of the earlier one, and therefore belongs to `others` of the
 * earlier one.
 */
export function grouped(list) {
  const groups = [];
  for (const stream of [...list.streams.filter(isPlaylist), ...list.streams.filter((each) => !isPlaylist(each))]) {
    const folder = (group) => group.stream.address.split("?")[0].replace(/[^/]*$/, "");
    const parent = stream.kind === "hls" && groups.find((group) => group.stream.kind === "hls"
      && group.stream.frame === stream.frame && stream.address.startsWith(folder(group)));
    if (parent) parent.others.push(stream);
    else groups.push({ stream, others: [] });
  }
  return groups;
}
