// SPDX-License-Identifier: Apache-2.0

/// The part of a film to keep.
package enum ChapterRange: Hashable, Sendable {
    /// Chapters, counted from 1.
    case numbers(ClosedRange<Int>)
    /// Whole seconds from the start of the film.
    case times(Range<Int>)

    /// Parses chapters such as `2-4` or `3`, or times such as `00:10:00-00:20:00`.
    ///
    /// - Throws: `LibraryError` with `.invalidOption`.
    package init(_ text: String) throws(LibraryError) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        if ends.count <= 2, let first = Self.number(ends[0]),
            let last = Self.number(ends[ends.count - 1]), first <= last
        {
            self = .numbers(first...last)
        } else if ends.count == 2, let start = Self.seconds(ends[0]),
            let end = Self.seconds(ends[1]), start < end
        {
            self = .times(start..<end)
        } else {
            throw LibraryError(
                .invalidOption,
                "“\(text.prefix(40))” is no part of a film. Use chapters such as 2-4, or times such "
                    + "as 00:10:00-00:20:00."
            )
        }
    }

    private static func number(_ text: Substring) -> Int? {
        DecimalNumber.integer(text).flatMap { (1...Chapter.limit).contains($0) ? $0 : nil }
    }

    private static func seconds(_ text: Substring) -> Int? {
        guard let seconds = WebVTTTime.seconds(text), seconds < 1e6 else { return nil }
        return seconds == seconds.rounded() ? Int(seconds) : nil
    }
}

extension ChapterRange: CustomStringConvertible {
    /// The text that `init(_:)` parses.
    package var description: String {
        switch self {
        case .numbers(let numbers): "\(numbers.lowerBound)-\(numbers.upperBound)"
        case .times(let times): "\(Self.text(times.lowerBound))-\(Self.text(times.upperBound))"
        }
    }

    private static func text(_ seconds: Int) -> String {
        String(WebVTTTime.text(Double(seconds)).dropLast(4))
    }
}

extension ChapterRange {
    /// Returns the seconds of the part in a film.
    ///
    /// - Parameters:
    ///   - chapters: The chapters of the film.
    ///   - duration: The duration of the film in seconds.
    /// - Returns: The part, which ends no later than the film.
    /// - Throws: `.refused` if the film has no such part.
    package func seconds(
        of chapters: [Chapter],
        in duration: Double
    ) throws(DownloadError) -> Range<Double> {
        switch self {
        case .numbers(let numbers):
            guard !chapters.isEmpty else {
                throw DownloadError(
                    .refused,
                    "The film states no chapters. Choose times instead, such as "
                        + "00:00:00-00:10:00."
                )
            }
            guard numbers.upperBound <= chapters.count else {
                throw DownloadError(
                    .refused,
                    "The film has \(chapters.count) chapters. Choose some from 1 to "
                        + "\(chapters.count)."
                )
            }
            let start = min(chapters[numbers.lowerBound - 1].start, duration)
            let isLast = numbers.upperBound == chapters.count
            return start..<(isLast ? duration : max(start, chapters[numbers.upperBound].start))
        case .times(let times):
            guard Double(times.lowerBound) < duration else {
                throw DownloadError(
                    .refused,
                    "The film ends at \(PlayTime.text(duration)), before the chosen part. Choose "
                        + "times before its end."
                )
            }
            return Double(times.lowerBound)..<min(Double(times.upperBound), duration)
        }
    }

    /// Returns the note about the part that was kept.
    package static func note(_ kept: Range<Double>, of duration: Double) -> String {
        "Of \(PlayTime.text(duration)), the part from \(PlayTime.text(kept.lowerBound)) to "
            + "\(PlayTime.text(kept.upperBound)) was kept, from the key frame before it on."
    }
}

extension [Chapter] {
    /// Returns the chapters in a part of the film, with times from the start of the part.
    package func inside(_ part: Range<Double>) -> [Chapter] {
        enumerated().compactMap { number, chapter in
            let end = number + 1 < count ? self[number + 1].start : .infinity
            guard chapter.start < part.upperBound, end > part.lowerBound else { return nil }
            let start = Swift.max(0, chapter.start - part.lowerBound)
            return Chapter(start: start, title: chapter.title)
        }
    }
}
