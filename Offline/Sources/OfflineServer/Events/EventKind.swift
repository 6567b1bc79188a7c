// SPDX-License-Identifier: Apache-2.0

/// The kinds of events that the server sends to a page; the raw value is the name of the event.
///
/// `GET /api/events` sends all kinds but the last two, which `GET /api/activity/events` sends. The
/// payload is one JSON object. Numbers of bytes and of items are integers, durations are seconds,
/// fractions are from 0 to 1, and dates are ISO 8601 in UTC; an absent member is unknown.
/// `Offline/Documentation/API.md` has the same list for clients.
enum EventKind: String, CaseIterable, Sendable {
    /// The first event of a stream.
    ///
    /// `HelloJSON`: `version` (integer), the version of the API; `client` (integer), the number of
    /// the stream for `POST /api/presence`; `library` (string), the name of the library, which no
    /// other one has; `damage` (string), a text for the user, present if the registry was damaged
    /// when the server started.
    case hello

    /// The second event of a stream, and sent after an import: the newest items of each state,
    /// which replace the client's.
    ///
    /// `ItemsJSON`: `items` (array of `ItemRepresentation`), the newest first, at most 200 of each
    /// state; `counts` (object), the number of all items of each state. `GET /api/items` returns
    /// the older ones.
    case items

    /// Sent when the number of items of a state changes.
    ///
    /// An object of integers: the number of items of each state that any item has.
    case counts

    /// Sent for a new item, and after each change of an item but its progress.
    ///
    /// `ItemRepresentation`: the whole item with its present progress; it supersedes earlier events
    /// of kind `item`, `progress`, `playback` and `removed` for the same `id`.
    case item

    /// Sent while an item downloads, at most four times a second for each item.
    ///
    /// `ProgressJSON`: `id` (integer); `receivedBytes`, `totalBytes` (bytes); `doneSegments`,
    /// `totalSegments` (integers); `fraction`, `muxedFraction` (0 to 1); `bytesPerSecond` (bytes
    /// per second); `remainingSeconds`, `recordedSeconds` (seconds); `waiting` (string), the reason
    /// of a wait. All but `id` and `receivedBytes` may be absent.
    case progress

    /// Sent when an item is played further, or marked as watched or not watched.
    ///
    /// `PlaybackJSON`: `id` (integer); `playback` (object) with `seconds` (seconds), `isWatched`
    /// (boolean) and `playedAt` (date), which may be absent.
    case playback

    /// Sent after an item is removed; its identifier is never reused.
    ///
    /// `RemovedJSON`: `id` (integer).
    case removed

    /// The third event of a stream, and sent when a download starts, ends or waits for the network,
    /// when the hours in which to download begin or end, and when the disk is full or has space.
    ///
    /// `QueueState`: `running`, `waitingForNetwork` (arrays of item numbers, ascending);
    /// `hoursBegin` (string), the local time at which the hours begin, absent within them;
    /// `isDiskFull` (boolean).
    case queue

    /// The fourth event of a stream, and sent when the state of the network changes.
    ///
    /// `ConnectivityJSON`: `state` (string: `online`, `offline` or `unknown`); `problem` (string),
    /// the reason why `online` is only an assumption, otherwise absent.
    case connectivity

    /// The fifth event of a stream, and sent when a load of the catalog starts, succeeds or fails,
    /// and when its address changes.
    ///
    /// `CatalogStateJSON`, without lessons: `state` (string: `empty`, `loading`, `loaded` or
    /// `failed`); `isStale` (boolean); `address` (string); `allowPrivate` (boolean); `loadedAt`
    /// (date); `error` (`code` and `message`, strings); `title` (string); `lessonCount` (integer).
    /// All but `state` and `isStale` may be absent.
    case catalog

    /// Sent when the list of notifications changes: one arrives, is replaced, read or removed.
    ///
    /// `UnreadJSON`: `unread` (integer), the number of unread notifications.
    case notification

    /// Sent when the user's permission for notifications changes.
    ///
    /// `PreferencesJSON`: `notifications` (string: `unknown`, `granted` or `denied`).
    case preferences

    /// Sent when the list of reports, the consent or the state of sending changes.
    ///
    /// An empty object: `GET /api/reports` returns the new list.
    case report

    /// Sent when a feed is followed, checked or no longer followed, and when one of its items is
    /// kept on purpose.
    ///
    /// An empty object: `GET /api/feeds` returns the new list.
    case feeds

    /// Sent when a collection is made, renamed, reordered, changed or removed, when an item of one
    /// is removed, and after an import with collections.
    ///
    /// An empty object: `GET /api/collections` returns the new list.
    case collections

    /// Sent when a device of the local network waits, is let in, refused or removed.
    ///
    /// An empty object: `GET /api/devices` returns the new list.
    case devices

    /// Sent when a machine of the household joins, reports or leaves, and when the connection to
    /// the household's server changes.
    ///
    /// An empty object: `GET /api/machines` returns the new list.
    case machines

    /// The first event of a stream of activity.
    ///
    /// `ActivityJSON`: `isWatched` (boolean); `posts` (array of `ActivityPostJSON`), the newest
    /// last; `observations` (array of `ActivityPlaceJSON`).
    case activity

    /// Sent for each post on the library's message center.
    ///
    /// `ActivityPostJSON`: `number`, `cause` (integers); `message`, `location`, `detail`, `outcome`
    /// (strings); `seconds` (seconds); `handlers` (array), each with `location`, `kind`, `outcome`,
    /// `error` (strings) and `seconds` (seconds). `cause`, `detail` and `error` may be absent.
    case post
}
