// SPDX-License-Identifier: Apache-2.0

/// The segments of a stream that could not be fetched, and the error that names them.
struct SegmentFailures {
    struct Entry: Sendable {
        let number: Int
        let error: DownloadError
    }

    private static let namedAtMost = 8
    /// So many failures and the rest is not tried in this run.
    private static let hopeless = 20

    let total: Int
    private(set) var entries: [Entry] = []

    init(total: Int) {
        self.total = total
    }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
    }

    var areHopeless: Bool { entries.count >= Self.hopeless }

    /// Nil when nothing failed.
    var error: DownloadError? {
        guard let first = entries.first?.error else { return nil }
        let numbers = entries.map(\.number).sorted()
        let names = numbers.prefix(Self.namedAtMost).map { $0 < 0 ? "the header" : "\($0 + 1)" }
        let more = numbers.count - names.count
        let list = names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        var error = DownloadError(
            .missingSegments,
            (areHopeless ? "At least " : "")
                + "\(numbers.count) of \(total) segments are missing (\(list)): \(first.message) "
                + "Retry fetches only what is missing.",
            cause: first
        )
        error.retries = first.retries
        return error
    }
}

extension DownloadError {
    /// Whether other segments may well succeed where this one failed.
    var concernsOneSegment: Bool {
        switch code {
        case .status, .connection, .changed, .notMedia, .wrongKey: true
        default: false
        }
    }
}
