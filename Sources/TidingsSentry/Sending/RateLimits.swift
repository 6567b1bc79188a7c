// SPDX-License-Identifier: Apache-2.0
internal import TidingsDiagnostics
internal import TidingsHTTP

/// Reads the pauses that a server requests, by category.
enum RateLimits {
    /// The maximum pause, to which longer requests are cut.
    static let longestPause: Duration = .seconds(24 * 60 * 60)
    /// The pause after a status of 429 without a duration.
    static let defaultPause: Duration = .seconds(60)

    /// Returns the pauses that a response requests, with any status.
    ///
    /// A status of 429 pauses at least one sent category. If the response names no such
    /// category, all sent categories are paused.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - sent: The categories that were sent.
    /// - Returns: The durations, by category.
    static func pauses(
        _ head: HTTPResponseHead,
        sent: Set<ReportCategory>
    ) -> [ReportCategory: Duration] {
        var pauses: [ReportCategory: Duration] = [:]
        for value in head.headers.all("X-Sentry-Rate-Limits") {
            pauses.merge(parse(value)) { max($0, $1) }
        }
        let after = head.retryAfter.map { min($0, longestPause) }
        switch head.status {
        case 429:
            if pauses.isEmpty { return [.all: positive(after) ?? defaultPause] }
            // Without a pause, the reporter would send the same delivery again immediately.
            let isNamed = pauses[.all] != nil || sent.contains { pauses[$0] != nil }
            for category in isNamed ? [] : sent {
                pauses[category] = positive(after) ?? defaultPause
            }
        case 500...599:
            if pauses.isEmpty, let after = positive(after) { pauses[.all] = after }
        default: break
        }
        return pauses
    }

    /// Parses `SECONDS:CATEGORY;CATEGORY:SCOPE…, …` and returns the longest pause of each
    /// category.
    ///
    /// Unreadable limits are ignored, and so are categories that this sink never sends.
    static func parse(_ value: String) -> [ReportCategory: Duration] {
        var pauses: [ReportCategory: Duration] = [:]
        for limit in value.split(separator: ",") {
            let parts = limit.split(separator: ":", omittingEmptySubsequences: false).map(trimmed)
            guard let pause = duration(parts[0]) else { continue }
            for category in categories(parts.count > 1 ? parts[1] : "") {
                pauses[category] = max(pauses[category] ?? .zero, pause)
            }
        }
        return pauses
    }

    /// Parses a positive number of seconds with an optional fraction, or returns nil.
    private static func duration(_ text: Substring) -> Duration? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
            let seconds = Double(text), seconds > 0
        else { return nil }
        return seconds < 86_400 ? .seconds(seconds) : longestPause
    }

    private static func categories(_ text: Substring) -> Set<ReportCategory> {
        guard !text.isEmpty else { return [.all] }
        return Set(
            text.split(separator: ";").compactMap { name in
                switch trimmed(name).lowercased() {
                case "error", "default": .error
                case "session": .session
                default: nil
                }
            }
        )
    }

    private static func positive(_ duration: Duration?) -> Duration? {
        duration.flatMap { $0 > .zero ? $0 : nil }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0.isWhitespace }
        let end = start.lastIndex { !$0.isWhitespace }.map(start.index(after:))
        return start[..<(end ?? start.startIndex)]
    }
}
