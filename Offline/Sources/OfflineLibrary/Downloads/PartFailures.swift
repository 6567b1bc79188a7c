// SPDX-License-Identifier: Apache-2.0

/// The failed parts of an item and the error that lists them.
struct PartFailures {
    struct Entry: Sendable {
        let part: PartID
        let error: DownloadError
        /// Whether the part holds subtitles, without which the stream is kept.
        var isOfText = false
    }

    private static let listLimit = 8
    /// The number of failures after which a run fetches no further parts.
    private static let failureLimit = 20

    private let parts: [PartRecord]
    private(set) var entries: [Entry] = []

    /// Creates a list without failures for all parts of an item in order.
    init(of parts: [PartRecord]) {
        self.parts = parts
    }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
    }

    var isLimitReached: Bool { entries.count >= Self.failureLimit }

    /// The error of the run; nil without a failure.
    var error: DownloadError? {
        guard let first = entries.first?.error else { return nil }
        let all = names
        let names = all.prefix(Self.listLimit)
        let more = all.count - names.count
        let list = names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        var error = DownloadError(
            .missingSegments,
            (isLimitReached ? "At least " : "")
                + "\(all.count) of \(parts.count) segments are missing (\(list)): \(first.message) "
                + "Retry fetches only the missing segments.",
            cause: first
        )
        error.retries = first.retries
        return error
    }

    /// The names of the failed parts in order; segments count from 1 in each track.
    private var names: [String] {
        let failed = Set(entries.map(\.part))
        var counts: [Int: Int] = [:]
        return parts.compactMap { record in
            if record.part.isInitialization {
                return failed.contains(record.id) ? "the header" : nil
            }
            counts[record.id.track, default: 0] += 1
            return failed.contains(record.id) ? "\(counts[record.id.track] ?? 0)" : nil
        }
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
