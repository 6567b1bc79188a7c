// SPDX-License-Identifier: Apache-2.0
internal import TidingsDiagnostics
internal import TidingsHTTP

/// For how long a server wants nothing, by what it is.
enum RateLimits {
    /// The longest that a server is believed.
    static let longest: Duration = .seconds(24 * 60 * 60)
    /// When a server says that it was too much, and not for how long.
    static let usual: Duration = .seconds(60)

    /// The pauses that an answer asks for, of whatever status.
    ///
    /// A status of 429 pauses at least what was sent.
    ///
    /// - Parameters:
    ///   - head: The answer.
    ///   - sent: What was sent.
    /// - Returns: For how long, by category.
    static func pauses(
        _ head: HTTPResponseHead,
        sent: Set<ReportCategory>
    ) -> [ReportCategory: Duration] {
        var pauses: [ReportCategory: Duration] = [:]
        for value in head.headers.all("X-Sentry-Rate-Limits") {
            pauses.merge(parse(value)) { max($0, $1) }
        }
        let after = head.retryAfter.map { min($0, longest) }
        switch head.status {
        case 429:
            if pauses.isEmpty { return [.all: positive(after) ?? usual] }
            // Else the same would be sent again at once.
            for category in sent where pauses[.all] == nil && pauses[category] == nil {
                pauses[category] = positive(after) ?? usual
            }
        case 500...599:
            if pauses.isEmpty, let after = positive(after) { pauses[.all] = after }
        default: break
        }
        return pauses
    }

    /// Reads `SECONDS:CATEGORY;CATEGORY:SCOPE…, …`; the longest of each category counts.
    ///
    /// What cannot be read is ignored, as is what is never sent from here.
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

    /// Whole seconds or parts of them; nil for what is no number and for what is over.
    private static func duration(_ text: Substring) -> Duration? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
            let seconds = Double(text), seconds > 0
        else { return nil }
        return seconds < 86_400 ? .seconds(seconds) : longest
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
