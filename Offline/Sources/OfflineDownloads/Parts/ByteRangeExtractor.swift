// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsHTTP

/// Extracts the bytes of a range from a body, which is either the range itself or the whole file.
struct ByteRangeExtractor: Hashable {
    /// The number of outstanding bytes before the range.
    private var skip: Int64
    /// The number of outstanding bytes of the range, or nil if the range extends to the end of the
    /// body.
    private var rest: Int64?

    /// Creates an extractor for the body that follows a response head.
    ///
    /// - Throws: `DownloadError` with `.changed` if the server sent a different range.
    init(of range: HTTPByteRange?, in head: HTTPResponseHead) throws(DownloadError) {
        guard let range else {
            guard head.status == 200 else { throw Self.wrongRange(head) }
            (skip, rest) = (0, nil)
            return
        }
        if head.status == 200 {
            (skip, rest) = (range.offset, range.length)
            return
        }
        guard let sent = head.contentRange, sent.first == range.offset,
            range.length.map({ sent.last - sent.first + 1 == $0 }) ?? true
        else { throw Self.wrongRange(head) }
        (skip, rest) = (0, range.length)
    }

    /// Whether all bytes of the range have arrived.
    ///
    /// The value is true if the length is unknown.
    var isComplete: Bool { rest.map { $0 == 0 } ?? true }

    /// Whether no further bytes belong to the range.
    ///
    /// The value is false if the length is unknown.
    var isFinished: Bool { rest == 0 }

    /// Returns the indices of the bytes among the next `count` bytes that belong to the range.
    mutating func next(_ count: Int) -> Range<Int> {
        let skipped = Int(min(skip, Int64(count)))
        skip -= Int64(skipped)
        let left = Int64(count - skipped)
        let length = Int(rest.map { min($0, left) } ?? left)
        if let rest { self.rest = rest - Int64(length) }
        return skipped..<(skipped + length)
    }

    private static func wrongRange(_ head: HTTPResponseHead) -> DownloadError {
        DownloadError(
            .changed,
            "The server sent a different range of \(head.address.redacted) than requested."
        )
    }
}
