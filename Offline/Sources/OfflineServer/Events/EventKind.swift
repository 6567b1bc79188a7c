// SPDX-License-Identifier: Apache-2.0

/// The kinds of events that the server sends to a page.
///
/// The raw value is the name of the event.
///
/// `GET /api/events` sends all kinds except the last two, which `GET /api/activity/events` sends.
/// The payload is one JSON object. Numbers of bytes and of items are integers, durations are
/// seconds, fractions are from 0 to 1, and dates are ISO 8601 in UTC. An absent member is unknown.
/// `Offline/Documentation/API.md` has the same list for clients.
enum EventKind: String, CaseIterable, Sendable {
    /// The first event of a stream.
    ///
    /// `HelloJSON` has `version` (integer), the version of the API, `client` (integer), the number
    /// of the stream for `POST /api/presence`, and `library` (string), the unique name of the
    /// library. The member `damage` (string) is a message for the user, which is present if the
    /// registry was damaged when the server started.
    case hello

    /// The third event of a stream, also sent after an import. The event carries the newest items
    /// of each state, which replace the client's items.
    ///
    /// `ItemsJSON` has `items` (array of `ItemRepresentation`), the newest first, with at most 200
    /// of each state, and `counts` (object), the number of all items of each state. `GET
    /// /api/items` returns the older items.
    case items

    /// Sent when the number of items of a state changes.
    ///
    /// The payload is an object of integers, with the number of items of each state that any item
    /// has.
    case counts

    /// Sent for a new item, and after each change of an item except a change of the progress.
    ///
    /// `ItemRepresentation` is the whole item with the present progress. The event supersedes
    /// earlier events of kind `item`, `progress`, `playback` and `removed` for the same `id`.
    case item

    /// Sent while an item downloads, at most four times a second for each item.
    ///
    /// `ProgressJSON` has `id` (integer), `receivedBytes` and `totalBytes` (bytes), `doneSegments`
    /// and `totalSegments` (integers), `fraction` and `muxedFraction` (0 to 1), `bytesPerSecond`
    /// (bytes per second), `remainingSeconds` and `recordedSeconds` (seconds), and `waiting`
    /// (string), the reason of a wait. All members except `id` and `receivedBytes` may be absent.
    case progress

    /// Sent when an item is played further, or marked as watched or not watched.
    ///
    /// `PlaybackJSON` has `id` (integer) and `playback` (object). `playback` has `seconds`
    /// (seconds), `isWatched` (boolean) and `playedAt` (date), which may be absent.
    case playback

    /// Sent after an item is removed. The server never reuses the identifier.
    ///
    /// `RemovedJSON` has `id` (integer).
    case removed

    /// The fourth event of a stream, also sent when a download starts, ends or waits for the
    /// network, when the hours for downloads start or end, and when the disk becomes full or has
    /// space again.
    ///
    /// `QueueState` has `running` and `waitingForNetwork` (arrays of item numbers, ascending),
    /// `hoursBegin` (string), the local time at which the hours start, absent within the hours, and
    /// `isDiskFull` (boolean).
    case queue

    /// The fifth event of a stream, also sent when the state of the network changes.
    ///
    /// `ConnectivityJSON` has `state` (string, `online`, `offline` or `unknown`) and `problem`
    /// (string), the reason why `online` is only an assumption. Without such a reason, `problem` is
    /// absent.
    case connectivity

    /// The sixth event of a stream, also sent when a load of the catalog starts, succeeds or fails,
    /// and when the address of the catalog changes.
    ///
    /// `CatalogStateJSON` without lessons has `state` (string, `empty`, `loading`, `loaded` or
    /// `failed`), `isStale` (boolean), `address` (string), `allowPrivate` (boolean), `loadedAt`
    /// (date), `error` (`code` and `message`, strings), `title` (string) and `lessonCount`
    /// (integer). All members except `state` and `isStale` may be absent.
    case catalog

    /// Sent when a notification arrives, is replaced, read or removed.
    ///
    /// `UnreadJSON` has `unread` (integer), the number of unread notifications.
    case notification

    /// The second event of a stream, also sent when the user's permission for notifications
    /// changes.
    ///
    /// The permission precedes the items, so that a page's question for the permission moves no
    /// item. A stream lacks this event while the permission cannot be read.
    ///
    /// `PreferencesJSON` has `notifications` (string, `unknown`, `granted` or `denied`).
    case preferences

    /// Sent when the list of reports, the consent or the state of sending changes.
    ///
    /// The payload is an empty object. `GET /api/reports` returns the new list.
    case report

    /// Sent when a feed is followed, checked or no longer followed, and when one of its items is
    /// kept on purpose.
    ///
    /// The payload is an empty object. `GET /api/feeds` returns the new list.
    case feeds

    /// Sent when a collection is created, renamed, reordered, changed or removed, when an item of a
    /// collection is removed, and after an import with collections.
    ///
    /// The payload is an empty object. `GET /api/collections` returns the new list.
    case collections

    /// Sent when a device of the local network waits, is let in, refused or removed.
    ///
    /// The payload is an empty object. `GET /api/devices` returns the new list.
    case devices

    /// Sent when a machine of the household joins, reports or leaves, and when the connection to
    /// the household's server changes.
    ///
    /// The payload is an empty object. `GET /api/machines` returns the new list.
    case machines

    /// The first event of a stream of activity.
    ///
    /// `ActivityJSON` has `isWatched` (boolean), `posts` (array of `ActivityPostJSON`), the newest
    /// last, and `observations` (array of `ActivityPlaceJSON`).
    case activity

    /// Sent for each post on the library's message center.
    ///
    /// `ActivityPostJSON` has `number` and `cause` (integers), `message`, `location`, `detail` and
    /// `outcome` (strings), `seconds` (seconds) and `handlers` (array). Each handler has
    /// `location`, `kind`, `outcome` and `error` (strings) and `seconds` (seconds). `cause`,
    /// `detail` and `error` may be absent.
    case post
}
