// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineSources

/// The failed parts of an item and the error that lists them.
struct PartFailures {
    struct Entry: Sendable {
        let part: PartID
        let error: DownloadError
        /// Whether the part holds subtitles.
        ///
        /// The download keeps the stream without these subtitles.
        var isOfText = false
    }

    private static let listLimit = 8
    /// The number of failures after which a run fetches no further parts.
    private static let failureLimit = 20

    private let parts: [PartRecord]
    private let tracks: [TrackDescription]
    private(set) var entries: [Entry] = []

    /// Creates a list without failures from all parts of an item, in order, and the tracks.
    init(of parts: [PartRecord], in tracks: [TrackDescription] = []) {
        self.parts = parts
        self.tracks = tracks
    }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
    }

    var isLimitReached: Bool { entries.count >= Self.failureLimit }

    /// The error of the run, or nil without a failure.
    var error: DownloadError? {
        guard let first = entries.first?.error else { return nil }
        let failed = self.failed
        let more = failed.count - Self.listLimit
        let shown = Self.list(failed.prefix(Self.listLimit), names: trackNames)
        let list = shown + (more > 0 ? " and \(more) more" : "")
        var error = DownloadError(
            .missingSegments,
            (isLimitReached ? "At least " : "")
                + "\(failed.count) of \(parts.count) segments are missing (\(list)): \(first.message) "
                + "Retry fetches only the missing segments.",
            cause: first
        )
        error.retries = first.retries
        return error
    }

    /// The failed parts in order, with their tracks.
    ///
    /// Segments count from 1 in each track.
    private var failed: [(track: Int, name: String)] {
        let failed = Set(entries.map(\.part))
        var counts: [Int: Int] = [:]
        return parts.compactMap { record in
            let track = record.id.track
            if !record.part.isInitialization { counts[track, default: 0] += 1 }
            guard failed.contains(record.id) else { return nil }
            return (track, record.part.isInitialization ? "the header" : "\(counts[track] ?? 0)")
        }
    }

    /// The names of the tracks.
    ///
    /// The dictionary is empty if there is only one track.
    private var trackNames: [Int: String] {
        let numbers = Set(parts.map(\.id.track))
        guard numbers.count > 1 else { return [:] }
        let names = numbers.map { number in
            (number, tracks.indices.contains(number) ? tracks[number].text : "track \(number + 1)")
        }
        return Dictionary(uniqueKeysWithValues: names)
    }

    /// Returns a list of the parts as a string.
    ///
    /// The name of each track precedes the parts of the track.
    private static func list(
        _ parts: ArraySlice<(track: Int, name: String)>,
        names: [Int: String]
    ) -> String {
        var list = ""
        var last: Int?
        for (track, name) in parts {
            if track == last {
                list += ", "
            } else if let text = names[track] {
                list += (last == nil ? "" : "; ") + text + ": "
            }
            list += name
            last = track
        }
        return list
    }
}

extension DownloadError {
    /// Whether other parts can succeed despite this failure.
    var concernsOnePart: Bool {
        switch code {
        case .status, .connection, .changed, .notMedia, .wrongKey: true
        default: false
        }
    }
}
